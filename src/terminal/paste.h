// Text that is pasted rather than typed.
//
// Whoever made a text chose its bytes; whoever pastes it has seen only its characters. So nothing
// of it may act as a key: it is written without controls, and between the marks of bracketed paste
// if the program has asked for them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace terminal {

// What is typed for a pasted text. Line ends become CR, as the Enter key sends it; tabs stay; every
// other control (C0, DEL, C1) and what is not UTF-8 is left out.
[[nodiscard]] std::string pasted(std::string_view text, bool is_bracketed);

// A paste on its way, in pieces. All of it is pasted or nothing.
class PasteInPieces {
 public:
  explicit PasteInPieces(std::size_t limit) : limit_(limit) {}

  // The next piece, for the terminal of that channel, and how many bytes follow it. The whole text
  // if it was the last one; `too_large` once if the text is beyond the limit.
  [[nodiscard]] base::Result<std::optional<std::string>> add(std::uint32_t channel,
                                                             std::string_view piece,
                                                             std::uint64_t following);

 private:
  std::size_t limit_;
  std::uint32_t channel_ = 0;
  std::string text_;
  std::uint64_t following_ = 0;  // 0: none is on its way.
  bool is_refused_ = false;
};

}  // namespace terminal
