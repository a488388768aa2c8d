// A terminal's answer to a query.
//
// An answer is typed into the program's input. If the program is gone, a shell reads it, so it must
// never repeat printed text verbatim. A reply has no way to append text. It is made of
// - words, known at compile time, of ESC and printable ASCII;
// - numbers, in decimal digits;
// - bytes, as pairs of hexadecimal digits;
// - colours and styles, as digits and separators.
// So ESC is the only control in a reply, and only where a word has it.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vt/cell.h"

namespace vt {

class Reply {
 public:
  // Can only be made from a literal.
  class Word {
   public:
    // NOLINTNEXTLINE(google-explicit-constructor): literals are written where words are taken.
    consteval Word(const char* literal) : text_(literal) {
      for (const char c : text_)
        if (c != '\x1b' && (c < ' ' || c > '~')) throw "a control in a word of a reply";
    }
    [[nodiscard]] std::string_view text() const { return text_; }

   private:
    std::string_view text_;
  };

  Reply& word(Word word);
  Reply& number(int value);  // 0 if it is negative
  Reply& hex(std::string_view bytes);
  Reply& color(std::uint32_t rgb);   // rgb:rrrr/gggg/bbbb
  Reply& style(const Style& style);  // the parameters of SGR

  [[nodiscard]] std::string_view text() const { return text_; }
  void clear() { text_.clear(); }

 private:
  std::string text_;
};

}  // namespace vt
