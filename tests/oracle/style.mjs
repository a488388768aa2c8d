// Styles as README.md specifies them, from the bits xterm.js keeps: `fg` and `bg` each hold a colour
// and flags, `extended` holds underline style, underline colour and link.

const COLOUR_MODE = 0x3000000;
const PALETTE_16 = 0x1000000;
const PALETTE_256 = 0x2000000;
const RGB = 0xffffff;

const FG = {
  inverse: 1 << 26,
  bold: 1 << 27,
  underline: 1 << 28,
  blink: 1 << 29,
  invisible: 1 << 30,
  strikethrough: 1 << 31,
};
const BG = { italic: 1 << 26, dim: 1 << 27, extended: 1 << 28, protected: 1 << 29, overline: 1 << 30 };

const UNDERLINES = ["single", "single", "double", "curly", "dotted", "dashed"];
const PLAIN = { _ext: 0, _urlId: 0 };

// What xterm.js shows for a cell whose link it dropped. See known_differences.mjs.
export const LOST_LINK = "link=lost";

export function cellStyle(line, x, links) {
  const fg = line.getFg(x);
  const bg = line.getBg(x);
  if (fg === 0 && bg === 0) return "";
  const extended = (bg & BG.extended && line._extendedAttrs[x]) || PLAIN;
  return words(fg, bg, underlineKind(fg, extended), colour(extended._ext), linkWord(extended, links));
}

export function penStyle({ fg, bg, extended }, links) {
  const applied = bg & BG.extended ? extended : PLAIN;
  return words(fg, bg, underlineKind(fg, applied), colour(extended._ext), linkWord(applied, links));
}

export function savedStyle({ fg, bg }) {
  return words(fg, bg, fg & FG.underline && "underline", "", "");
}

function words(fg, bg, underline, underlineColour, link) {
  const fgColour = colour(fg);
  const bgColour = colour(bg);
  return [
    fgColour && `fg=${fgColour}`,
    bgColour && `bg=${bgColour}`,
    fg & FG.bold && "bold",
    bg & BG.dim && "dim",
    bg & BG.italic && "italic",
    underline,
    underlineColour && `ulcolor=${underlineColour}`,
    fg & FG.blink && "blink",
    fg & FG.inverse && "inverse",
    fg & FG.invisible && "invisible",
    fg & FG.strikethrough && "strikethrough",
    bg & BG.overline && "overline",
    bg & BG.protected && "protected",
    link,
  ]
    .filter(Boolean)
    .join(" ");
}

function colour(bits) {
  switch (bits & COLOUR_MODE) {
    case 0:
      return "";
    case PALETTE_16:
      return String(bits & 0xff);
    case PALETTE_256:
      return `i${bits & 0xff}`;
    default:
      return `#${(bits & RGB).toString(16).padStart(6, "0")}`;
  }
}

// Read from `_ext`: the public accessor claims "dashed" for every linked cell.
function underlineKind(fg, extended) {
  return fg & FG.underline && `underline=${UNDERLINES[(extended._ext >> 26) & 7]}`;
}

function linkWord({ _urlId }, links) {
  if (!_urlId) return "";
  const link = links.getLinkData(_urlId);
  return link ? `link=${link.id ?? ""};${link.uri}` : LOST_LINK;
}
