// A package with a tool, whose list is made again from the session's entries.

import { DynamicBorder, type ExtensionAPI, type ExtensionContext, getSelectListTheme } from "@earendil-works/pi-coding-agent";
import { StringEnum } from "@earendil-works/pi-ai";
import { Container, type SelectItem, SelectList, Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { describe, type Todo } from "./list.js";

const Parameters = Type.Object({
	action: StringEnum(["list", "add"] as const),
	text: Type.Optional(Type.String()),
});

export default function (pi: ExtensionAPI) {
	let todos: Todo[] = [];

	const reconstruct = (ctx: ExtensionContext) => {
		todos = [];
		for (const entry of ctx.sessionManager.getBranch())
			if (entry.type === "custom" && entry.customType === "todo") todos.push(entry.data as Todo);
		ctx.ui.setStatus("todo", ctx.ui.theme.fg("accent", `${todos.length} todos`));
	};
	pi.on("session_start", async (_event, ctx) => reconstruct(ctx));
	pi.on("session_tree", async (_event, ctx) => reconstruct(ctx));

	const add = (text: string, ctx: ExtensionContext) => {
		const todo = { id: todos.length + 1, text };
		pi.appendEntry("todo", todo);
		todos.push(todo);
		ctx.ui.setStatus("todo", ctx.ui.theme.fg("accent", `${todos.length} todos`));
	};

	pi.registerTool({
		name: "todo",
		label: "Todo",
		description: "Manages a list of things to do",
		parameters: Parameters,
		async execute(_toolCallId, params, _signal, onUpdate, ctx) {
			if (!Check(Parameters, params)) throw new Error("invalid parameters");
			onUpdate?.({ content: [{ type: "text", text: "working" }], details: undefined });
			if (params.action === "add") add(params.text ?? "", ctx);
			return { content: [{ type: "text", text: describe(todos) }], details: { todos } };
		},
		renderCall: (args, theme) => new Text(theme.fg("toolTitle", `todo ${args.action}`), 0, 0),
	});

	pi.registerCommand("todo", {
		description: "Adds something to do",
		handler: async (args, ctx) => {
			add(args, ctx);
			ctx.ui.notify(describe(todos), "info");
		},
	});

	pi.registerCommand("todos", {
		description: "Picks something to do",
		handler: async (_args, ctx) => {
			const items: SelectItem[] = todos.map(({ id, text }) => ({ value: String(id), label: text }));
			const picked = await ctx.ui.custom<string | null>((tui, theme, _keybindings, done) => {
				const container = new Container();
				container.addChild(new DynamicBorder((text) => theme.fg("accent", text)));
				container.addChild(new Text(theme.bold("What next?"), 1, 0));
				const list = new SelectList(items, 5, getSelectListTheme());
				list.onSelect = (item) => done(item.value);
				list.onCancel = () => done(null);
				container.addChild(list);
				return {
					render: (width) => container.render(width),
					invalidate: () => container.invalidate(),
					handleInput: (data) => {
						list.handleInput(data);
						tui.requestRender();
					},
				};
			});
			ctx.ui.notify(`picked ${picked ?? "nothing"}`, "info");
		},
	});
}
