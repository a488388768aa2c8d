// axe, and what it finds in a page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

// The page's policy forbids scripts that it does not know, so this one comes from outside.
export async function bringAxe(page) {
  await page.page.evaluate(readFileSync(axe, "utf8"));
}

// What axe finds serious or critical, as text to read.
export async function findings(page, view) {
  await page.drawn();
  return await page.page.evaluate(async (view) => {
    // xterm.js draws the terminal; the page is what is around it.
    const { violations } = await globalThis.axe.run({ exclude: [".xterm"] }, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${view}: ${id}: ${target.join(" ")}: ${failureSummary.replace(/\s+/g, " ")}`));
  }, view);
}

export const themes = ["light", "dark", "contrast"];

export const choose = (theme) => (context) => context.addInitScript((theme) => localStorage.setItem("holdfast:preferences", JSON.stringify({ theme })), theme);
