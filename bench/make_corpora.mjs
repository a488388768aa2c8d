// Makes the benchmarks' input for terminals: make_corpora.mjs DIRECTORY [MEGABYTES]
// Four files of 10 MB, the same every time, for a terminal of 80x24:
//   ascii_log.txt       lines of a server's log
//   coloured_build.txt  a compiler's output: SGR colours, carets, a progress line that is redrawn
//   full_screen.txt     an editor and a process viewer: cursor addressing, erasing, scrolling regions
//   unicode.txt         CJK, Cyrillic, accents, combining characters and emoji

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { Random } from "../tests/oracle/random.mjs";

const WORDS = (
  "the request of session a terminal to viewer output was closed opened by user after timeout while " +
  "reading from socket journal offset snapshot and checkpoint failed again retry with status ok " +
  "accepted connection slow"
).split(" ");
const SENTENCES = [
  "日本語の文章は分かち書きをしないので、行の折り返しが難しい。",
  "终端里的每个汉字占两列，所以光标要走两步。",
  "한국어 문장도 두 칸씩 차지합니다.",
  "Съешь ещё этих мягких французских булок, да выпей чаю.",
  "Zażółć gęślą jaźń, où l'été naïf dort à Noël.",
  "e\u0301a\u0300o\u0308n\u0303 decomposed",
  "🎉🚀😀 emoji, 👩‍💻 joined, 👍🏽 toned, ❤️ styled",
  "┌────┬────┐ │ α │ β │ └────┴────┘",
];

const CORPORA = {
  ascii_log: logLine,
  coloured_build: buildLine,
  full_screen: screenUpdate,
  unicode: unicodeLine,
};

const [directory, megabytes = "10"] = process.argv.slice(2);
if (!directory) {
  console.error("usage: make_corpora.mjs DIRECTORY [MEGABYTES]");
  process.exit(2);
}
mkdirSync(directory, { recursive: true });
for (const [name, makePiece] of Object.entries(CORPORA)) {
  writeFileSync(join(directory, `${name}.txt`), makeCorpus(makePiece, Number(megabytes) * 1e6));
}

function makeCorpus(makePiece, length) {
  const random = new Random(1);
  const pieces = [];
  for (let index = 0, size = 0; size < length; index++) {
    const piece = Buffer.from(makePiece(random, index));
    pieces.push(piece);
    size += piece.length;
  }
  return Buffer.concat(pieces);
}

function words(random, count) {
  return Array.from({ length: count }, () => random.pick(WORDS)).join(" ");
}

function logLine(random, index) {
  const time = new Date(Date.UTC(2024, 4, 1) + index * 137).toISOString();
  const level = random.pick(["INFO ", "INFO ", "INFO ", "DEBUG", "WARN ", "ERROR"]);
  const worker = `worker-${random.integer(1, 16)}`;
  const message = words(random, random.integer(4, 18));
  return `${time} ${level} [${worker}] ${message} id=${random.integer(1000, 999999)}\r\n`;
}

function buildLine(random, index) {
  const file = `src/${random.pick(WORDS)}/${random.pick(WORDS)}_${random.pick(WORDS)}.cc`;
  switch (random.integer(0, 5)) {
    case 0:
      return warning(random, file);
    case 1:
      return colouredWords(random);
    case 2:
      return `\r\x1b[K[${"#".repeat(index % 40)}${" ".repeat(39 - (index % 40))}] ${index % 101}%`;
    default:
      return `\r\x1b[K\x1b[32m[${index % 5000}/5000]\x1b[0m Building CXX object \x1b[1m${file}.o\x1b[0m\r\n`;
  }
}

function warning(random, file) {
  const place = `\x1b[1m${file}:${random.integer(1, 900)}:${random.integer(1, 80)}:\x1b[m`;
  const message = `\x1b[1;35mwarning:\x1b[m ${words(random, 6)} [\x1b[1;35m-Wunused\x1b[m]`;
  const caret = " ".repeat(random.integer(2, 40)) + "\x1b[1;32m^~~~~~~\x1b[m";
  return `${place} ${message}\r\n   ${words(random, 8)}\r\n${caret}\r\n`;
}

function colouredWords(random) {
  const indexed = `\x1b[38;5;${random.integer(16, 231)}m${words(random, 3)}\x1b[0m`;
  const direct = `\x1b[48;2;${random.integer(0, 255)};40;80m${words(random, 2)}\x1b[49m`;
  return `${indexed} ${direct}\r\n`;
}

// An editor scrolls a line, or a process viewer redraws its list; now and then a whole screen.
function screenUpdate(random, index) {
  if (index === 0) return "\x1b[?1049h\x1b[?25l\x1b[2J\x1b[H";
  if (index % 50 === 0) return wholeScreen(random);
  return random.chance(0.5) ? scrolledLine(random, index) : processList(random);
}

function wholeScreen(random) {
  const rows = Array.from({ length: 24 }, (_, y) => `\x1b[${y + 1};1H${editorLine(random, y)}`);
  return `\x1b[H${rows.join("")}`;
}

function editorLine(random, y) {
  const number = `\x1b[33m${String(y).padStart(4)} \x1b[m`;
  const keyword = `\x1b[1;34m${random.pick(["return", "if", "for", "const", "auto"])}\x1b[m`;
  const comment = `\x1b[36m// ${random.pick(WORDS)}\x1b[m`;
  return `${number}${keyword} ${words(random, random.integer(1, 8))}; ${comment}\x1b[K`;
}

function scrolledLine(random, index) {
  const line = `\x1b[1;23r\x1b[23;1H\n${editorLine(random, index % 9999)}\x1b[r`;
  const position = `${index},${random.integer(1, 80)}`;
  const status = `\x1b[24;1H\x1b[7m ${random.pick(WORDS)}.cc [+] ${position} \x1b[K\x1b[27m`;
  return `${line}${status}\x1b[${random.integer(1, 22)};${random.integer(1, 80)}H`;
}

function processList(random) {
  let update = "";
  for (let y = 6; y <= 23; y += random.integer(1, 3)) {
    const load = random.integer(0, 1000) / 10;
    const colour = load > 70 ? 31 : load > 30 ? 33 : 32;
    const pid = `\x1b[${colour}m${String(random.integer(1, 99999)).padStart(6)}\x1b[39m`;
    update += `\x1b[${y};1H${pid} user ${load.toFixed(1).padStart(6)} ${words(random, 5)}\x1b[K`;
  }
  return `${update}\x1b[2;6H\x1b[1m${"|".repeat(random.integer(1, 60))}\x1b[m\x1b[K`;
}

function unicodeLine(random) {
  return `${random.pick(SENTENCES)} ${random.pick(SENTENCES)}\r\n`;
}
