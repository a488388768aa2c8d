// The text that a program printed, line by line, and where in its output each character ended.
//
// It depends on the output alone, not on what the screen showed before or on its width. A line ends
// where the cursor goes elsewhere: at a line feed, a return to the start of the line, or a jump. A
// line that the terminal wraps is one line.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operation/text_events.h"
#include "vt/parser.h"

namespace operation {

class PrintedText final : private TextEvents {
 public:
  // A longer line is looked at in pieces. Each begins with the end of the one before.
  static constexpr std::size_t kLongestLine = 16 * 1024;
  static constexpr std::size_t kOverlap = 1024;

  // Called for each line that has ended. Returns true to stop there.
  using Ended = std::function<bool(const PrintedText& text)>;

  // `begin` is the offset of the first byte that will be fed.
  PrintedText(std::uint64_t begin, Ended ended) : ended_(std::move(ended)), printed_until_(begin) {
    parser_.set_position(begin);
  }

  // Feeds output. Returns how many bytes it took: all of them, unless `ended` stopped it.
  std::size_t feed(std::span<const std::byte> bytes);

  // The line so far.
  [[nodiscard]] std::string_view line() const { return line_; }
  // The offset after the output that printed the line's first `length` bytes.
  [[nodiscard]] std::uint64_t offset_after(std::size_t length) const;
  [[nodiscard]] std::uint64_t position() const { return parser_.position(); }
  // Where the line so far begins. Whoever goes on from here misses nothing of it.
  [[nodiscard]] std::uint64_t line_begin() const {
    return line_.empty() ? position() : line_begin_;
  }

 private:
  // Up to `length` the line was printed by the output before `offset`. In a run each byte of output
  // is one byte of the line.
  struct Piece {
    std::size_t length;
    std::uint64_t offset;
    bool is_run;
  };

  void print_ascii(std::string_view text) override;
  void print(std::span<const char32_t> text) override;
  void execute(unsigned control) override;
  void esc_dispatch(vt::Identifier id) override;
  void csi_dispatch(vt::Identifier id, const vt::Params& params) override;

  void add(std::string_view text, std::uint64_t offset, bool is_run);
  void add_blanks(int count, std::uint64_t offset);
  void take_back();
  void end_line();
  void shorten();

  Ended ended_;
  vt::Parser parser_;
  const std::byte* fed_ = nullptr;  // While feeding: the byte at `fed_at_`.
  std::uint64_t fed_at_ = 0;
  std::string line_;
  std::vector<Piece> pieces_;
  std::uint64_t line_begin_ = 0;
  std::uint64_t printed_until_;  // The offset after what was printed last.
  bool returned_ = false;        // The cursor is at the start of the line; what comes next ends it.
};

}  // namespace operation
