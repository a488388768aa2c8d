// Runs shell commands elsewhere while it is on, as extensions for containers and machines do.

import { createBashTool, createLocalBashOperations, type ExtensionAPI, truncateTail } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
	const local = createLocalBashOperations();
	let place: string | undefined;

	pi.registerFlag("place", { description: "Where commands run", type: "string" });
	pi.on("session_start", () => {
		const flag = pi.getFlag("place");
		if (typeof flag === "string") place = flag;
	});

	pi.registerTool({ ...createBashTool(process.cwd()), name: "remote_bash", label: "remote bash" });
	pi.on("tool_call", async (event) => (event.toolName === "bash" ? { block: true, reason: "use remote_bash" } : undefined));

	pi.on("user_bash", () => {
		if (!place) return;
		return { operations: { exec: (command, cwd, options) => local.exec(`echo ${place}; ${command}`, cwd, options) } };
	});

	pi.registerCommand("remote", {
		description: "Sets where commands run",
		handler: async (args, ctx) => {
			place = args || undefined;
			const { content } = truncateTail(`off\n${place ?? "off"}`, { maxLines: 1 });
			ctx.ui.notify(`remote: ${content}`, "info");
		},
	});
}
