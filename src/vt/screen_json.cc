#include "vt/screen_json.h"

#include <array>

namespace vt {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string color_word(Color color) {
  switch (color.kind()) {
    case Color::Kind::none:
      return "";
    case Color::Kind::ansi:
      return std::to_string(color.value());
    case Color::Kind::indexed:
      return "i" + std::to_string(color.value());
    case Color::Kind::rgb:
      break;
  }
  std::string word = "#";
  for (int shift = 20; shift >= 0; shift -= 4) word += kHexDigits[color.value() >> shift & 15];
  return word;
}

struct FlagWord {
  Style::Flag flag;
  std::string_view word;
};
constexpr std::array<FlagWord, 3> kFlagsBeforeUnderline{{
    {Style::kBold, "bold"},
    {Style::kDim, "dim"},
    {Style::kItalic, "italic"},
}};
constexpr std::array<FlagWord, 6> kFlagsAfterUnderline{{
    {Style::kBlink, "blink"},
    {Style::kInverse, "inverse"},
    {Style::kInvisible, "invisible"},
    {Style::kStrike, "strikethrough"},
    {Style::kOverline, "overline"},
    {Style::kProtected, "protected"},
}};
constexpr std::array<std::string_view, 6> kUnderlines{"",      "single", "double",
                                                      "curly", "dotted", "dashed"};

// What adjacent cells must share to be one run.
struct RunKind {
  enum class Content : std::uint8_t { empty, text, grapheme };
  Content content = Content::empty;
  Width width = Width::one;
  StyleId style = 0;
  friend bool operator==(const RunKind&, const RunKind&) = default;
};

RunKind kind_of(Cell cell) {
  using Content = RunKind::Content;
  const Content content = cell.is_grapheme()   ? Content::grapheme
                          : cell.has_content() ? Content::text
                                               : Content::empty;
  return {.content = content, .width = cell.width(), .style = cell.style};
}

struct Run {
  RunKind kind;
  int end = 0;  // column after it
  int cells = 0;
  std::string text;
};

Run take_run(const Row& row, int x, int cols, const Tables& tables) {
  Run run{.kind = kind_of(row.at(x)), .end = x, .cells = 0, .text = ""};
  do {
    const Cell cell = row.at(run.end);
    tables.append_text(run.text, cell);
    run.end += cell.is_wide() ? 2 : 1;
    ++run.cells;
  } while (run.end < cols && run.kind.content != RunKind::Content::grapheme &&
           kind_of(row.at(run.end)) == run.kind);
  return run;
}

void append_run(std::string& out, const Run& run, const Tables& tables, Links links) {
  out += '[';
  if (run.kind.content == RunKind::Content::empty) {
    out += std::to_string(run.cells);
  } else {
    const bool grapheme = run.kind.content == RunKind::Content::grapheme;
    if (grapheme) out += '[';
    append_json_string(out, run.text);
    if (grapheme) out += ']';
  }
  const Style& style = tables.styles[run.kind.style];
  if (run.kind.style != 0 || run.kind.width != Width::one) {
    out += ',';
    append_json_string(
        out, style_words(style, links == Links::shown ? tables.links[style.link] : Link()));
  }
  if (run.kind.width != Width::one) {
    out += ',';
    out += std::to_string(static_cast<int>(run.kind.width));
  }
  out += ']';
}

}  // namespace

std::string style_words(const Style& style, const Link& link) {
  std::string out;
  const auto word = [&out](std::string_view name, std::string_view value = "") {
    if (!out.empty()) out += ' ';
    (out += name) += value;
  };
  const auto flags = [&](const auto& table) {
    for (const FlagWord& entry : table)
      if ((style.flags & entry.flag) != 0) word(entry.word);
  };
  if (style.fg != Color()) word("fg=", color_word(style.fg));
  if (style.bg != Color()) word("bg=", color_word(style.bg));
  flags(kFlagsBeforeUnderline);
  if (style.underline != Underline::none)
    word("underline=", kUnderlines[static_cast<std::size_t>(style.underline)]);
  if (style.underline_color != Color()) word("ulcolor=", color_word(style.underline_color));
  flags(kFlagsAfterUnderline);
  if (link != Link()) word("link=", link.id + ";" + link.uri);
  return out;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out.append({'\\', c});
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out.append({kHexDigits[static_cast<unsigned char>(c) >> 4], kHexDigits[c & 15]});
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_json_row(std::string& out, const Row& row, int cols, const Tables& tables,
                     Links links) {
  int end = cols;
  while (end > 0 && row.at(end - 1) == Cell()) --end;
  out += row.wrapped ? "[\"wrapped\"" : "[";
  bool first = !row.wrapped;
  for (int x = 0; x < end;) {
    const Run run = take_run(row, x, cols, tables);
    if (!first) out += ',';
    first = false;
    append_run(out, run, tables, links);
    x = run.end;
  }
  out += ']';
}

std::string json(const Screen& screen, const CaptureOptions& options) {
  const State& state = screen.state();
  const auto pair = [](int a, int b) {
    return "[" + std::to_string(a) + "," + std::to_string(b) + "]";
  };
  std::string history;
  std::string rows;
  for_each_row(screen, options, [&](const Row& row, const Tables& tables, bool is_history) {
    std::string& out = is_history ? history : rows;
    if (!out.empty()) out += ',';
    append_json_row(out, row, state.size.cols, tables);
  });
  std::string out = "{\"size\":" + pair(state.size.cols, state.size.rows);
  out += ",\"cursor\":" + pair(state.active().cursor.x, state.active().cursor.y);
  out += state.alternate_active ? ",\"alternate\":true" : ",\"alternate\":false";
  out += ",\"title\":";
  append_json_string(out, state.titles.title);
  out += ",\"history\":[" + history + "],\"screen\":[" + rows + "]}";
  return out;
}

}  // namespace vt
