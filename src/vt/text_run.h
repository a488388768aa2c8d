// Text beyond ASCII into cells: decoding, widths and storing in one loop.

#pragma once

#include <cstddef>
#include <cstdint>

#include "vt/cell.h"
#include "vt/utf8.h"
#include "vt/width.h"

namespace vt {

// Writes characters that take columns into cells, as long as they need nothing else.
class TextRun {
 public:
  using Byte = unsigned char;

  TextRun(const Byte* begin, const Byte* end, Cell* cells, Cell* cells_end, StyleId style)
      : p_(begin), end_(end), cell_(cells), cells_end_(cells_end), style_(style) {}

  // Stops before a character that has no width, does not fit, is incomplete or is malformed, and
  // inside a long run of ASCII, which is written faster elsewhere.
  void write() {
    while (end_ - p_ >= 4 && cells_end_ - cell_ >= 2 && ascii_ < kLongAscii && step()) {
    }
    while (p_ < end_ && ascii_ < kLongAscii && careful_step()) {
    }
  }
  [[nodiscard]] const Byte* position() const { return p_; }
  [[nodiscard]] const Cell* cell() const { return cell_; }

 private:
  static constexpr int kLongAscii = 16;

  static bool is_tail(Byte byte) { return (byte & 0xc0) == 0x80; }

  void put(char32_t code, std::size_t length) {
    *cell_++ = Cell::character(code, Width::one, style_);
    p_ += length;
  }
  void put_wide(char32_t code, std::size_t length) {
    cell_[0] = Cell::character(code, Width::two, style_);
    cell_[1] = Cell::spacer(style_);
    cell_ += 2;
    p_ += length;
  }

  // Writes one character, if four bytes and two cells are available. False if it needs more care.
  bool step() {
    const Byte lead = p_[0];
    if (lead < 0x80) {
      if (lead < 0x20 || lead == 0x7f) return false;
      put(lead, 1);
      ++ascii_;
      return true;
    }
    ascii_ = 0;
    if (lead < 0xe0) {
      const char32_t code = (lead & 0x1f) << 6 | (p_[1] & 0x3f);
      // No character of two bytes is wide.
      if (lead < 0xc2 || !is_tail(p_[1]) || width_of(code) != Width::one) return false;
      put(code, 2);
      return true;
    }
    char32_t code = 0;
    const std::size_t length = decode_printable(p_, end_, code);
    return length != 0 && put_any(code, length);
  }

  bool careful_step() {
    char32_t code = 0;
    const std::size_t length = decode_printable(p_, end_, code);
    if (length == 0 || cells_end_ - cell_ < static_cast<int>(width_of(code))) return false;
    ascii_ = length == 1 ? ascii_ + 1 : 0;
    return put_any(code, length);
  }

  bool put_any(char32_t code, std::size_t length) {
    const Width width = width_of(code);
    if (width == Width::zero) return false;
    if (width == Width::two) {
      put_wide(code, length);
    } else {
      put(code, length);
    }
    return true;
  }

  const Byte* p_;
  const Byte* end_;
  Cell* cell_;
  Cell* cells_end_;
  StyleId style_;
  int ascii_ = 0;
};

}  // namespace vt
