import { VM } from './vm';

export default function (pi: ExtensionAPI) {
pi.on("session_before_switch", async (event, ctx) => {
  // When switching to a new session
  if (globalThis.vmRegistry.size > 0) {
    const ok = await ctx.ui.confirm(
      "VMs exist",
      `${globalThis.vmRegistry.size} VM(s) will be detached. Continue?`
    );
    if (!ok) return { cancel: true };
  }
});

pi.registerCommand("new-session", {
  description: "Create new session with cleanup",
  handler: async (_args, ctx) => {
    // Explicitly close all VMs before new session
    for (const [name, { vm }] of globalThis.vmRegistry) {
      try {
        await vm.close();
      } catch {
        // Ignore errors
      }
    }
    globalThis.vmRegistry.clear();
    
    // Now safe to start fresh
    ctx.ui.notify("Cleaned VMs, starting new session", "info");
  }
});
}
