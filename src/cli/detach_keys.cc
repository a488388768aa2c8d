#include "cli/detach_keys.h"

#include <utility>

namespace cli {
namespace {

base::Error not_keys(std::string_view text) {
  return {.code = base::Code::invalid_argument,
          .what = "cannot read the detach keys \"" + std::string(text) + "\"",
          .advice =
              "Use none, a control key such as C-\\, or a control key and another key, such "
              "as \"C-x d\"."};
}

std::string in_words(const Key& key) {
  return (key.is_control ? "Ctrl-" : "") + std::string(1, static_cast<char>(key.code));
}

}  // namespace

std::optional<Key> DetachKeys::parse_key(std::string_view word) {
  const auto is_key = [](char key) { return key > ' ' && key <= '~'; };
  if (word.size() == 1 && is_key(word[0]))
    return Key{.code = static_cast<unsigned char>(word[0]), .is_control = false};
  if (word.size() != 3 || !word.starts_with("C-")) return std::nullopt;
  char key = word[2];
  if (key >= 'A' && key <= 'Z') key = static_cast<char>(key + 0x20);
  // C-[ is Escape, which begins the sequences of other keys.
  const bool has_byte = (key >= 'a' && key <= 'z') || key == '@' || (key >= '\\' && key <= '_');
  if (!has_byte) return std::nullopt;
  return Key{.code = static_cast<unsigned char>(key), .is_control = true};
}

base::Result<DetachKeys> DetachKeys::parse(std::string_view text) {
  DetachKeys keys;
  if (text == "none") return keys;
  const std::size_t space = text.find(' ');
  keys.first_ = parse_key(text.substr(0, space));
  if (!keys.first_ || !keys.first_->is_control) return base::fail(not_keys(text));
  if (space == std::string_view::npos) return keys;
  keys.second_ = parse_key(text.substr(space + 1));
  if (!keys.second_) return base::fail(not_keys(text));
  return keys;
}

std::optional<AttachMenu::Item> DetachKeys::asked_by(const Key& second) const {
  return second == second_ ? AttachMenu::Item::detach : AttachMenu::item_of(second);
}

DetachKeys::Typed DetachKeys::take(std::string_view bytes) {
  Typed typed;
  while (!bytes.empty()) {
    Press press = first_press(bytes);
    if (press.length == 0) press.length = bytes.size();  // No key of ours is that short.
    const std::string_view as_typed = bytes.substr(0, press.length);
    bytes.remove_prefix(press.length);
    typed.after = bytes;
    if (press.is_release || press.is_report) {
      typed.rest += as_typed;
    } else if (!press.key) {
      typed.rest.append(std::exchange(held_, {})).append(as_typed);
    } else if (!held_.empty()) {
      typed.item = asked_by(*press.key);
      if (!typed.item) typed.rest.append(held_).append(as_typed);
      held_.clear();
    } else if (press.key != first_) {
      typed.rest += as_typed;
    } else {
      quoted_ = as_typed;
      if (second_)
        held_ = as_typed;
      else
        typed.item = AttachMenu::Item::open;
    }
    if (typed.item) break;
  }
  return typed;
}

std::string DetachKeys::in_words() const {
  return first_ ? cli::in_words(*first_) : "";
}

std::string DetachKeys::to_detach() const {
  if (!first_) return "";
  return in_words() + " " + (second_ ? cli::in_words(*second_) : "d");
}

}  // namespace cli
