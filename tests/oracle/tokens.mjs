// A stream as a list of tokens that can be left out one by one: escape sequences, characters, resizes,
// and the cut.

import { Buffer } from "node:buffer";

const SEQUENCE = new RegExp(
  [
    /\x1b\[[0-?]*[ -/]*[@-~]/, // CSI
    /\x1b[\]P_^X][^\x07\x1b\x18\x1a]*(?:\x07|\x1b\\)/, // strings
    /\x1b[ -/]*[0-~]/, // other escapes
    /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/, // UTF-8
    /[^]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

export const CUT = "cut";

export function tokensOf({ head, rest, isCut }) {
  return [...head.events.flatMap(eventTokens), ...(isCut ? [CUT] : []), ...rest.flatMap(eventTokens)];
}

function eventTokens(event) {
  return event.output ? (Buffer.from(event.output).toString("latin1").match(SEQUENCE) ?? []) : [event];
}

// {events, position}: the position of the cut, undefined without one.
export function eventsOf(tokens) {
  const events = [];
  let position = 0;
  let cut;
  for (const token of tokens) {
    if (token === CUT) cut = position;
    else if (typeof token === "string") position += appendOutput(events, token);
    else events.push(token);
  }
  return { events, position: cut };
}

function appendOutput(events, token) {
  const bytes = Buffer.from(token, "latin1");
  const last = events.at(-1);
  if (last?.output) last.output = Buffer.concat([last.output, bytes]);
  else events.push({ output: bytes });
  return bytes.length;
}

// For people: bytes as a C string, resizes and the cut in brackets.
export function describeTokens(tokens) {
  return tokens
    .map((token) =>
      token === CUT
        ? " ⟨cut⟩ "
        : typeof token === "string"
          ? escapeBytes(token)
          : ` ⟨resize ${token.cols}x${token.rows}⟩ `,
    )
    .join("");
}

function escapeBytes(token) {
  const text = Buffer.from(token, "latin1").toString("utf8");
  const printable = text.includes("\ufffd") ? token : text;
  return [...printable]
    .map((character) => (isPrintable(character) ? character : escapeCharacter(character)))
    .join("");
}

const isPrintable = (character) => /^[\p{L}\p{N}\p{P}\p{S} ]$/u.test(character) && character !== "\\";

function escapeCharacter(character) {
  const names = {
    "\x1b": "\\e",
    "\r": "\\r",
    "\n": "\\n",
    "\t": "\\t",
    "\b": "\\b",
    "\x07": "\\a",
    "\\": "\\\\",
  };
  const code = character.codePointAt(0);
  return (
    names[character] ??
    (code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`)
  );
}
