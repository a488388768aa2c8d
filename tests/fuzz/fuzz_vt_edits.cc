// Arbitrary bytes, sent to a viewer with the edits that the screen asks for, must leave the viewer
// as if it had got all of them, and ask it nothing. The first two bytes are the size; after that
// 0xff, which no UTF-8 has, ends a feed. With 0xff twice, the first time, a successor takes over
// from a checkpoint.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vt/snapshot.h"
#include "vt/test_difference.h"
#include "vt/test_edits.h"

namespace {

constexpr std::size_t kRingSize = 1 << 15;
constexpr char kEnd = '\xff';

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "the viewer is not as if it had got everything: %s\n", what.c_str());
  std::abort();
}

class Following {
 public:
  Following(vt::Size size, std::string_view stream)
      : size_(size), stream_(stream), viewer_(size, &asked_) {
    screen_ = std::make_unique<vt::Screen>(size, &edited_);
    screen_->attach_history(vt::History(screen_ring_));
    viewer_.attach_history(vt::History(viewer_ring_));
  }

  void feed(std::size_t length) {
    screen_->feed(stream_.substr(screen_->position(), length));
    viewer_.feed(edited_.part(stream_, sent_, screen_->settled()));
    sent_ = screen_->settled();
    const std::string what = vt::describe_difference(screen_->state(), viewer_.state());
    if (!what.empty()) fail(what);
    if (asked_.queries() > 0) fail("it was asked something");
    if (!asked_.edits().empty()) fail("what it got needs an edit");
  }

  void succeed() {
    // Once: it goes back to where a sequence was held back.
    if (std::exchange(succeeded_, true)) return;
    const std::string checkpoint =
        vt::snapshot(*screen_, {.history_rows = 0, .unfinished = vt::Unfinished::resend});
    const vt::HistoryPosition history = screen_->state().history.position();
    screen_ = std::make_unique<vt::Screen>(size_, std::as_bytes(std::span(checkpoint)),
                                           screen_->settled(), vt::History(screen_ring_, history),
                                           &edited_);
  }

  [[nodiscard]] std::size_t left() const { return stream_.size() - screen_->position(); }

 private:
  std::vector<std::byte> screen_ring_ = std::vector<std::byte>(kRingSize);
  std::vector<std::byte> viewer_ring_ = std::vector<std::byte>(kRingSize);
  vt::Size size_;
  std::string_view stream_;
  vt::EditedStream edited_;
  vt::EditedStream asked_;
  std::unique_ptr<vt::Screen> screen_;
  vt::Screen viewer_;
  std::uint64_t sent_ = 0;
  bool succeeded_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 2, size - 2);
  Following following({.cols = data[0] % 40 + 1, .rows = data[1] % 12 + 1}, input);
  while (following.left() > 0) {
    // The separator is part of the stream, too: it is malformed, which has to be right as well.
    const std::string_view rest = input.substr(input.size() - following.left());
    const std::size_t end = rest.find(kEnd);
    following.feed(end == std::string_view::npos ? rest.size() : end + 1);
    if (end != std::string_view::npos && rest.substr(end + 1).starts_with(kEnd))
      following.succeed();
  }
  return 0;
}
