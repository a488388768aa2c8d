// Operating system commands: titles, links, colours, working directory, prompt marks.

#include <algorithm>
#include <charconv>
#include <optional>

#include "vt/screen.h"
#include "vt/sgr_writer.h"

namespace vt {
namespace {

// Splits off the part before the next `separator`. The rest stays in `text`, which is empty after
// the last part.
std::string_view take_part(std::string_view& text, char separator, bool& more) {
  const std::size_t at = text.find(separator);
  more = at != std::string_view::npos;
  const std::string_view part = text.substr(0, at);
  text = more ? text.substr(at + 1) : std::string_view();
  return part;
}

template <class F>
void for_each_part(std::string_view text, char separator, F f) {
  for (bool more = true; more;) f(take_part(text, separator, more));
}

std::optional<unsigned> parse_number(std::string_view text, int base) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && !text.empty() && text[0] != '-' ? std::optional(value) : std::nullopt;
}

// rgb:r/g/b with one to four digits each, all alike.
std::optional<std::uint32_t> parse_rgb(std::string_view text) {
  std::uint32_t color = 0;
  std::size_t digits = 0;
  int channels = 0;
  bool good = true;
  for_each_part(text, '/', [&](std::string_view part) {
    const std::optional<unsigned> value = parse_number(part, 16);
    if (channels == 0) digits = part.size();
    good = good && value && part.size() == digits && digits <= 4 && ++channels <= 3;
    if (!good) return;
    const unsigned largest = (1U << (4 * digits)) - 1;
    color = color << 8 | (*value * 255 * 2 + largest) / (2 * largest);
  });
  return good && channels == 3 ? std::optional(color) : std::nullopt;
}

// #rgb, #rrggbb, #rrrgggbbb, #rrrrggggbbbb: the high bits of each.
std::optional<std::uint32_t> parse_hash(std::string_view text) {
  const std::size_t digits = text.size() / 3;
  if (text.size() % 3 != 0 || digits < 1 || digits > 4) return std::nullopt;
  std::uint32_t color = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<unsigned> value = parse_number(text.substr(i * digits, digits), 16);
    if (!value) return std::nullopt;
    color = color << 8 | (digits == 1 ? *value << 4 : *value >> (4 * (digits - 2)));
  }
  return color;
}

std::optional<std::uint32_t> parse_color(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  if (lower.starts_with("rgb:")) return parse_rgb(std::string_view(lower).substr(4));
  if (lower.starts_with("#")) return parse_hash(std::string_view(lower).substr(1));
  return std::nullopt;
}

std::optional<int> parse_index(std::string_view text) {
  const std::optional<unsigned> index = parse_number(text, 10);
  return index && *index < 256 ? std::optional(static_cast<int>(*index)) : std::nullopt;
}

std::string_view trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

bool Screen::wants_osc(int command) const {
  static constexpr std::array kKnown{0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 104, 110, 111, 112, 133, 777};
  return std::ranges::binary_search(kKnown, command);
}

void Screen::osc_dispatch(int command, std::string_view text) {
  charge(kSequenceWork + static_cast<std::int64_t>(text.size()));
  Titles& titles = state_.titles;
  state_.preceding = 0;
  but_for_it_ = kNoString;
  switch (command) {
    case 0:
      titles.title = titles.icon = text;
      break;
    case 1:
      titles.icon = text;
      break;
    case 2:
      titles.title = text;
      break;
    case 4:
      change_colors(text);
      break;
    case 7:
      state_.working_directory = text;
      break;
    case 8:
      set_link(text);
      break;
    case 9:
    case 777:
      tell(command, text);
      break;
    case 10:
    case 11:
    case 12:
      change_special_colors(Palette::kForeground + command - 10, text);
      break;
    case 104:
      restore_colors(text);
      break;
    case 110:
    case 111:
    case 112:
      state_.palette.changed.erase(Palette::kForeground + command - 110);
      break;
    case 133:
      prompt_mark(text);
      break;
    default:
      break;
  }
  flush_reply();
  but_for_it_.clear();
}

// A command may set some colours and query others. Viewers get only the ones it sets.
void Screen::change_color(int index, std::uint32_t color) {
  state_.palette.changed[index] = color;
  but_for_it_ += "\x1b]";
  if (index < Palette::kForeground) but_for_it_ += "4;";
  append_number(but_for_it_, static_cast<unsigned>(index < Palette::kForeground
                                                       ? index
                                                       : index - Palette::kForeground + 10));
  but_for_it_ += ";#";
  for (int shift = 20; shift >= 0; shift -= 4)
    but_for_it_ += "0123456789abcdef"[color >> shift & 15];
  but_for_it_ += "\x1b\\";
}

