// Plain JavaScript: asks before what is dangerous, and shows what it has seen.

import { isToolCallEventType } from "@mariozechner/pi-coding-agent";

export default function (pi) {
  const seen = [];
  pi.on("tool_call", async (event, ctx) => {
    if (!isToolCallEventType("bash", event)) return undefined;
    return (await ctx.ui.confirm("Sure?", event.input.command)) ? undefined : { block: true, reason: "refused" };
  });
  for (const name of ["turn_start", "turn_end", "agent_end", "before_agent_start", "input"]) pi.on(name, () => seen.push(name));
  pi.registerShortcut("ctrl+alt+g", { description: "Shows what was seen", handler: (ctx) => ctx.ui.notify(`seen ${seen.length}`, "info") });
  pi.registerCommand("write", {
    handler: async (args, ctx) => ctx.ui.notify(`wrote ${JSON.stringify(await ctx.ui.editor("Write something", args))}`, "info"),
  });
  pi.registerCommand("ask", {
    handler: async (args, ctx) => {
      const name = await ctx.ui.input(`Name of ${args}?`, "a name");
      const kind = await ctx.ui.select(`Kind of ${args}?`, ["small", "large"]);
      pi.setSessionName(`${name} (${kind})`);
      ctx.ui.notify(pi.getSessionName(), "info");
    },
  });
}
