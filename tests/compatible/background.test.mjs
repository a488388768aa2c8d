// A background tab is not displayed, so its layout is 5 rows by 10 columns, which the page keeps
// sending to the daemon. This must not harm the program or the history: when shown again, the tab
// is as it was.

import { showsAll } from "./checks.mjs";
import { cases, layouts, shared, sizes } from "./fixture.mjs";
import { counter, fullScreen, look, looks, quit, start, wide } from "./programs.mjs";
import { Witness } from "./witness.mjs";

const fixture = shared();
const daemon = () => fixture.daemon;
const named = sizes.map((size) => ({ ...size, name: `${size.rows}x${size.cols}` }));
const each = (all, programs) => all.flatMap((one) => programs.map((program) => ({ ...one, program, name: `${program.name}, ${one.name}` })));
const outputs = [counter("n", 30), counter("n", 300), wide(900)];

cases("a tab that was in the background has every line", daemon, each(named, outputs), async (page, { program }) => {
  const [tab] = page.tabs;
  await start(page, program);
  await page.newTab();
  await page.settled();
  page.show(tab);
  await page.settled();
  await showsAll(page, program);
});

cases("a tab that was in the background while the page was refreshed has every line", daemon, each(layouts, outputs), async (page, { program }) => {
  await start(page, program);
  await page.newTab();
  await page.refresh();
  await page.connected(2);
  await page.settled();
  page.show(page.tabs[0]);
  await page.settled();
  await showsAll(page, program);
});

cases("a tab whose program counts on in the background has every line", daemon, layouts, async (page) => {
  const counting = counter("n", 120, { pause: 0.01 });
  const witness = await Witness.of(fixture.daemon, page.active.serverId);
  try {
    page.type(`${counting.command}\r`);
    await page.sees("n 10.");
    await page.newTab();
    await page.settled();
    await page.refresh();
    await page.connected(2);
    await page.sees(counting.there, witness.screen);
    page.show(page.tabs[0]);
    await page.settled();
    await showsAll(page, counting);
  } finally {
    witness.close();
  }
});

// xterm.js does not unwrap the line with the cursor.
cases("a command that was typed, and not run yet, is as it was when its tab is shown again", daemon, named, async (page) => {
  const text = "echo a command that is much longer than ten columns";
  const [tab] = page.tabs;
  page.type(text);
  await page.sees(text);
  await page.newTab();
  await page.settled();
  page.show(tab);
  await page.settled();
  page.type("\r");
  await showsAll(page, { command: text, output: [text.slice(5)] });
});

cases("a full-screen program in the background looks as it did, and leaves what was below it", daemon, each(layouts, fullScreen), async (page, { program }) => {
  const witness = await Witness.of(fixture.daemon, page.active.serverId);
  try {
    await start(page, program);
    const before = look(page.screen, program);
    await page.newTab();
    await page.refresh();
    await page.connected(2);
    await page.settled();
    page.show(page.tabs[0]);
    await page.settled();
    await witness.agrees(page.screen);
    await looks(page, program, before);
    await quit(page, program);
    await showsAll(page, program);
  } finally {
    witness.close();
  }
});
