// The families of control sequences that generated streams are made of. A family is a function of
// (random, size) that returns one piece of output as a string of UTF-8 text.

const ESC = "\x1b";
const CSI = "\x1b[";
const OSC = "\x1b]";

const WIDE = [..."日本語漢字한글ＡＢ😀🚀👍🀄𠮷"];
const COMBINING = [..."\u0301\u0308\u0323\u20dd\ufe0f\u200d\u0e31\u1ab0"];
const ODD = [..."é§…─█│ｱ\u00a0\u00ad\u200b\u2060☎✈❤\u{1f1ea}\u{1f1fa}\u{1f3fd}𝕳"];
const DESIGNATORS = [..."0AB45CRQKYE6ZH7="];
const COLOURS = [
  "#f80",
  "#00ff7f",
  "rgb:ff/80/00",
  "rgb:f/0/8",
  "rgb:1234/5678/9abc",
  "#123456789",
  "nonsense",
];

// Small numbers mostly, the ends of the screen often, absurd ones sometimes.
function number(random, edge) {
  const kind = random.next();
  if (kind < 0.15) return "";
  if (kind < 0.55) return String(random.integer(1, 4));
  if (kind < 0.75) return String(Math.max(0, edge + random.integer(-1, 1)));
  if (kind < 0.95) return String(random.integer(0, edge + 3));
  return String(random.pick([0, 99, 300]));
}

const row = (random, { rows }) => number(random, rows);
const column = (random, { cols }) => number(random, cols);
const letters = (random, count) =>
  Array.from({ length: count }, () => String.fromCharCode(random.integer(97, 122))).join("");

function word(random, { cols }) {
  return letters(random, random.pick([1, 1, 2, 3, cols - 1, cols, cols + 1, random.integer(1, 2 * cols)]));
}

function mixedText(random) {
  const pools = [["a", "b", " ", "Z", "~", "`", "q", "#"], WIDE, COMBINING, ODD];
  return Array.from({ length: random.integer(1, 6) }, () => random.pick(random.pick(pools))).join("");
}

// Puts something at or near the right edge, where the wrap is pending or a wide character does not fit.
function edge(random, { cols, rows }) {
  const at = `${CSI}${random.integer(1, rows)};${Math.max(1, cols - random.integer(0, 2))}H`;
  return (
    at +
    random.pick([
      "x",
      "xy",
      "xyz",
      random.pick(WIDE),
      "x" + random.pick(WIDE),
      random.pick(WIDE) + random.pick(COMBINING),
      "x" + random.pick(COMBINING),
    ])
  );
}

function cursor(random, size) {
  return random.pick([
    () => CSI + row(random, size) + random.pick([..."ABEFde"]),
    () => CSI + column(random, size) + random.pick([..."CDG`a"]),
    () => `${CSI}${row(random, size)};${column(random, size)}${random.pick(["H", "f"])}`,
    () => CSI + row(random, size) + "H",
  ])();
}

function erase(random, size) {
  return random.pick([
    () => CSI + random.pick(["", "?"]) + random.pick(["", 0, 1, 2]) + random.pick(["J", "K"]),
    () => CSI + random.pick(["3J", "?3J", "4J", "7K"]),
    () => CSI + column(random, size) + "X",
  ])();
}

function shift(random, size) {
  return random.pick([
    () => CSI + column(random, size) + random.pick(["@", "P", " @", " A", "'}", "'~"]),
    () => CSI + row(random, size) + random.pick(["L", "M", "S", "T"]),
  ])();
}

const scroll = (random) =>
  random.pick([ESC + "D", ESC + "M", ESC + "E", "\n", "\n\n\n", "\r\n", "\u0084", "\u0085"]);

function margins(random, { rows }) {
  if (random.chance(0.2)) return CSI + "r";
  const top = random.integer(0, rows);
  return `${CSI}${top};${random.integer(Math.max(0, top - 1), rows + 1)}r`;
}

const setOrReset = (random, prefix, modes) =>
  `${CSI}${prefix}${random.pick(modes)}${random.pick(["h", "l"])}`;
