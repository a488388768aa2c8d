// The keys by which a person talks to `holdfast attach` itself: found in what is typed, and kept
// from the program.
//
// One control key (C-\) opens the menu. A control key and another one (C-b d) detach; after the
// first of them, the letter of a menu's item does that item.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/attach_menu.h"
#include "cli/key_press.h"

namespace cli {

class DetachKeys {
 public:
  inline static constexpr const char* kDefault = "C-\\";

  // Reads `none`, a control key (`C-x`), or a control key and a key that follows it (`C-x d`).
  [[nodiscard]] static base::Result<DetachKeys> parse(std::string_view text);

  struct Typed {
    std::string rest;                      // For the program: everything before the keys.
    std::optional<AttachMenu::Item> item;  // What the keys ask for, if they were pressed.
    std::string_view after;                // What was typed after them, not looked at yet.
  };
  // Takes what was typed next, up to the keys. The first of two keys is kept back until the next key
  // is there; if that means nothing here, both are for the program.
  [[nodiscard]] Typed take(std::string_view bytes);

  // The key that opens the menu; none if there are two keys, or none.
  [[nodiscard]] std::optional<Key> menu_key() const { return second_ ? std::nullopt : first_; }
  // What the program would have got of the first key when it was last pressed.
  [[nodiscard]] const std::string& quoted() const { return quoted_; }
  // How a person would write the first key: Ctrl-\. Empty if there is none.
  [[nodiscard]] std::string in_words() const;
  // What a person presses to detach: Ctrl-\ d. Empty if there are no such keys.
  [[nodiscard]] std::string to_detach() const;

 private:
  [[nodiscard]] static std::optional<Key> parse_key(std::string_view word);
  [[nodiscard]] std::optional<AttachMenu::Item> asked_by(const Key& second) const;

  std::optional<Key> first_;
  std::optional<Key> second_;
  std::string quoted_;
  std::string held_;  // The first key, as it was typed, while the second is awaited.
};

}  // namespace cli
