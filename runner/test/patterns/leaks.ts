import { VM } from './vm';

// Global resource tracker
declare global {
  var resourceLog: Array<{ resource: string; action: string; timestamp: number }>;
}

if (!globalThis.resourceLog) {
  globalThis.resourceLog = [];
}

function logResource(resource: string, action: "create" | "close" | "reload") {
  globalThis.resourceLog.push({
    resource,
    action,
    timestamp: Date.now(),
  });
}

export default function (pi: ExtensionAPI) {
  pi.registerCommand("resources", {
    description: "Show resource lifecycle",
    handler: async (_args, ctx) => {
      const lines = globalThis.resourceLog
        .slice(-10)
        .map(
          (r) =>
            `  [${new Date(r.timestamp).toLocaleTimeString()}] ${r.resource}: ${r.action}`
        );
      ctx.ui.notify("Recent resources:\n" + lines.join("\n"), "info");
    },
  });

  pi.registerCommand("start", {
    handler: async (args, ctx) => {
      const vm = await VM.create();
      logResource(args, "create");  // ← Track creation
      
      globalThis.vmRegistry.set(args, { name: args, vm });
      ctx.ui.notify(`Started: ${args}`, "success");
    },
  });

  pi.on("session_shutdown", async () => {
    // Track that we're reloading while keeping VMs
    for (const [name] of globalThis.vmRegistry) {
      logResource(name, "reload");
    }
  });
}
