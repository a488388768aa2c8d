import { VM } from './vm';

export default function (pi: ExtensionAPI) {
let attachedVm: VM | null = null;
pi.registerCommand("list", {
  description: "List all VMs (including from previous reloads)",
  handler: async (_args, ctx) => {
    const vms = Array.from(globalThis.vmRegistry.entries());
    
    if (vms.length === 0) {
      ctx.ui.notify("No VMs registered", "info");
      return;
    }
    
    const lines = vms.map(([name, { vm }]) => {
      const attached = vm === attachedVm ? " ◆" : "";
      return `  ${name} (${vm.id.substring(0, 8)})${attached}`;
    });
    
    ctx.ui.notify("Registered VMs:\n" + lines.join("\n"), "info");
  }
});

pi.registerCommand("cleanup", {
  description: "Close all VMs and clear registry",
  handler: async (_args, ctx) => {
    for (const [name, { vm }] of globalThis.vmRegistry) {
      try {
        await vm.close();
      } catch (err) {
        console.error(`Error closing ${name}:`, err);
      }
    }
    
    globalThis.vmRegistry.clear();
    attachedVm = null;
    
    ctx.ui.notify("Cleaned up all VMs", "success");
  }
});
}
