// However an output is split, the lines that were printed are the same, and offsets stay within it.

#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "operation/printed_text.h"

namespace {

constexpr std::uint64_t kBegin = 1000;

void check(bool holds) {
  if (!holds) std::abort();
}

void check_offsets(const operation::PrintedText& text, std::uint64_t end) {
  check(text.line_begin() >= kBegin && text.line_begin() <= end);
  std::uint64_t last = kBegin;
  for (std::size_t length = 1; length <= text.line().size(); ++length) {
    const std::uint64_t offset = text.offset_after(length);
    check(offset >= last && offset <= end);
    last = offset;
  }
}

std::vector<std::string> lines_of(std::span<const std::byte> output, std::size_t piece) {
  const std::uint64_t end = kBegin + output.size();
  std::vector<std::string> lines;
  operation::PrintedText text(kBegin, [&](const operation::PrintedText& each) {
    check_offsets(each, end);
    lines.emplace_back(each.line());
    return false;
  });
  while (!output.empty()) {
    const auto next = output.first(std::min(piece, output.size()));
    check(text.feed(next) == next.size());
    output = output.subspan(next.size());
  }
  check(text.position() == end);
  check_offsets(text, end);
  lines.emplace_back(text.line());
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const auto output = std::as_bytes(std::span(data, size)).subspan(1);
  check(lines_of(output, output.size() + 1) == lines_of(output, 1 + data[0] % 16));
  return 0;
}