const screenModes = (random) => setOrReset(random, random.pick(["?", "?", "?", ""]), [4, 6, 6, 7, 7, 20, 45]);
const inputModes = (random) =>
  random.pick([
    () =>
      setOrReset(random, "?", [
        1,
        9,
        12,
        25,
        66,
        1000,
        1002,
        1003,
        1004,
        1006,
        1016,
        2004,
        2026,
        "1;25",
        "1000;1006",
      ]),
    () => random.pick([ESC + "=", ESC + ">"]),
    () => `${CSI}${random.integer(0, 7)} q`,
  ])();

const alternate = (random) => setOrReset(random, "?", [47, 1047, 1048, 1049, 1049]);
const saved = (random) => random.pick([ESC + "7", ESC + "8", CSI + "s", CSI + "u"]);

function colour(random) {
  return random.pick([
    () => `5;${random.integer(0, 255)}`,
    () => `2;${random.integer(0, 255)};${random.integer(0, 255)};${random.integer(0, 255)}`,
    () => `5:${random.integer(0, 255)}`,
    () => `2::${random.integer(0, 255)}:${random.integer(0, 255)}:${random.integer(0, 255)}`,
  ])();
}

function attribute(random) {
  return random.pick([
    () => random.integer(0, 9),
    () => random.pick([21, 22, 23, 24, 25, 27, 28, 29, 39, 49, 53, 55, 59]),
    () => random.pick([30, 40, 90, 100]) + random.integer(0, 7),
    () => `4:${random.integer(0, 5)}`,
    () => {
      const value = colour(random);
      return random.pick([38, 48, 58]) + (value.includes(":") ? ":" : ";") + value;
    },
  ])();
}

const sgr = (random) =>
  `${CSI}${Array.from({ length: random.integer(0, 3) }, () => attribute(random)).join(";")}m`;

const charsets = (random) =>
  random.pick([
    () => ESC + random.pick([..."()*+-./"]) + random.pick(DESIGNATORS),
    () => ESC + "(0",
    () =>
      random.pick([
        "\x0e",
        "\x0f",
        ESC + "n",
        ESC + "o",
        ESC + "|",
        ESC + "}",
        ESC + "~",
        ESC + "%@",
        ESC + "%G",
        CSI + "?2h",
      ]),
  ])();

function tabs(random, size) {
  return random.pick([
    () => "\t",
    () => ESC + "H",
    () => "\u0088",
    () => CSI + random.pick(["", 0, 2, 3]) + "g",
    () => CSI + column(random, size) + random.pick(["I", "Z"]),
  ])();
}

const repeat = (random, size) =>
  random.pick(["a", random.pick(WIDE), "e" + random.pick(COMBINING), ""]) + CSI + column(random, size) + "b";
const protection = (random) => `${CSI}${random.pick(["", 0, 1, 1, 2])}"q`;
const terminator = (random) => random.pick(["\x07", ESC + "\\"]);

function title(random) {
  return random.pick([
    () => `${OSC}${random.integer(0, 2)};${letters(random, random.integer(0, 8))}é;x${terminator(random)}`,
    () => `${CSI}${random.pick([22, 23])}${random.pick(["", ";0", ";1", ";2"])}t`,
  ])();
}

function palette(random) {
  return random.pick([
    () => `${OSC}4;${random.integer(0, 256)};${random.pick(COLOURS)}${terminator(random)}`,
    () => `${OSC}4;1;${random.pick(COLOURS)};2;${random.pick(COLOURS)}${terminator(random)}`,
    () =>
      `${OSC}${random.pick([10, 11, 12])};${random.pick(COLOURS)}${random.pick(["", ";#abc"])}${terminator(random)}`,
    () => `${OSC}${random.pick(["104", "104;1", "104;1;2", "110", "111", "112"])}${terminator(random)}`,
  ])();
}

function link(random) {
  const id = random.pick(["", "", "id=a", "id=b:x=y"]);
  const uri = random.pick(["", "http://example.com/1", "http://example.com/2", "file:///a;b"]);
  return `${OSC}8;${id};${uri}${terminator(random)}`;
}

