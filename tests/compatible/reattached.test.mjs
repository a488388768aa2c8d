// Uses and resizes real programs at random. Whoever attaches at any moment sees exactly what
// someone who never left sees, cell by cell, at the same offset of the output.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Native } from "../node/native.mjs";
import { until } from "../node/until.mjs";
import { limit, shared } from "./fixture.mjs";
import { Witness } from "./witness.mjs";

const fixture = shared();
const rounds = process.env.HOLDFAST_SOAK ? 150 : 15;

const app = (name) => fileURLToPath(new URL(`apps/${name}`, import.meta.url));

// How the programs start, and the keys people press in them. None of the keys ends them.
const programs = {
  vim: [["vim", "-n", "-u", "NONE", "-N", "letter"], ["j", "G", "gg", "\x06", "\x02", "ocafé 日本\x1b", ":split\r", ":vsplit\r", "\x17w", "u", "/line\r", ":set number!\r", "zz"]],
  nvim: [["nvim", "-n", "-u", "NONE", "letter"], ["j", "G", "gg", "\x06", "\x02", "ocafé 日本\x1b", ":split\r", ":vsplit\r", "\x17w", "u", "/line\r", ":set number!\r", "zz"]],
  // With split windows, it aborts in a small terminal.
  emacs: [["emacs", "-nw", "-Q", "letter"], ["\x0e", "\x10", "\x16", "\x1bv", "\x18b\r", "\x1bx", "\x07", "café 日本", "\x1f", "\x1b<", "\x1b>", "\x0c"]],
  nano: [["nano", "--restricted", "letter"], ["\x0e", "\x16", "\x19", "café 日本\r", "\x1b6", "\x15", "\x0b", "\x0c", "\x1b\\", "\x1b/"]],
  less: [["less", "letter"], ["j", "k", "d", "u", "G", "g", "/1\r", "n", "-N\r", "-S\r"]],
  mc: [["mc", "-x", "--nosubshell"], ["\t", "\x1b[B", "\x1b[A", "\x0f", "\x0f", "\x12", "\x1b[20~", "\x1b\x1b", "\x15"]],
  htop: [["htop", "--delay=10"], ["\x1b[B", "\x1b[A", "t", "H", "K", "P", "M", "I", "\x1b[6~"]],
  tmux: [["tmux", "-S", "tmux-1", "-f", "tmux.conf"], ["seq 1 30\r", "\x02%", '\x02"', "\x02o", "\x02z", "\x02c", "\x02n", "clear\r", "ls -l --color\r", "\x02 "]],
  fzf: [["sh", "-c", "seq 1 500 | fzf --multi --border --preview 'seq {}'"], ["1", "2", "\x7f", "\x1b[A", "\x1b[B", "\t", "\x15", "\x0b", "\x0a"]],
  whiptail: [["whiptail", "--title", "日本", "--checklist", "choose", "15", "50", "6", "a", "first", "on", "b", "second", "off", "c", "third", "off"], ["\x1b[B", "\x1b[A", " "]],
  textual: [["/usr/bin/python3", app("textual_app.py")], ["b", "\x1b[B", "\x1b[A", "\x1b[6~", "\x1b[5~", "\x1b[<0;30;5M", "\x1b[<0;30;5m", "\x1b[<65;30;5M"]],
  ink: [[process.execPath, app("ink_app.mjs")], ["\x1b[A", "\x1b[B", "+", "+", "-"]],
  bash: [["bash", "--norc", "--noprofile"], ["ls -l --color\r", "seq 1 40\r", "printf '%0200d\\n' 1 2 3\r", "clear\r", "echo \x1b[A", "\x15", "tput smacs; echo lqqk; tput rmacs\r"]],
};

// The same numbers in each run, so that failures can be reproduced.
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// A person at their own terminal.
async function sitDown(client, command, rows, cols) {
  const { terminal } = await client.ask("create", { command, rows, cols, env: { TERM: "xterm-256color", LANG: "C.UTF-8", PS1: "> ", CI: "false" } });
  const { channel } = await client.ask("attach", { terminalId: terminal.terminalId, rows, cols, role: "control" });
  return { id: terminal.terminalId, channel };
}

// A viewer that attaches now sees what the other one sees. If the program keeps drawing, compare
// until both were at the same offset of the output, in the same size.
async function expectAgreement(live, id, what) {
  const look = async () => {
    const fresh = await Witness.of(fixture.daemon, id);
    try {
      await until(() => fresh.offset !== undefined && live.offset >= fresh.offset, "both to be there");
      const pictures = [fresh.screen.picture(), live.screen.picture()];
      return live.offset === fresh.offset && pictures[0].size === pictures[1].size && pictures;
    } finally {
      fresh.close();
    }
  };
  const [fresh, before] = await until(look, `both to be at the same place, ${what}`);
  assert.deepEqual(fresh, before, what);
}

for (const [name, [command, keys]] of Object.entries(programs))
  test(`${name}, used and resized at random`, limit, async () => {
    const random = numbers(name.length * 7919 + rounds);
    const side = () => ({ rows: 5 + random(45), cols: 20 + random(120) });
    const client = await Native.connect(fixture.daemon);
    const { id, channel } = await sitDown(client, command, 24, 80);
    const live = await Witness.of(fixture.daemon, id);
    try {
      await until(() => live.offset > 0, `${name} to draw something`);
      for (let round = 0; round < rounds; ++round) {
        const did = [];
        for (let step = 0; step <= random(4); ++step)
          if (random(3) === 0) {
            const size = side();
            did.push(`${size.rows}x${size.cols}`);
            client.tell("resize", { channel, ...size });
          } else {
            const key = keys[random(keys.length)];
            did.push(JSON.stringify(key));
            client.type(channel, key);
          }
        await client.ask("ping");
        await expectAgreement(live, id, `${name}, round ${round}, after ${did.join(" ")}`);
        assert.deepEqual(client.all("exited"), [], `${name} has ended in round ${round}, after ${did.join(" ")}`);
      }
    } finally {
      live.close();
      await client.ask("close", { terminalId: id });
      client.close();
    }
  });
