import { VM } from './vm';

export default function (pi: ExtensionAPI) {
const vms = new Map<string, VM>();
let attachedVm: VM | null = null;
pi.on("session_shutdown", async () => {
  // ✅ RIGHT: Resources stay running in globalThis
  if (attachedVm) {
    attachedVm = null;  // Detach
  }
  vms.clear();  // Clear local refs only
});
}
