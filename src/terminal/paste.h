// Text that is pasted rather than typed.
//
// The author of a text chose its bytes, but the person who pastes it has seen only its characters.
// So nothing in it may act as a key: it is written without control characters, and between the
// marks of bracketed paste if the program has asked for them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace terminal {

// The bytes to write for a pasted text. Line ends become CR, as sent by the Enter key. Tabs stay.
// All other controls (C0, DEL, C1) and invalid UTF-8 are left out.
[[nodiscard]] std::string pasted(std::string_view text, bool is_bracketed);

// Collects a paste that arrives in pieces. All of it is pasted, or nothing.
class PasteInPieces {
 public:
  explicit PasteInPieces(std::size_t limit) : limit_(limit) {}

  // Adds a piece for that channel's terminal; `following` bytes are still to come. Returns the
  // whole text after the last piece. Fails once with `too_large` if the text exceeds the limit.
  [[nodiscard]] base::Result<std::optional<std::string>> add(std::uint32_t channel,
                                                             std::string_view piece,
                                                             std::uint64_t following);

 private:
  std::size_t limit_;
  std::uint32_t channel_ = 0;
  std::string text_;
  std::uint64_t following_ = 0;  // 0: no paste is in progress.
  bool is_refused_ = false;
};

}  // namespace terminal
