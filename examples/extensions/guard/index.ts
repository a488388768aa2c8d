// Asks before dangerous shell commands, and before a session is left that holds something.
// Whoever does not answer, or says no, has the command not run and stays. So it is when this code fails or does not run.

import type { ExtensionAPI, SessionContext } from "@holdfast/extension";

import { dangers } from "./dangers.ts";

const decides = { mustDecide: true };

export default function (pi: ExtensionAPI, session: SessionContext) {
  pi.on(
    "user_bash",
    async ({ command, cwd }, ctx) => {
      const found = dangers(command);
      if (found.length === 0) return undefined;
      const agreed = await ctx.ui.confirm(`Really? This ${found.join(", and ")}.`, `${command}\nin ${cwd}`);
      return agreed ? undefined : { result: { output: "Not run: nobody agreed.\n", exitCode: 126 } };
    },
    decides,
  );

  // Other extensions add to the list what they hold; listeners of the bus are called at once.
  pi.on(
    "session_before_switch",
    async ({ to }, ctx) => {
      const held: string[] = [];
      pi.events.emit("held", held);
      if (held.length === 0) return undefined;
      const agreed = await ctx.ui.confirm(`Leave ${session.name} for ${to}?`, `It goes on holding: ${held.join(", ")}`);
      return agreed ? undefined : { cancel: true, reason: `${session.name} holds ${held.join(", ")}` };
    },
    decides,
  );
}
