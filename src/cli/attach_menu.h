// The menu of `holdfast attach`: one line at the bottom, or a list of terminals to switch to. It
// knows keys and text; whoever has it draws it and does what is chosen.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/attach_target.h"
#include "cli/key_press.h"
#include "cli/outer_sequences.h"

namespace cli {

class AttachMenu {
 public:
  enum class Item : std::uint8_t {
    open,
    close,
    detach,
    list,       // Get the terminals, and give them to `show_list`.
    create,     // A new terminal, and switch to it.
    read_only,  // On or off.
    quote,      // Type the key that opens the menu.
    go,         // Switch to `chosen`.
  };

  // A terminal to switch to. The texts may come from programs.
  struct Entry {
    AttachTarget target;
    std::string program;
    bool is_current = false;
    bool is_restorable = false;
  };

  // What the line says about where one is.
  struct Place {
    std::string label;
    std::string key;  // What opens the menu, in words.
    bool is_read_only = false;
  };

  // Which item a letter stands for.
  [[nodiscard]] static std::optional<Item> item_of(const Key& key);

  explicit AttachMenu(std::optional<Key> opened_by) : opened_by_(opened_by) {}

  void open() { is_open_ = true; }
  void close() { *this = AttachMenu(opened_by_); }
  [[nodiscard]] bool is_open() const { return is_open_; }
  // These open it if needed. A message stays until a key is pressed, which closes the menu.
  void say(std::string message);
  void show_list(std::vector<Entry> entries);

  // Takes keys from the front of what was typed while the menu is open, up to one that asks for
  // something. What is left then may be the beginning of a sequence, or the Escape key alone. If
  // nothing more comes, `take_rest` says what it was.
  [[nodiscard]] std::optional<Item> take(std::string& typed);
  [[nodiscard]] std::optional<Item> take_rest(std::string& typed);
  // After Item::go.
  [[nodiscard]] const Entry& chosen() const { return entries_[selected_]; }

  // The lines to show at the bottom, as many as fit.
  [[nodiscard]] Cover picture(OuterSize size, const Place& place) const;

 private:
  [[nodiscard]] std::optional<Item> press(const Press& press);
  [[nodiscard]] std::optional<Item> press_in_list(const Key& key);
  [[nodiscard]] std::optional<Item> choose(std::size_t number);
  void move(long by);

  std::optional<Key> opened_by_;
  bool is_open_ = false;
  bool is_pasting_ = false;  // Nothing in a paste is a key.
  std::string message_;
  std::vector<Entry> entries_;  // Empty: no list is shown.
  std::size_t selected_ = 0;
  std::size_t number_ = 0;  // What was typed of the number of an entry.
};

}  // namespace cli
