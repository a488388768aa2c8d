// Checks of what people see.

import assert from "node:assert/strict";

const prompt = "ready>";

// Types a command into the visible tab, which proves that it is alive.
export async function answers(page, mark = "alive") {
  await page.prompted();
  page.type(`echo ${mark}$((6*7))\r`);
  await page.sees(new RegExp(`^${mark}42$`));
}

// The visible tab has, from its first line: each command after a prompt, with its output; then what
// is typed now; and the cursor after the next prompt. No line is missing or repeated.
export async function showsAll(page, ...programs) {
  const expected = programs.flatMap(({ command, output }) => [`${prompt} ${command}`, ...output]);
  expected.push(`${prompt} echo mark$((6*7))`, "mark42", prompt);
  // People type only after the tab is laid out.
  await page.settled();
  await page.prompted();
  page.type("echo mark$((6*7))\r");
  await page.prompted("mark42");
  await page.settled();
  const { screen } = page;
  same(screen.lines(), expected);
  assert.equal(screen.beforeCursor, `${prompt} `, "the cursor stands behind the prompt");
  assert.equal(screen.belowCursor, 0, "nothing stands below the prompt");
}

// Reports only the lines that differ.
export function same(lines, expected) {
  if (lines.length === expected.length && lines.every((line, index) => line === expected[index])) return;
  const at = lines.findIndex((line, index) => line !== expected[index]);
  const first = at < 0 ? lines.length : at;
  const excerpt = (all) => all.slice(Math.max(0, first - 2), first + 6).map((line) => `    ${line}`);
  const missing = expected.filter((line) => !lines.includes(line));
  const doubled = lines.filter((line, index) => expected.includes(line) && line !== prompt && lines.indexOf(line) !== index);
  assert.fail(
    [
      `the buffer has ${lines.length} lines instead of ${expected.length}, and differs from line ${first + 1} on:`,
      ...excerpt(lines),
      "  instead of",
      ...excerpt(expected),
      `  missing: ${missing.slice(0, 5).join(", ") || "none"}${missing.length > 5 ? ` and ${missing.length - 5} more` : ""}`,
      `  twice: ${doubled.slice(0, 5).join(", ") || "none"}`,
    ].join("\n"),
  );
}

// Every tab has its name and place, and accepts input.
export async function allAlive(page, names) {
  await page.connected(names.length);
  assert.deepEqual(page.names, names, "names and order");
  for (const [index, tab] of page.tabs.entries()) {
    page.show(tab);
    await answers(page, `tab${index}-`);
  }
}
