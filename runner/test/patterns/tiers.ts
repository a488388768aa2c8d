// Tier 1: TypeScript declaration (type safety)
declare global {
  var vmRegistry: Map<string, { name: string; vm: VM }>;
  var connectionPool: Record<string, Connection>;
}

// Tier 2: Initialization (create if missing)
if (!globalThis.vmRegistry) {
  globalThis.vmRegistry = new Map();
}
if (!globalThis.connectionPool) {
  globalThis.connectionPool = {};
}

export default function (pi: ExtensionAPI) {
  // Tier 3: Local references (load from global on startup)
  const vms = new Map<string, VM>();
  const connections: Record<string, Connection> = {};
  
  // On startup, load from global
  pi.on("session_start", async (_event, ctx) => {
    for (const [name, { vm }] of globalThis.vmRegistry) {
      vms.set(name, vm);
    }
    for (const [id, conn] of Object.entries(globalThis.connectionPool)) {
      connections[id] = conn;
    }
    
    ctx.ui.notify(
      `Loaded ${vms.size} VM(s) and ${Object.keys(connections).length} connection(s)`,
      "info"
    );
  });
  
  // On shutdown, DON'T close - just clear local references
  pi.on("session_shutdown", async () => {
    // Clear local maps only
    vms.clear();
    Object.keys(connections).forEach(k => delete connections[k]);
    
    // Resources stay in globalThis for next reload
  });
}
