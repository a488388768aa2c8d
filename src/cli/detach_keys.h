// The keys that detach: found in what a person types, and kept from the program.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cli {

class DetachKeys {
 public:
  inline static constexpr const char* kDefault = "C-\\";

  // Reads `none`, a control key (`C-x`), or a control key and a key that follows it (`C-x d`).
  [[nodiscard]] static base::Result<DetachKeys> parse(std::string_view text);

  struct Typed {
    std::string rest;  // For the program: everything before the keys that detach.
    bool detaches = false;
  };
  // Takes what was typed next. The first of two keys is kept back until the next key is there; if
  // that is another one than expected, both are for the program.
  //
  // A program can make the terminal send keys in other forms (kitty's keyboard protocol, xterm's
  // modifyOtherKeys). The keys are recognised in those too.
  [[nodiscard]] Typed take(std::string_view bytes);

  // How a person would write them: Ctrl-\. Empty if there are none.
  [[nodiscard]] std::string in_words() const;

 private:
  struct Key {
    std::uint32_t code = 0;  // A character: of the control key C-x it is x.
    bool is_control = false;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Press;

  [[nodiscard]] static std::optional<Key> parse_key(std::string_view word);
  [[nodiscard]] static Press first_press(std::string_view bytes);

  std::optional<Key> first_;
  std::optional<Key> second_;
  std::string held_;  // The first key, as it was typed, while the second is awaited.
};

}  // namespace cli
