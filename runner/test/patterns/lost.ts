import { VM } from './vm';

export default function (pi: ExtensionAPI) {
  const vms = new Map<string, VM>();  // ❌ Lost on /reload
  let attachedVm: VM | null = null;    // ❌ Lost on /reload
  
  pi.registerCommand("attach", {
    handler: async () => {
      // After /reload, vms.size === 0 - old VMs lost!
      attachedVm = await VM.create();
      vms.set("vm1", attachedVm);
    }
  });
}