void Screen::change_colors(std::string_view text) {
  for (bool more = true; more;) {
    const std::optional<int> index = parse_index(take_part(text, ';', more));
    if (!more) return;
    const std::string_view spec = take_part(text, ';', more);
    if (!index) continue;
    if (spec == "?") {
      report_color(*index);
    } else if (const auto color = parse_color(spec)) {
      change_color(*index, *color);
    }
  }
}

void Screen::change_special_colors(int first, std::string_view text) {
  for_each_part(text, ';', [&, index = first](std::string_view spec) mutable {
    if (index > Palette::kCursor) return;
    if (spec == "?") {
      report_color(index);
    } else if (const auto color = parse_color(spec)) {
      change_color(index, *color);
    }
    ++index;
  });
}

void Screen::restore_colors(std::string_view text) {
  auto& changed = state_.palette.changed;
  if (text.empty()) {
    std::erase_if(changed, [](const auto& entry) { return entry.first < Palette::kForeground; });
    return;
  }
  for_each_part(text, ';', [&changed](std::string_view part) {
    if (const std::optional<int> index = parse_index(part)) changed.erase(*index);
  });
}

// params;uri, where the URI may hold semicolons. Without a URI the link ends.
void Screen::set_link(std::string_view text) {
  if (restored_links_ != nullptr && text.starts_with(kLinkAgain)) return link_again(text);
  bool has_uri = false;
  const std::string_view params = trim(take_part(text, ';', has_uri));
  if (!has_uri || (text.empty() && !params.empty())) return;
  Link link;
  link.uri = text;
  if (!text.empty()) {
    for_each_part(params, ':', [&link, found = false](std::string_view part) mutable {
      if (found || !part.starts_with("id=")) return;
      link.id = part.substr(3);
      found = true;
    });
  }
  if (state_.tables.wants_sweep()) collect_garbage();
  state_.pen.link = link_id(link);
  if (restored_links_ != nullptr && !link.uri.empty()) restored_links_->push_back(state_.pen.link);
  pen_changed_ = true;
}

// A link without room is dropped. Looking for room costs as much as a whole screen, so it is done
// only after that much other work.
LinkId Screen::link_id(const Link& link) {
  Tables& tables = state_.tables;
  const std::int64_t cells = std::int64_t{state_.size.cols} * state_.size.rows;
  if (!tables.has_room_for(link) && work_ - collected_at_ >= 2 * cells) collect_garbage();
  return tables.has_room_for(link) ? tables.links.intern(link) : 0;
}

// In a checkpoint: refers to an earlier link by its index.
void Screen::link_again(std::string_view text) {
  const std::optional<unsigned> number = parse_number(text.substr(1), 10);
  if (!number || *number >= restored_links_->size()) return;
  state_.pen.link = (*restored_links_)[*number];
  pen_changed_ = true;
}

void Screen::prompt_mark(std::string_view text) {
  const std::optional<ShellMark> mark = parse_shell_mark(text);
  if (!mark) return;
  const std::optional<std::uint64_t> start =
      sink_ == nullptr ? mark->start : sink_->shell_mark(parser_.sequence().end, *mark);
  if (!start) return;
  const auto kind = mark->kind == ShellMark::Kind::more ? ShellMark::Kind::prompt : mark->kind;
  PromptMarks marks{.bits = static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind)),
                    .start = *start > PromptMarks::kLatestStart ? 0 : *start};
  if (mark->status) {
    marks.bits |= PromptMarks::kHasStatus;
    marks.status = *mark->status;
  }
  cursor_row().marks.merge(marks);
}

void Screen::tell(int command, std::string_view text) {
  const std::optional<Notice> notice = parse_notice(command, text);
  if (notice && sink_ != nullptr) sink_->notice(parser_.sequence().end, *notice);
}

std::uint32_t Screen::color_of(int index) const {
  if (const auto it = state_.palette.changed.find(index); it != state_.palette.changed.end())
    return it->second;
  if (index == Palette::kForeground) return theme_.foreground;
  if (index == Palette::kBackground) return theme_.background;
  if (index == Palette::kCursor) return theme_.cursor;
  if (index < 16) return theme_.ansi[static_cast<std::size_t>(index)];
  if (index >= 232) return static_cast<std::uint32_t>(8 + 10 * (index - 232)) * 0x010101;
  const auto level = [](int step) {
    return static_cast<std::uint32_t>(step == 0 ? 0 : 55 + 40 * step);
  };
  const int cube = index - 16;
  return level(cube / 36) << 16 | level(cube / 6 % 6) << 8 | level(cube % 6);
}

}  // namespace vt
