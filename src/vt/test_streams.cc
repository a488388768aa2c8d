#include "vt/test_streams.h"

namespace vt {
namespace {

constexpr std::string_view kWide[] = {"日", "語", "한", "😀", "𠮷", "Ａ"};
constexpr std::string_view kMarks[] = {"\u0301", "\u0308", "\u20dd", "\ufe0f", "\u200d", "\u0e31"};
constexpr std::string_view kOdd[] = {"é", "─", "█", "\u00a0", "\u200b", "ß", "𝕳", "\u00ad"};

std::string number(Random& random, int edge) {
  switch (random.below(8)) {
    case 0:
      return "";
    case 1:
    case 2:
      return std::to_string(std::max(0, edge + random.between(-1, 1)));
    case 3:
      return std::to_string(random.below(edge + 3));
    default:
      return random.one_in(40) ? "2147483647" : std::to_string(random.between(1, 3));
  }
}

std::string csi(const std::string& params, std::string_view final) {
  return "\x1b[" + params + std::string(final);
}

std::string letters(Random& random, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += static_cast<char>('a' + random.below(26));
  return text;
}

std::string text(Random& random, Size size) {
  switch (random.below(8)) {
    case 0:
      return letters(random, size.cols);
    case 1:
      return letters(random, random.between(1, 2 * size.cols + 1));
    case 2:
      return std::string(random.pick(kWide)) + std::string(random.pick(kWide));
    case 3:
      return "e" + std::string(random.pick(kMarks));
    case 4:
      return std::string(random.pick(kMarks));
    case 5:
      return std::string(random.pick(kOdd));
    case 6:
      return std::string(random.pick(kWide)) + std::string(random.pick(kMarks));
    default:
      return letters(random, random.between(1, 3)) + " ";
  }
}

// At or near the right edge, where a wrap is pending or a wide character does not fit.
std::string edge(Random& random, Size size) {
  const std::string at = csi(std::to_string(random.between(1, size.rows)) + ";" +
                                 std::to_string(std::max(1, size.cols - random.below(3))),
                             "H");
  const std::string tail[] = {"x", "xy", std::string(random.pick(kWide)),
                              "x" + std::string(random.pick(kWide)),
                              std::string(random.pick(kWide)) + std::string(random.pick(kMarks))};
  return at + random.pick(tail);
}

std::string color(Random& random) {
  switch (random.below(4)) {
    case 0:
      return ";5;" + std::to_string(random.below(256));
    case 1:
      return ";2;1;2;" + std::to_string(random.below(256));
    case 2:
      return ":5:" + std::to_string(random.below(256));
    default:
      return ":2::9:8:" + std::to_string(random.below(256));
  }
}

std::string sgr(Random& random) {
  static constexpr std::string_view kSimple[] = {"0",  "1",  "2",  "3",   "4",   "5",  "7",
                                                 "8",  "9",  "21", "22",  "24",  "27", "39",
                                                 "49", "53", "55", "4:3", "4:0", "59"};
  static constexpr std::string_view kColored[] = {"38", "48", "58"};
  std::string params;
  for (int n = random.below(3); n >= 0; --n) {
    if (!params.empty()) params += ';';
    const int kind = random.below(3);
    if (kind == 0) params += random.pick(kSimple);
    if (kind == 1)
      params +=
          std::to_string((random.one_in(2) ? 30 : 40) + random.below(8) + 60 * random.below(2));
    if (kind == 2) params += std::string(random.pick(kColored)) + color(random);
  }
  return csi(params, "m");
}

std::string cursor(Random& random, Size size) {
  static constexpr std::string_view kVertical[] = {"A", "B", "E", "F", "d", "e"};
  static constexpr std::string_view kHorizontal[] = {"C", "D", "G", "`", "a"};
  switch (random.below(3)) {
    case 0:
      return csi(number(random, size.rows), random.pick(kVertical));
    case 1:
      return csi(number(random, size.cols), random.pick(kHorizontal));
    default:
      return csi(number(random, size.rows) + ";" + number(random, size.cols), "H");
  }
}

std::string change(Random& random, Size size) {
  static constexpr std::string_view kCells[] = {"@", "P", "X", " @", " A", "'}", "'~", "b"};
  static constexpr std::string_view kRows[] = {"L", "M", "S", "T"};
  static constexpr std::string_view kErase[] = {"J",  "1J",  "2J",  "K",  "1K", "2K",
                                                "?J", "?1J", "?2K", "?K", "?1K"};
  switch (random.below(4)) {
    case 0:
      return csi(number(random, size.cols), random.pick(kCells));
    case 1:
      return csi(number(random, size.rows), random.pick(kRows));
    case 2:
      return random.one_in(12) ? csi("3", "J") : csi("", random.pick(kErase));
    default:
      return text(random, size) + csi(number(random, size.cols), "b");
  }
}

std::string mode(Random& random) {
  static constexpr std::string_view kModes[] = {
      "4",     "20",    "?1",  "?6",    "?6",    "?7",    "?7",    "?45",   "?66",
      "?9",    "?12",   "?25", "?1000", "?1002", "?1003", "?1004", "?1006", "?1016",
      "?2004", "?2026", "?47", "?1047", "?1048", "?1049", "?1049", "?2",    "4"};
  return csi(std::string(random.pick(kModes)), random.one_in(2) ? "h" : "l");
}

std::string margins(Random& random, Size size) {
  const int top = random.between(0, size.rows);
  return csi(std::to_string(top) + ";" + std::to_string(random.between(top, size.rows + 1)), "r");
}

std::string escape(Random& random) {
  static constexpr std::string_view kEscapes[] = {
      "7", "8",  "7",  "8",  "D",  "E",  "M",  "M",  "H",  "=",  ">",  "n",  "o",  "|",  "}",
      "~", "(0", "(0", "(B", ")0", ")A", "*4", "+K", "(=", "%@", "%G", "#8", "(4", "-0", "/A"};
  static constexpr std::string_view kControls[] = {"\n", "\n",       "\r\n",     "\r",
                                                   "\b", "\t",       "\x0e",     "\x0f",
                                                   "\v", "\xc2\x84", "\xc2\x85", "\xc2\x88"};
  if (random.one_in(150))
    return "\x1b"
           "c";
  return random.one_in(2) ? "\x1b" + std::string(random.pick(kEscapes))
                          : std::string(random.pick(kControls));
}

std::string string_command(Random& random) {
  static constexpr std::string_view kCommands[] = {"]0;title",
                                                   "]1;icon",
                                                   "]2;t\xc3\xa9;x",
                                                   "]8;;http://a/",
                                                   "]8;id=q;http://b/;c",
                                                   "]8;;",
                                                   "]8;;",
                                                   "]4;7;#123456",
                                                   "]4;1;rgb:1/2/3;2;#abc",
                                                   "]10;#fff;#000",
                                                   "]12;rgb:ff/00/7f",
                                                   "]104",
                                                   "]104;7",
                                                   "]110",
                                                   "]7;file:///tmp",
                                                   "]133;A",
                                                   "]133;B",
                                                   "]133;C",
                                                   "]133;C;cmdline_url=a%0Ab;aid=1",
                                                   "]133;C;start=77",
                                                   "]133;D;3;start=77",
                                                   "]133;D;;start=78",
                                                   "]133;D;3",
                                                   "]133;D",
                                                   "]52;c;aGk=",
                                                   "]4;3;?",
                                                   "P$qm",
                                                   "P+q544e",
                                                   "_apc",
                                                   "X"};
  return "\x1b" + std::string(random.pick(kCommands)) + (random.one_in(2) ? "\x1b\\" : "\x07");
}

std::string other(Random& random, Size size) {
  static constexpr std::string_view kOthers[] = {
      "!p",  "1\"q", "0\"q", "g",     "3g",        "0 q", "3 q", "7 q",
      "8 q", "22t",  "23t",  "22;1t", "23;2t",     "=5u", ">3u", "<u",
      ">1u", "6n",   "c",    "?1$p",  "1:2:3;4?m", "s",   "u"};
  if (random.one_in(6)) return csi(number(random, size.cols), random.one_in(2) ? "I" : "Z");
  return csi("", random.pick(kOthers));
}

}  // namespace

std::string random_piece(Random& random, Size size) {
  switch (random.below(16)) {
    case 0:
    case 1:
    case 2:
      return text(random, size);
    case 3:
    case 4:
      return edge(random, size);
    case 5:
    case 6:
      return sgr(random);
    case 7:
      return cursor(random, size);
    case 8:
    case 9:
      return change(random, size);
    case 10:
      return mode(random);
    case 11:
      return margins(random, size);
    case 12:
    case 13:
      return escape(random);
    case 14:
      return string_command(random);
    default:
      return other(random, size);
  }
}

Size random_size(Random& random) {
  if (random.one_in(20)) return {.cols = random.between(1, 90), .rows = random.between(1, 30)};
  return {.cols = random.between(1, 9), .rows = random.between(1, 5)};
}

std::string printable(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

}  // namespace vt
