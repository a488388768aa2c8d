#include "cli/attach_menu.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/printable.h"

namespace cli {
namespace {

constexpr long kPage = 10;

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t taken = characters(text);
  if (taken < width) text.append(width - taken, ' ');
  return text;
}

std::string right(std::size_t number, std::size_t width) {
  const std::string text = std::to_string(number);
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string line_of_items(const AttachMenu::Place& place) {
  return "d detach   s switch   n new   r read-only " +
         std::string(place.is_read_only ? "off" : "on") + "   q send " + place.key +
         "   Esc back   " + base::printable(place.label);
}

}  // namespace

std::optional<AttachMenu::Item> AttachMenu::item_of(const Key& key) {
  constexpr std::array<std::pair<char, Item>, 6> kLetters{{{'d', Item::detach},
                                                           {'s', Item::list},
                                                           {'l', Item::list},
                                                           {'n', Item::create},
                                                           {'r', Item::read_only},
                                                           {'q', Item::quote}}};
  if (key.is_control) return std::nullopt;
  for (const auto& [letter, item] : kLetters)
    if (key.code == static_cast<unsigned char>(letter)) return item;
  return std::nullopt;
}

void AttachMenu::say(std::string message) {
  is_open_ = true;
  message_ = std::move(message);
}

void AttachMenu::show_list(std::vector<Entry> entries) {
  if (entries.empty()) return say("There is no terminal to switch to. Press any key.");
  is_open_ = true;
  entries_ = std::move(entries);
  const auto current = std::ranges::find(entries_, true, &Entry::is_current);
  selected_ = current == entries_.end() ? 0 : static_cast<std::size_t>(current - entries_.begin());
}

std::optional<AttachMenu::Item> AttachMenu::take(std::string& typed) {
  while (!typed.empty() && is_open_) {
    const Press next = first_press(typed);
    if (next.length == 0) return std::nullopt;
    typed.erase(0, next.length);
    if (const auto item = press(next)) return item;
  }
  return std::nullopt;
}

std::optional<AttachMenu::Item> AttachMenu::take_rest(std::string& typed) {
  const bool is_escape = typed == "\x1b" && !is_pasting_;
  typed.clear();
  return is_escape ? std::optional(Item::close) : std::nullopt;
}

std::optional<AttachMenu::Item> AttachMenu::press(const Press& press) {
  if (press.paste != Press::Paste::no) is_pasting_ = press.paste == Press::Paste::begins;
  if (press.paste != Press::Paste::no || is_pasting_ || press.is_release || press.is_report)
    return std::nullopt;
  if (!message_.empty()) return Item::close;
  if (press.key && press.key == opened_by_) return Item::detach;
  if (!entries_.empty()) return press.key ? press_in_list(*press.key) : std::nullopt;
  return press.key ? item_of(*press.key).value_or(Item::close) : Item::close;
}

// Other keys do nothing: a slip must not lose the place in the list.
std::optional<AttachMenu::Item> AttachMenu::press_in_list(const Key& key) {
  const auto is_digit = !key.is_control && key.code >= '0' && key.code <= '9';
  if (is_digit) return choose(10 * number_ + (key.code - '0'));
  number_ = 0;
  if (key.is_enter()) return Item::go;
  if (key.is_control) return std::nullopt;
  switch (key.code) {
    case Key::kEscape:
    case 'q':
      return Item::close;
    case Key::kUp:
    case 'k':
      move(-1);
      break;
    case Key::kDown:
    case 'j':
      move(1);
      break;
    case Key::kPageUp:
      move(-kPage);
      break;
    case Key::kPageDown:
      move(kPage);
      break;
    case Key::kHome:
      selected_ = 0;
      break;
    case Key::kEnd:
      selected_ = entries_.size() - 1;
      break;
    default:
      break;
  }
  return std::nullopt;
}

// A number that may get another digit (1 of 12 entries) only selects; any other switches at once.
std::optional<AttachMenu::Item> AttachMenu::choose(std::size_t number) {
  if (number == 0 || number > entries_.size()) {
    number_ = 0;
    return std::nullopt;
  }
  number_ = number;
  selected_ = number - 1;
  return 10 * number > entries_.size() ? std::optional(Item::go) : std::nullopt;
}

void AttachMenu::move(long by) {
  const auto last = static_cast<long>(entries_.size()) - 1;
  selected_ = static_cast<std::size_t>(std::clamp(static_cast<long>(selected_) + by, 0L, last));
}

Cover AttachMenu::picture(OuterSize size, const Place& place) const {
  Cover cover;
  const std::string text = base::printable(message_);
  if (entries_.empty()) {
    cover.lines.push_back(message_.empty() ? line_of_items(place) : text);
    return cover;
  }
  // The part of the list that fits above the last line, with the selected entry in it.
  const auto room = static_cast<std::size_t>(std::max(size.rows - 1, 1));
  const std::size_t shown = std::min(room, entries_.size());
  const std::size_t first =
      std::min(selected_ - std::min(selected_, shown / 2), entries_.size() - shown);
  std::size_t widest = 0;
  for (const Entry& each : entries_)
    widest = std::max(widest, characters(base::printable(each.target.label)));
  const std::size_t digits = std::to_string(entries_.size()).size();
  for (std::size_t i = first; i < first + shown; ++i) {
    const Entry& each = entries_[i];
    cover.lines.push_back(right(i + 1, digits) + (each.is_current ? " * " : "   ") +
                          padded(base::printable(each.target.label), widest) + "  " +
                          base::printable(each.program) +
                          (each.is_restorable ? "  (not running: starts it again)" : ""));
  }
  cover.selected = selected_ - first;
  if (size.rows > 1)
    cover.lines.push_back(message_.empty()
                              ? "Up, Down and Enter or a number: switch   Esc back   " +
                                    std::to_string(selected_ + 1) + " of " +
                                    std::to_string(entries_.size())
                              : text);
  return cover;
}

}  // namespace cli
