// Asks before dangerous shell commands, and before leaving a session that holds something. Without
// a yes, nothing happens. The same is true when this code fails or does not run.

import type { ExtensionAPI, SessionContext } from "@holdfast/extension";

import { dangers } from "./dangers.ts";

const decides = { mustDecide: true };

export default function (pi: ExtensionAPI, session: SessionContext) {
  pi.on(
    "user_bash",
    async ({ command, cwd }, ctx) => {
      const found = dangers(command);
      if (found.length === 0) return undefined;
      const agreed = await ctx.ui.confirm(`Run this? It ${found.join(", and ")}.`, `${command}\nin ${cwd}`);
      return agreed ? undefined : { result: { output: "Not run: nobody confirmed it.\n", exitCode: 126 } };
    },
    decides,
  );

  // Other extensions add what they hold to the list. The bus calls listeners synchronously.
  pi.on(
    "session_before_switch",
    async ({ to }, ctx) => {
      const held: string[] = [];
      pi.events.emit("held", held);
      if (held.length === 0) return undefined;
      const agreed = await ctx.ui.confirm(`Leave ${session.name} for ${to}?`, `It still holds: ${held.join(", ")}`);
      return agreed ? undefined : { cancel: true, reason: `${session.name} holds ${held.join(", ")}` };
    },
    decides,
  );
}
