// Output as plain text, for those who do not draw it: without sequences, with what was printed over
// as it was in the end. It knows one line; a jump elsewhere ends it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "operation/text_events.h"
#include "vt/parser.h"

namespace operation {

class PlainOutput final : private TextEvents {
 public:
  // A longer line is cut into pieces.
  static constexpr std::size_t kLongestLine = 16 * 1024;

  // `begin` is the offset of the first byte that will be fed.
  explicit PlainOutput(std::uint64_t begin) : line_begin_(begin) { parser_.set_position(begin); }

  void feed(std::span<const std::byte> bytes);
  // The output has ended here: what it has of its last line counts.
  void end();

  // The lines that have ended so far.
  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }
  [[nodiscard]] std::size_t size() const { return text_.size(); }
  [[nodiscard]] std::uint64_t position() const { return parser_.position(); }
  // Where the line begins that has not ended. Whoever goes on from here misses nothing.
  [[nodiscard]] std::uint64_t line_begin() const { return line_begin_; }

 private:
  void print_ascii(std::string_view text) override;
  void print(std::span<const char32_t> text) override;
  void execute(unsigned control) override;
  void esc_dispatch(vt::Identifier id) override;
  void csi_dispatch(vt::Identifier id, const vt::Params& params) override;

  void put(char32_t code, std::uint64_t end);
  void move_to(std::size_t column);
  void end_line(std::uint64_t at);
  void flush();

  vt::Parser parser_;
  std::string text_;
  std::u32string line_;
  std::size_t column_ = 0;
  std::uint64_t line_begin_;
  // While feeding: the first byte, its offset, and the offset after the last one.
  const std::byte* fed_ = nullptr;
  std::uint64_t fed_at_ = 0;
  std::uint64_t fed_end_ = 0;
};

}  // namespace operation
