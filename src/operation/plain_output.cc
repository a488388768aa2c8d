#include "operation/plain_output.h"

#include <algorithm>

#include "vt/utf8.h"

namespace operation {
namespace {

bool ends_line(std::byte byte) {
  return byte == std::byte{'\n'} || byte == std::byte{'\v'} || byte == std::byte{'\f'};
}

}  // namespace

// Up to each line feed on its own, because the parser does not tell where a control was.
void PlainOutput::feed(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto found = std::ranges::find_if(bytes, ends_line);
    const auto before = static_cast<std::size_t>(found - bytes.begin());
    const auto piece = bytes.first(std::min(before + 1, bytes.size()));
    fed_ = piece.data();
    fed_at_ = parser_.position();
    fed_end_ = fed_at_ + piece.size();
    (void)parser_.feed(piece, *this);
    bytes = bytes.subspan(piece.size());
  }
}

void PlainOutput::end() {
  flush();
  line_begin_ = parser_.position();
}

void PlainOutput::print_ascii(std::string_view text) {
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  std::uint64_t end = fed_at_ + static_cast<std::uint64_t>(begin - fed_);
  for (const char c : text) put(static_cast<unsigned char>(c), ++end);
}

void PlainOutput::print(std::span<const char32_t> text) {
  for (const char32_t code : text) put(code, parser_.sequence().end);
}

void PlainOutput::put(char32_t code, std::uint64_t end) {
  if (column_ < line_.size())
    line_[column_] = code;
  else
    line_ += code;
  ++column_;
  if (line_.size() < kLongestLine) return;
  flush();
  line_begin_ = end;
}

void PlainOutput::move_to(std::size_t column) {
  column_ = std::min(column, kLongestLine - 1);
  if (column_ > line_.size()) line_.resize(column_, ' ');
}

void PlainOutput::execute(unsigned control) {
  switch (control) {
    case '\b':
      if (column_ > 0) --column_;
      return;
    case '\t':
      return put('\t', fed_end_);
    case '\r':
      column_ = 0;
      return;
    case '\n':
    case '\v':
    case '\f':
      return end_line(fed_end_);
    default:
      return;
  }
}

void PlainOutput::esc_dispatch(vt::Identifier id) {
  const bool moves = id == 'D' || id == 'E' || id == 'M' || id == '8' || id == 'c';
  if (moves && !line_.empty()) end_line(parser_.sequence().end);
}

void PlainOutput::csi_dispatch(vt::Identifier id, const vt::Params& params) {
  constexpr int kMost = 512;  // No screen is wider.
  const auto count = static_cast<std::size_t>(std::min(params.count_at(0), kMost));
  switch (id) {
    case 'C':
      return move_to(column_ + count);
    case 'D':
      return move_to(column_ - std::min(column_, count));
    case 'G':
      return move_to(count - 1);
    case 'K':
      if (params[0] == 0) line_.resize(std::min(column_, line_.size()));
      return;
    case 'A':
    case 'B':
    case 'E':
    case 'F':
    case 'H':
    case 'd':
    case 'f':
      if (!line_.empty()) end_line(parser_.sequence().end);
      return;
    default:
      return;
  }
}

void PlainOutput::end_line(std::uint64_t at) {
  flush();
  text_ += '\n';
  line_begin_ = at;
}

void PlainOutput::flush() {
  for (const char32_t code : line_) vt::append_utf8(text_, code);
  line_.clear();
  column_ = 0;
}

}  // namespace operation
