// A VM's life over a reload: create, attach, use, reload, use, stop. Made of the patterns beside it.

import { VM } from './vm';

declare global {
  var vmRegistry: Map<string, { name: string; vm: VM }>;
}

if (!globalThis.vmRegistry) {
  globalThis.vmRegistry = new Map();
}

export default function (pi: ExtensionAPI) {
  const vms = new Map<string, VM>();
  let attachedVm: VM | null = null;

  pi.on("session_start", async () => {
    for (const [name, { vm }] of globalThis.vmRegistry) {
      vms.set(name, vm);
    }
  });

  pi.on("session_shutdown", async () => {
    if (attachedVm) {
      attachedVm = null;
    }
    vms.clear();
  });

  pi.on("user_bash", async ({ command }) => {
    if (attachedVm) return { result: { output: await attachedVm.run(command), exitCode: 0 } };
  });

  pi.registerCommand("start", {
    handler: async (args, ctx) => {
      const vm = await VM.create();
      vms.set(args, vm);
      globalThis.vmRegistry.set(args, { name: args, vm });
      ctx.ui.notify("Started: " + args, "success");
    }
  });

  pi.registerCommand("attach", {
    handler: async (args, ctx) => {
      attachedVm = vms.get(args) ?? null;
      ctx.ui.notify(attachedVm ? "Attached: " + args : "No such VM: " + args, attachedVm ? "success" : "error");
    }
  });

  pi.registerCommand("list", {
    handler: async (_args, ctx) => {
      const lines = [...vms].map(([name, vm]) => `  ${name} (${vm.id.substring(0, 8)})${vm === attachedVm ? " ◆" : ""}`);
      ctx.ui.notify("Registered VMs:\n" + lines.join("\n"), "info");
    }
  });

  pi.registerCommand("stop", {
    handler: async (args, ctx) => {
      await vms.get(args)?.close();
      vms.delete(args);
      globalThis.vmRegistry.delete(args);
      ctx.ui.notify("Stopped: " + args, "success");
    }
  });
}
