import { VM } from './vm';

export default function (pi: ExtensionAPI) {
const vms = new Map<string, VM>();
pi.on("session_shutdown", async () => {
  // ❌ WRONG: Destroys resources user might need
  for (const vm of vms.values()) {
    await vm.close();
  }
  vms.clear();
});
}
