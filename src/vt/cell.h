// Cells and styles: what one position of the screen holds. A cell is eight bytes; its style and,
// where it holds several code points, its text are interned in the screen's tables.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>

namespace vt {

// A colour as SGR set it: the kind in the top byte, the palette index or 0xrrggbb below.
class Color {
 public:
  enum class Kind : std::uint8_t { none, ansi, indexed, rgb };

  constexpr Color() = default;
  static constexpr Color ansi(unsigned index) { return Color(Kind::ansi, index & 0xff); }
  static constexpr Color indexed(unsigned index) { return Color(Kind::indexed, index & 0xff); }
  static constexpr Color rgb(unsigned value) { return Color(Kind::rgb, value & 0xffffff); }
  static constexpr Color from_bits(std::uint32_t bits) {
    return Color(static_cast<Kind>((bits >> 24) & 3), bits & 0xffffff);
  }

  [[nodiscard]] constexpr Kind kind() const { return static_cast<Kind>(bits_ >> 24); }
  [[nodiscard]] constexpr std::uint32_t value() const { return bits_ & 0xffffff; }
  [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; }
  friend constexpr bool operator==(Color, Color) = default;

 private:
  constexpr Color(Kind kind, std::uint32_t value)
      : bits_(static_cast<std::uint32_t>(kind) << 24 | value) {}

  std::uint32_t bits_ = 0;
};

enum class Underline : std::uint8_t { none, single, double_line, curly, dotted, dashed };

using LinkId = std::uint32_t;   // 0: no link
using StyleId = std::uint32_t;  // 0: the default style

struct Style {
  enum Flag : std::uint16_t {
    kBold = 1 << 0,
    kDim = 1 << 1,
    kItalic = 1 << 2,
    kBlink = 1 << 3,
    kInverse = 1 << 4,
    kInvisible = 1 << 5,
    kStrike = 1 << 6,
    kOverline = 1 << 7,
    kProtected = 1 << 8,
  };
  static constexpr std::uint16_t kAllFlags = (1 << 9) - 1;

  Color fg;
  Color bg;
  Color underline_color;
  std::uint16_t flags = 0;
  Underline underline = Underline::none;
  std::uint8_t unused = 0;  // no padding, so that cells can be compared as bytes
  LinkId link = 0;

  friend bool operator==(const Style& a, const Style& b) {
    return std::memcmp(&a, &b, sizeof(Style)) == 0;
  }

  // What a printed cell keeps. The underline colour is kept only if something shows it.
  [[nodiscard]] Style on_cell() const {
    Style style = *this;
    if (underline == Underline::none && link == 0) style.underline_color = Color();
    return style;
  }
  // What an erased cell keeps.
  [[nodiscard]] Style erased() const {
    Style style;
    style.bg = bg;
    return style;
  }
};

static_assert(std::has_unique_object_representations_v<Style>);

struct Link {
  std::string id;
  std::string uri;
  friend bool operator==(const Link&, const Link&) = default;
};

enum class Width : std::uint8_t { zero, one, two };

// Content is a code point, or an index into the grapheme table, or nothing. All bits zero is the
// empty cell in the default style, one column wide. A wide character occupies two cells: the first
// has width two, the second is its spacer: width zero and no content.
struct Cell {
  static constexpr std::uint32_t kContentMask = 0x1fffff;
  static constexpr std::uint32_t kGrapheme = 1U << 21;
  static constexpr std::uint32_t kWide = 1U << 22;
  static constexpr std::uint32_t kZero = 1U << 23;

  std::uint32_t bits = 0;
  StyleId style = 0;

  static constexpr Cell empty(StyleId style) { return {0, style}; }
  static constexpr Cell spacer(StyleId style) { return {kZero, style}; }
  static constexpr Cell character(char32_t code, Width width, StyleId style) {
    return {static_cast<std::uint32_t>(code) | width_bits(width), style};
  }
  static constexpr Cell grapheme(std::uint32_t index, Width width, StyleId style) {
    return {index | kGrapheme | width_bits(width), style};
  }

  [[nodiscard]] constexpr bool has_content() const {
    return (bits & (kContentMask | kGrapheme)) != 0;
  }
  [[nodiscard]] constexpr bool is_grapheme() const { return (bits & kGrapheme) != 0; }
  [[nodiscard]] constexpr bool is_wide() const { return (bits & kWide) != 0; }
  [[nodiscard]] constexpr bool is_spacer() const { return bits == kZero; }
  [[nodiscard]] constexpr std::uint32_t content() const { return bits & kContentMask; }
  [[nodiscard]] constexpr Width width() const {
    if (is_wide()) return Width::two;
    return (bits & kZero) != 0 ? Width::zero : Width::one;
  }
  friend constexpr bool operator==(const Cell&, const Cell&) = default;

 private:
  static constexpr std::uint32_t width_bits(Width width) {
    if (width == Width::two) return kWide;
    return width == Width::zero ? kZero : 0;
  }
};
static_assert(sizeof(Cell) == 8);

}  // namespace vt

template <>
struct std::hash<vt::Style> {
  std::size_t operator()(const vt::Style& style) const noexcept {
    std::uint64_t hash = style.fg.bits() * 0x9e3779b97f4a7c15ULL;
    hash = (hash ^ style.bg.bits()) * 0xc2b2ae3d27d4eb4fULL;
    hash = (hash ^ (hash >> 29) ^ style.underline_color.bits()) * 0x165667b19e3779f9ULL;
    hash ^= static_cast<std::uint64_t>(style.flags) << 40 |
            static_cast<std::uint64_t>(style.underline) << 56 | style.link;
    hash *= 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

template <>
struct std::hash<vt::Link> {
  std::size_t operator()(const vt::Link& link) const noexcept {
    return std::hash<std::string>{}(link.uri) * 31 + std::hash<std::string>{}(link.id);
  }
};
