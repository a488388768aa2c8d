#include "vt/markup.h"

#include <array>
#include <string_view>

#include "vt/sgr_writer.h"
#include "vt/utf8.h"

namespace vt {
namespace {

// Of one cell in an SVG.
constexpr int kCellWidth = 8;
constexpr int kCellHeight = 17;
constexpr int kBaseline = 13;

// --- text ---

// What no document may have, and what changes the direction of the text around it.
bool is_left_out(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
         code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || (code >= 0xd800 && code <= 0xdfff) ||
         (code & 0xfffe) == 0xfffe || code > 0x10ffff;
}

void append_escaped(std::string& out, char32_t code) {
  if (is_left_out(code)) return;
  switch (code) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\'':
      out += "&#39;";
      return;
    default:
      append_utf8(out, code);
  }
}

void append_escaped(std::string& out, std::string_view utf8) {
  while (!utf8.empty()) {
    const auto lead = static_cast<unsigned char>(utf8.front());
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length > utf8.size()) return;
    constexpr std::array<unsigned, 5> kMask{0, 0x7f, 0x1f, 0x0f, 0x07};
    char32_t code = lead & kMask[length];
    for (std::size_t i = 1; i < length; ++i)
      code = code << 6 | (static_cast<unsigned char>(utf8[i]) & 0x3f);
    append_escaped(out, code);
    utf8.remove_prefix(length);
  }
}

bool is_good_link(std::string_view uri) {
  for (const std::string_view scheme : {"http://", "https://", "mailto:"}) {
    if (uri.size() <= scheme.size()) continue;
    bool is_same = true;
    for (std::size_t i = 0; i < scheme.size(); ++i)
      is_same = is_same && ((uri[i] | 0x20) == scheme[i] || uri[i] == scheme[i]);
    if (is_same) return true;
  }
  return false;
}

// --- looks ---

struct Look {
  std::uint32_t fg = 0;
  std::uint32_t bg = 0;
  bool has_bg = false;
  Style style;
};

class Looks {
 public:
  Looks(const Screen& screen, const Theme& theme)
      : palette_(screen.state().palette), theme_(theme) {}

  [[nodiscard]] std::uint32_t foreground() const {
    return changed(Palette::kForeground, theme_.foreground);
  }
  [[nodiscard]] std::uint32_t background() const {
    return changed(Palette::kBackground, theme_.background);
  }
  [[nodiscard]] Look of(const Style& style) const {
    Look look{.fg = color(style.fg, foreground()),
              .bg = color(style.bg, background()),
              .has_bg = style.bg != Color(),
              .style = style};
    if ((style.flags & Style::kInverse) != 0) {
      std::swap(look.fg, look.bg);
      look.has_bg = true;
    }
    if ((style.flags & Style::kInvisible) != 0) look.fg = look.bg;
    return look;
  }
  [[nodiscard]] std::uint32_t color(Color color, std::uint32_t none) const {
    switch (color.kind()) {
      case Color::Kind::none:
        return none;
      case Color::Kind::ansi:
      case Color::Kind::indexed:
        return changed(static_cast<int>(color.value()), usual(color.value()));
      case Color::Kind::rgb:
        break;
    }
    return color.value();
  }

 private:
  [[nodiscard]] std::uint32_t changed(int index, std::uint32_t otherwise) const {
    const auto found = palette_.changed.find(index);
    return found == palette_.changed.end() ? otherwise : found->second;
  }
  // xterm's palette.
  [[nodiscard]] std::uint32_t usual(std::uint32_t index) const {
    if (index < theme_.ansi.size()) return theme_.ansi[index];
    if (index >= 232) return (8 + 10 * (index - 232)) * 0x010101;
    constexpr std::array<std::uint32_t, 6> kSteps{0, 95, 135, 175, 215, 255};
    const std::uint32_t cube = index - 16;
    return kSteps[cube / 36] << 16 | kSteps[cube / 6 % 6] << 8 | kSteps[cube % 6];
  }

  const Palette& palette_;
  const Theme& theme_;
};

void append_color(std::string& out, std::uint32_t color) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += '#';
  for (int shift = 20; shift >= 0; shift -= 4) out += kDigits[color >> shift & 15];
}

// The parts of a look that HTML and SVG write alike, as CSS.
void append_css(std::string& out, const Look& look, const Looks& looks) {
  const Style& style = look.style;
  if ((style.flags & Style::kBold) != 0) out += ";font-weight:bold";
  if ((style.flags & Style::kItalic) != 0) out += ";font-style:italic";
  if ((style.flags & Style::kDim) != 0) out += ";opacity:.6";
  std::string lines;
  if (style.underline != Underline::none) lines += " underline";
  if ((style.flags & Style::kStrike) != 0) lines += " line-through";
  if ((style.flags & Style::kOverline) != 0) lines += " overline";
  if (lines.empty()) return;
  constexpr std::array<std::string_view, 6> kKinds{"",      "",        " double",
                                                   " wavy", " dotted", " dashed"};
  (out += ";text-decoration:")
      .append(lines, 1)
      .append(kKinds[static_cast<std::size_t>(style.underline)]);
  if (style.underline_color != Color()) {
    out += ' ';
    append_color(out, looks.color(style.underline_color, look.fg));
  }
}

// --- runs ---

// Neighbouring cells of one style. A wide character is a run of its own.
struct Run {
  int x = 0;
  int cols = 0;
  Style style;
  const Link* link = nullptr;
  std::string text;  // Escaped.
};

