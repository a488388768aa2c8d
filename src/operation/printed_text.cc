#include "operation/printed_text.h"

#include <algorithm>

#include "vt/utf8.h"

namespace operation {
namespace {

// Sequences that leave the cursor where it is. All others may move it.
bool stays(vt::Identifier id) {
  switch (id) {
    case 'm':
    case 'h':
    case 'l':
    case 'K':
    case 'J':
    case 'X':
    case 'P':
    case '@':
    case 'n':
    case 'c':
    case 't':
    case 'q':
    case 'g':
      return true;
    default:
      return id > 0xff;  // With a prefix or an intermediate: modes, queries, cursor styles.
  }
}

bool moves(vt::Identifier escape) {
  return escape == 'D' || escape == 'E' || escape == 'M' || escape == '7' || escape == '8' ||
         escape == 'c';
}

}  // namespace

std::size_t PrintedText::feed(std::span<const std::byte> bytes) {
  fed_ = bytes.data();
  fed_at_ = parser_.position();
  wants_pause_ = false;
  return parser_.feed(bytes, *this);
}

std::uint64_t PrintedText::offset_after(std::size_t length) const {
  const auto piece =
      std::ranges::find_if(pieces_, [&](const Piece& each) { return each.length >= length; });
  if (piece == pieces_.end()) return parser_.position();
  return piece->is_run ? piece->offset - (piece->length - length) : piece->offset;
}

void PrintedText::print_ascii(std::string_view text) {
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  add(text, fed_at_ + static_cast<std::uint64_t>(begin - fed_) + text.size(), true);
}

void PrintedText::print(std::span<const char32_t> text) {
  std::string utf8;
  for (const char32_t code : text) vt::append_utf8(utf8, code);
  add(utf8, parser_.sequence().end, false);
}

void PrintedText::execute(unsigned control) {
  switch (control) {
    case '\b':
      return take_back();
    case '\t':
      // The parser does not tell where a control was. It mostly follows what was printed last.
      return add("\t", printed_until_ + 1, false);
    case '\r':
      returned_ = true;
      return;
    case '\n':
    case '\v':
    case '\f':
    case 0x84:  // IND
    case 0x85:  // NEL
    case 0x8d:  // RI
      return end_line();
    default:
      return;
  }
}

void PrintedText::esc_dispatch(vt::Identifier id) {
  if (moves(id)) end_line();
}

void PrintedText::csi_dispatch(vt::Identifier id, const vt::Params& params) {
  // Programs skip cells that are blank already.
  if (id == 'C') return add_blanks(params.count_at(0), parser_.sequence().end);
  if (!stays(id)) end_line();
}

void PrintedText::add(std::string_view text, std::uint64_t offset, bool is_run) {
  if (returned_) end_line();
  if (wants_pause_) return;
  // The parser does not tell the end of a character that another byte broke off.
  offset = std::max(offset, printed_until_);
  if (line_.empty()) line_begin_ = is_run ? offset - text.size() : printed_until_;
  printed_until_ = offset;
  line_ += text;
  pieces_.push_back({.length = line_.size(), .offset = offset, .is_run = is_run});
  if (line_.size() > kLongestLine) shorten();
}

void PrintedText::add_blanks(int count, std::uint64_t offset) {
  constexpr int kMost = 512;  // No screen is wider.
  add(std::string(static_cast<std::size_t>(std::min(count, kMost)), ' '), offset, false);
}

void PrintedText::take_back() {
  if (returned_ || line_.empty()) return;
  while (!line_.empty() && (static_cast<unsigned char>(line_.back()) & 0xc0) == 0x80)
    line_.pop_back();
  if (!line_.empty()) line_.pop_back();
  while (!pieces_.empty() && pieces_.back().length > line_.size()) {
    const Piece last = pieces_.back();
    pieces_.pop_back();
    const std::size_t before = pieces_.empty() ? 0 : pieces_.back().length;
    if (before >= line_.size()) continue;
    pieces_.push_back({.length = line_.size(),
                       .offset = last.offset - (last.is_run ? last.length - line_.size() : 0),
                       .is_run = last.is_run});
  }
}

void PrintedText::end_line() {
  returned_ = false;
  if (!line_.empty() && ended_(*this)) {
    wants_pause_ = true;
    return;
  }
  line_.clear();
  pieces_.clear();
}

void PrintedText::shorten() {
  if (ended_(*this)) {
    wants_pause_ = true;
    return;
  }
  const std::size_t dropped = line_.size() - kOverlap;
  line_.erase(0, dropped);
  std::erase_if(pieces_, [&](const Piece& piece) { return piece.length <= dropped; });
  for (Piece& piece : pieces_) piece.length -= dropped;
}

}  // namespace operation
