#include "vt/charset.h"

#include <array>
#include <string_view>

namespace vt {
namespace {

struct Replacement {
  std::string_view from;
  std::u32string_view to;
};

constexpr std::array<Replacement, 13> kReplacements{{
    {"", U""},
    {"`abcdefghijklmnopqrstuvwxyz{|}~",
     U"\u25c6\u2592\u2409\u240c\u240d\u240a\u00b0\u00b1\u2424\u240b\u2518\u2510\u250c\u2514\u253c"
     U"\u23ba\u23bb\u2500\u23bc\u23bd\u251c\u2524\u2534\u252c\u2502\u2264\u2265\u03c0\u2260\u00a3"
     U"\u00b7"},
    {"#", U"£"},
    // xterm.js's table has two characters for the Dutch digraph and prints only the first.
    {"#@[\\]{|}~", U"£¾i½|¨f¼´"},
    {"[\\]^`{|}~", U"ÄÖÅÜéäöåü"},
    {"#@[\\]{|}~", U"£à°ç§éùè¨"},
    {"@[\\]^`{|}~", U"àâçêîôéùèû"},
    {"@[\\]{|}~", U"§ÄÖÜäöüß"},
    {"#@[\\]`{|}~", U"£§°çéùàòèì"},
    {"@[\\]^`{|}~", U"ÄÆØÅÜäæøåü"},
    {"#@[\\]{|}", U"£§¡Ñ¿°ñç"},
    {"@[\\]^`{|}~", U"ÉÄÖÅÜéäöåü"},
    {"#@[\\]^_`{|}~", U"ùàéçêîèôäöüû"},
}};

struct Designator {
  char final;
  Charset charset;
};

// Snapshots use the first designator of a set.
constexpr std::array<Designator, 16> kDesignators{{
    {'B', Charset::us},
    {'0', Charset::line_drawing},
    {'A', Charset::british},
    {'4', Charset::dutch},
    {'5', Charset::finnish},
    {'C', Charset::finnish},
    {'R', Charset::french},
    {'Q', Charset::french_canadian},
    {'K', Charset::german},
    {'Y', Charset::italian},
    {'6', Charset::norwegian},
    {'E', Charset::norwegian},
    {'Z', Charset::spanish},
    {'7', Charset::swedish},
    {'H', Charset::swedish},
    {'=', Charset::swiss},
}};

}  // namespace

std::optional<Charset> charset_of(char designator) {
  for (const Designator& entry : kDesignators)
    if (entry.final == designator) return entry.charset;
  return std::nullopt;
}

char designator_of(Charset charset) {
  for (const Designator& entry : kDesignators)
    if (entry.charset == charset) return entry.final;
  return 'B';
}

char32_t translate(Charset charset, char ascii) {
  const Replacement& replacement = kReplacements[static_cast<std::size_t>(charset)];
  const std::size_t at = replacement.from.find(ascii);
  return at == std::string_view::npos ? static_cast<unsigned char>(ascii) : replacement.to[at];
}

std::optional<char> untranslate(Charset charset, char32_t code) {
  for (char ascii = 0x20; ascii < 0x7f; ++ascii)
    if (translate(charset, ascii) == code) return ascii;
  return std::nullopt;
}

}  // namespace vt
