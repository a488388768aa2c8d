// Keeps a connection over reloads, in the way that pi's documents show: on globalThis.

import { createServer, type Server } from "node:net";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

declare global {
	var keeper: { server: Server; served: number; loads: number } | undefined;
}

export default async function (pi: ExtensionAPI) {
	if (!globalThis.keeper) {
		const server = createServer((socket) => {
			if (globalThis.keeper) socket.end(`served ${++globalThis.keeper.served}`);
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		globalThis.keeper = { server, served: 0, loads: 0 };
	}
	const { keeper } = globalThis;
	keeper.loads++;

	pi.events.on("keeper:where", (answer) => {
		(answer as (port: number) => void)((keeper.server.address() as { port: number }).port);
	});
	pi.registerCommand("keeper", {
		description: "Shows what is kept",
		handler: async (_args, ctx) => {
			let port = 0;
			pi.events.emit("keeper:where", (found: number) => {
				port = found;
			});
			const { stdout } = await pi.exec("node", ["-e", `require("net").connect(${port}, "127.0.0.1").pipe(process.stdout)`]);
			ctx.ui.notify(`loads ${keeper.loads}, ${stdout}`, "info");
		},
	});
	pi.on("session_shutdown", ({ reason }) => {
		if (reason !== "reload") keeper.server.close();
	});
}
