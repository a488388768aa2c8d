// Arbitrary bytes, sizes and resizes must leave a screen that its snapshot rebuilds, and get no
// reply outside the grammar of replies. The first two bytes are the size; after that 0xff, which no
// UTF-8 has, begins a resize: two bytes follow.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "vt/screen.h"
#include "vt/snapshot.h"
#include "vt/test_difference.h"
#include "vt/test_reply_grammar.h"

namespace {

constexpr std::size_t kRingSize = 1 << 15;
constexpr std::uint8_t kResize = 0xff;

vt::Size size_of(std::uint8_t cols, std::uint8_t rows) {
  return {.cols = cols % 40 + 1, .rows = rows % 12 + 1};
}

class ReplyChecker final : public vt::StreamSink {
 public:
  void query(vt::ByteSpan /*span*/, const vt::Reply& reply) override {
    if (vt::is_replies(reply.text())) return;
    std::fprintf(stderr, "no reply is like this: %s\n", std::string(reply.text()).c_str());
    std::abort();
  }
  void edit(vt::Edit /*edit*/, By /*by*/) override {}
  // People are shown the text.
  std::optional<std::uint64_t> shell_mark(std::uint64_t /*end*/,
                                          const vt::ShellMark& mark) override {
    const bool is_clean = std::ranges::none_of(mark.text, [](unsigned char c) {
      return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
    });
    if (is_clean && mark.text.size() <= vt::ShellMark::kMaxText &&
        mark.key.size() <= vt::ShellMark::kMaxKey)
      return mark.start;
    std::fprintf(stderr, "no command is like this: %s\n", mark.text.c_str());
    std::abort();
  }
};

void check(const vt::Screen& screen) {
  std::vector<std::byte> ring(kRingSize);
  vt::Screen copy(screen.size());
  copy.attach_history(vt::History(ring));
  copy.feed(vt::snapshot(screen));
  std::string what = vt::describe_difference(screen.state(), copy.state());
  if (what.empty() && screen.parser().unfinished() != copy.parser().unfinished())
    what = "unfinished";
  if (what.empty()) return;
  std::fprintf(stderr, "the snapshot makes another screen: %s\n", what.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  std::vector<std::byte> ring(kRingSize);
  ReplyChecker replies;
  vt::Screen screen(size_of(data[0], data[1]), &replies);
  screen.attach_history(vt::History(ring));
  std::span<const std::uint8_t> rest(data + 2, size - 2);
  while (!rest.empty()) {
    std::size_t end = 0;
    while (end < rest.size() && rest[end] != kResize) ++end;
    screen.feed(std::as_bytes(rest.first(end)));
    rest = rest.subspan(end);
    if (rest.size() < 3) break;
    screen.resize(size_of(rest[1], rest[2]));
    rest = rest.subspan(3);
  }
  check(screen);
  return 0;
}