const resets = (random) => random.pick([CSI + "!p", CSI + "!p", ESC + "#8", ESC + "c"]);
const simple = (random) =>
  random.pick(["\r", "\n", "\b", "\b\b", "\t", "\v", "\f", "\x07", "\0", "\x7f", "\x18", "\x1a"]);

// Queries change nothing on the screen.
const queries = (random) =>
  random.pick([
    CSI + "c",
    CSI + ">c",
    CSI + "5n",
    CSI + "6n",
    CSI + "?6n",
    CSI + "?7$p",
    CSI + "4$p",
    CSI + "18t",
    CSI + "21t",
    `${OSC}10;?\x07`,
    `${OSC}4;1;?\x07`,
    `${ESC}P$qr${ESC}\\`,
    `${ESC}P+q544e${ESC}\\`,
  ]);

// Queries after an unfinished sequence, or with something inside. A bug once let the text after a
// query join what came before it.
function interruptedQueries(random) {
  const begun = random.pick([
    ESC, CSI, CSI + "1;", CSI + "?", CSI + "1 ", CSI + "1?", ESC + "(", OSC + "2;x", OSC + "11;", OSC + "52;c",
    ESC + "P$q", ESC + "Pq", ESC + "_a", "\u009d2;y", "e\u0301", "",
  ]);
  const query = random.pick([
    queries(random), CSI + "6\nn", ESC + "\r[c", CSI + "\x7f6n", `${ESC}\n]11;?\x07`, "\u009b6n",
    `${OSC}4;1;?;2;#123456\x07`, `${OSC}10;#fff;?${ESC}\\`, `${ESC}]11;?`, `${ESC}P$qm`,
  ]);
  return begun + query + random.pick(["c", "[6n", "5H", "\u0301", "m", "\x07", `${ESC}\\`, "text", ""]);
}

// More often than makes a difference, and from the last cell.
function tooMuch(random, { cols, rows }) {
  const count = random.integer(1, 3) * Math.max(cols, rows);
  return random.pick([
    () => `x${random.pick(["", CSI + "1", ESC])}${CSI}${count}${random.pick([..."STLMIZb"])}`,
    () => `${CSI}${count}\n0${random.pick([..."STLMIZ"])}`,
    () => `${CSI}999;999H${random.pick(["", "x"])}${CSI}${random.pick(["", "?"])}1J`,
  ])();
}

// Sequences that are cut off, interrupted, unknown, or too long.
function malformed(random) {
  return random.pick([
    () => CSI + random.integer(0, 99),
    () => ESC,
    () => CSI + "1;2" + random.pick(["\x18", "\x1a", ESC]) + "m",
    () => CSI + "1\n2C",
    () => CSI + "1\x7f2C",
    () =>
      CSI +
      random.pick(["?", ">", "<", "=", "!", "$"]) +
      random.integer(0, 9) +
      random.pick([..."hlmpquvwxyz{|"]),
    () => CSI + Array(40).fill(1).join(";") + "m",
    () => CSI + "1?2h",
    () => CSI + ":3m",
    () => CSI + "2147483648C",
    () => `${ESC}P1;2|payload${ESC}\\`,
    () => `${ESC}_application${ESC}\\`,
    () => `${ESC}^privacy${ESC}\\`,
    () => `${ESC}Xstring${ESC}\\`,
    () => `${OSC}${random.pick(["777;x", "7;file:///x", "52;c;eA==", "133;A"])}${terminator(random)}`,
    () => `${OSC}2;cut off${random.pick(["\x18", "\x1a", ESC + "[m"])}`,
    () => `${OSC}no number${terminator(random)}`,
    () => "\u009b2C" + "\u009d2;c1\u009c" + "\u0090q\u009c",
    () => "\u0080\u0081\u0099\u009c",
  ])();
}

export const FAMILIES = {
  word,
  mixedText,
  edge,
  cursor,
  erase,
  shift,
  scroll,
  margins,
  screenModes,
  inputModes,
  alternate,
  saved,
  sgr,
  charsets,
  tabs,
  repeat,
  protection,
  title,
  palette,
  link,
  resets,
  simple,
  queries,
  interruptedQueries,
  tooMuch,
  malformed,
};
