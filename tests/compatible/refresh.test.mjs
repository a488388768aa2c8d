// A refreshed page shows what was there, in windows of every height and width, and continues from
// there. Until it is laid out, before or after the scrollback arrives, it claims 24 rows and 80
// columns.

import assert from "node:assert/strict";

import { showsAll } from "./checks.mjs";
import { cases, layouts, shared, sizes } from "./fixture.mjs";
import { counter, fullScreen, less, look, looks, quit, start, vim } from "./programs.mjs";
import { Witness } from "./witness.mjs";

const fixture = shared();
const daemon = () => fixture.daemon;
const each = (programs) => layouts.flatMap((layout) => programs.map((program) => ({ ...layout, program, name: `${program.name}, ${layout.name}` })));

const counters = [5, 21, 30, 70, 900].map((count) => counter("n", count));

cases("a refresh keeps every line once, and the prompt behind the last", daemon, each(counters), async (page, { program }) => {
  await start(page, program);
  await page.refresh();
  await page.connected(1);
  await showsAll(page, program);
});

cases("what is no UTF-8 looks after a refresh as it did before", daemon, layouts, async (page) => {
  const latin1 = { command: "printf 'caf\\351 |x\\n'", there: "caf\ufffd |x", output: ["caf\ufffd |x"] };
  await start(page, latin1);
  await page.refresh();
  await page.connected(1);
  await showsAll(page, latin1);
});

cases("output that xterm.js would throw at, or work on for minutes, does not stop a page", daemon, layouts, async (page) => {
  page.type("printf '\\033[99999999S\\033[99999999L\\033[999;999H\\033[1J\\033[H'; echo al''ive\r");
  await page.sees("alive");
  page.type("echo and w''ell\r");
  await page.sees("and well");
});

cases("a refresh while a program counts loses nothing", daemon, layouts, async (page) => {
  const counting = counter("n", 120, { pause: 0.01 });
  page.type(`${counting.command}\r`);
  await page.sees("n 30.");
  await page.refresh();
  await page.sees(counting.there);
  await showsAll(page, counting);
});

cases("a full-screen program looks as it does to someone who never left, and leaves what was below it", daemon, each(fullScreen), async (page, { program }) => {
  const witness = await Witness.of(fixture.daemon, page.active.serverId);
  try {
    await start(page, program);
    const before = look(page.screen, program);
    await page.refresh();
    await page.connected(1);
    await page.settled();
    await witness.agrees(page.screen);
    await looks(page, program, before);
    await quit(page, program);
    await showsAll(page, program);
  } finally {
    witness.close();
  }
});

cases("a refresh after full-screen programs have ended shows the prompt behind their commands", daemon, layouts, async (page) => {
  const before = counter("n", 50);
  await start(page, before);
  for (const program of [vim, less]) {
    await start(page, program);
    await quit(page, program);
  }
  await page.refresh();
  await page.connected(1);
  await showsAll(page, before, vim, less);
});

cases("a command that was typed, and not run yet, stays at its prompt", daemon, layouts, async (page) => {
  const text = "echo a command that is much longer than ten columns";
  const before = counter("n", 40);
  await start(page, before);
  page.type(text);
  await page.sees(text);
  await page.refresh();
  await page.connected(1);
  await page.settled();
  page.type("\r");
  await showsAll(page, before, { command: text, output: [text.slice(5)] });
});

// Its first `resize` for a tab means that it is ready for the output. A terminal of 24x80 is
// answered at once, because such a page looks like one that knows its size.
const told = sizes.filter(({ rows, cols }) => rows !== 24 || cols !== 80);
cases("a page that draws its tabs late misses nothing", daemon, told.map((size) => ({ ...size, fits: "late", name: `${size.rows}x${size.cols}` })), async (page) => {
  const counted = counter("n", 70);
  await start(page, counted);
  await page.refresh();
  await page.connected(1);
  await showsAll(page, counted);
});

// A mode that no program has set is up to the page.
cases("the cursor blinks on after a refresh, as the page had it", daemon, layouts.slice(0, 2), async (page) => {
  await page.refresh();
  await page.connected(1);
  await showsAll(page);
  assert.ok(page.screen.blinks);
});