Run take_run(const Row& row, int x, int end, const Tables& tables) {
  const Cell first = row.at(x);
  Run run{.x = x, .cols = 0, .style = tables.styles[first.style], .link = nullptr, .text = {}};
  if (run.style.link != 0 && is_good_link(tables.links[run.style.link].uri))
    run.link = &tables.links[run.style.link];
  do {
    const Cell cell = row.at(x);
    if (!cell.has_content())
      run.text += ' ';
    else if (cell.is_grapheme())
      append_escaped(run.text, tables.graphemes[cell.content()]);
    else
      append_escaped(run.text, static_cast<char32_t>(cell.content()));
    const int width = cell.is_wide() ? 2 : 1;
    x += width;
    run.cols += width;
    if (width == 2) break;
  } while (x < end && row.at(x).style == first.style && !row.at(x).is_wide() &&
           !row.at(x).is_spacer());
  return run;
}

template <class F>
void for_each_run(const Row& row, int cols, const Tables& tables, F f) {
  int end = cols;
  while (end > 0 && row.at(end - 1) == Cell()) --end;
  for (int x = 0; x < end;) {
    if (row.at(x).is_spacer()) {
      ++x;
      continue;
    }
    const Run run = take_run(row, x, end, tables);
    x += run.cols;
    f(run);
  }
}

void open_link(std::string& out, const Link* link) {
  if (link == nullptr) return;
  out += "<a href=\"";
  append_escaped(out, link->uri);
  out += "\" rel=\"noopener noreferrer\">";
}

void append_html(std::string& out, const Run& run, const Looks& looks) {
  const bool is_plain = run.style == Style() && run.cols != 2;
  open_link(out, run.link);
  if (!is_plain) {
    const Look look = looks.of(run.style);
    out += "<span style=\"color:";
    append_color(out, look.fg);
    if (look.has_bg) {
      out += ";background:";
      append_color(out, look.bg);
    }
    append_css(out, look, looks);
    // A wide character, which fonts make wider or narrower than two others.
    if (run.cols == 2) out += ";display:inline-block;width:2ch";
    out += "\">";
  }
  out += run.text;
  if (!is_plain) out += "</span>";
  if (run.link != nullptr) out += "</a>";
}

void append_svg(std::string& out, const Run& run, int y, const Looks& looks) {
  const auto number = [&out](std::string_view name, int value) {
    (out += ' ').append(name).append("=\"");
    append_number(out, static_cast<unsigned>(value));
    out += '"';
  };
  const Look look = looks.of(run.style);
  if (look.has_bg) {
    out += "<rect";
    number("x", run.x * kCellWidth);
    number("y", y * kCellHeight);
    number("width", run.cols * kCellWidth);
    number("height", kCellHeight);
    out += " fill=\"";
    append_color(out, look.bg);
    out += "\"/>";
  }
  if (run.text.find_first_not_of(' ') == std::string::npos && run.style == run.style.erased())
    return;
  open_link(out, run.link);
  out += "<text";
  number("x", run.x * kCellWidth);
  number("y", y * kCellHeight + kBaseline);
  number("textLength", run.cols * kCellWidth);
  out += " lengthAdjust=\"spacingAndGlyphs\" style=\"fill:";
  append_color(out, look.fg);
  append_css(out, look, looks);
  out += "\">" + run.text + "</text>";
  if (run.link != nullptr) out += "</a>";
}

}  // namespace

std::optional<std::string> html(const Screen& screen, const MarkupOptions& options) {
  const Looks looks(screen, options.theme);
  std::string out =
      "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<title>";
  append_escaped(out, screen.state().titles.title);
  out +=
      "</title>\n<pre style=\"display:inline-block;direction:ltr;unicode-bidi:bidi-override;color:";
  append_color(out, looks.foreground());
  out += ";background:";
  append_color(out, looks.background());
  out += "\">";
  bool fits = true;
  for_each_row(screen, {.history_rows = options.history_rows},
               [&](const Row& row, const Tables& tables, bool /*history*/) {
                 fits = fits && out.size() <= options.most;
                 if (!fits) return;
                 for_each_run(row, screen.size().cols, tables,
                              [&](const Run& run) { append_html(out, run, looks); });
                 out += '\n';
               });
  out += "</pre>\n";
  return fits && out.size() <= options.most ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<std::string> svg(const Screen& screen, const MarkupOptions& options) {
  const Looks looks(screen, options.theme);
  std::string body;
  int y = 0;
  bool fits = true;
  for_each_row(screen, {.history_rows = options.history_rows},
               [&](const Row& row, const Tables& tables, bool /*history*/) {
                 fits = fits && body.size() <= options.most;
                 if (!fits) return;
                 for_each_run(row, screen.size().cols, tables,
                              [&](const Run& run) { append_svg(body, run, y, looks); });
                 ++y;
                 body += '\n';
               });
  if (!fits || body.size() > options.most) return std::nullopt;
  const std::string size = "width=\"" + std::to_string(screen.size().cols * kCellWidth) +
                           "\" height=\"" + std::to_string(y * kCellHeight) + "\"";
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size +
                    " font-family=\"monospace\" font-size=\"13\" xml:space=\"preserve\">\n<title>";
  append_escaped(out, screen.state().titles.title);
  out += "</title>\n<rect " + size + " fill=\"";
  append_color(out, looks.background());
  out += "\"/>\n" + body + "</svg>\n";
  return out;
}

}  // namespace vt
