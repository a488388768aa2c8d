import { VM } from './vm';

// At module level (outside default function)
declare global {
  var vmRegistry: Map<string, { name: string; vm: VM }>;
}

if (!globalThis.vmRegistry) {
  globalThis.vmRegistry = new Map();
}

export default function (pi: ExtensionAPI) {
  const vms = new Map<string, VM>();
  
  // LOAD from global registry on startup
  for (const [vmName, { vm }] of globalThis.vmRegistry) {
    vms.set(vmName, vm);
  }
  
  // SAVE to global registry when creating
  pi.registerCommand("start", {
    handler: async (args, ctx) => {
      const vm = await VM.create();
      vms.set(args, vm);
      
      // Also save to persistent registry
      globalThis.vmRegistry.set(args, { name: args, vm });
      ctx.ui.notify("Started: " + args, "success");
    }
  });
}
