// The programs in the tabs: how each starts, when it is ready, how it ends, and what it leaves on
// the screen. Commands fit into 80 columns, so that none is wrapped.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "../node/until.mjs";

// A counter writes its lines at once, or with pauses.
export function counter(name, count, { pause } = {}) {
  const command = `for i in $(seq 1 ${count}); do echo "${name} $i."; ${pause ? `sleep ${pause}; ` : ""}done`;
  const output = Array.from({ length: count }, (_, index) => `${name} ${index + 1}.`);
  return { name: `${count} lines`, command, there: output.at(-1), output };
}

// Lines of almost 80 columns, which wrap into eight rows in a tab that is not displayed.
export function wide(count) {
  const command = `for i in $(seq 1 ${count}); do printf 'w %074d.\\n' $i; done`;
  const output = Array.from({ length: count }, (_, index) => `w ${String(index + 1).padStart(74, "0")}.`);
  return { name: `${count} wide lines`, command, there: output.at(-1), output };
}

export const vim = {
  name: "vim",
  command: "vim -n -u NONE -N letter",
  there: /^line 10 of the letter/,
  keys: "12Gocafé, 日本, unsaved\x1b:echo 'chan'.'ged'\r",
  used: /^changed/,
  // The message disappears when the window is resized.
  still: /letter|unsaved/,
  quit: ":q!\r",
  output: [],
};

export const less = {
  name: "less",
  // Its prompt comes last and shows the position.
  command: "echo below the program; seq 1 5000 | less '-Pat %lt'",
  there: /^at 1$/,
  keys: "1000g",
  used: /^at 1000$/,
  quit: "q",
  output: ["below the program"],
};

export const htop = {
  name: "htop",
  command: "htop",
  there: /^F1Help/,
  // The rest keeps changing.
  still: /PID.*USER|F1.*Help/,
  quit: "q",
  output: [],
};

export const tmux = {
  name: "tmux",
  command: "tmux -S tmux-$$ -f tmux.conf",
  there: /^\[0\]/,
  keys: "PS1='in> '; clear; seq 1 12; echo tw''elve\r",
  used: /^in>/,
  quit: "exit\r",
  output: ["[exited]"],
};

export const fullScreen = [vim, less, htop, tmux];

// The files that these programs read, in the shells' initial directory.
export function furnish(home) {
  writeFileSync(join(home, "letter"), Array.from({ length: 200 }, (_, line) => `line ${line + 1} of the letter\n`).join(""));
  writeFileSync(join(home, "tmux.conf"), "set -g status-right ''\nset -g default-command 'bash --norc --noprofile'\nset -g automatic-rename off\n");
}

// Starts it in the visible tab, and waits until it shows something.
export async function start(page, program) {
  page.type(`${program.command}\r`);
  await page.sees(program.there);
  if (program.keys) page.type(program.keys);
  if (program.used) await page.sees(program.used);
  await page.settled();
}

// Ends it. After that, typed text goes to the shell again.
export async function quit(page, program) {
  page.type(program.quit);
  await page.prompted();
}

// What must look the same when the tab is shown again.
export function look(screen, { still = /./ }) {
  return screen.picture().lines.filter((line) => still.test(line));
}

// It looks as before, at once or as soon as it has redrawn itself.
export async function looks(page, program, before) {
  const compare = async () => {
    await page.drawn();
    assert.deepEqual(look(page.screen, program), before);
    return true;
  };
  await until(compare, `${program.name} to look as before`, 5_000);
}
