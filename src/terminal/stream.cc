#include "terminal/stream.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "vt/parser.h"

namespace terminal {

using journal::Offset;

namespace {

// Collects edits and answers no queries.
class EditCollector final : public vt::StreamSink {
 public:
  explicit EditCollector(bool knows_cursor) : knows_cursor_(knows_cursor) {}
  void query(vt::ByteSpan /*span*/, const vt::Reply& /*reply*/) override {}
  void edit(vt::Edit edit, By by) override {
    if (by == By::stream || knows_cursor_) edits.add(edit);
  }
  Edits edits;

 private:
  bool knows_cursor_;
};

// The journal may begin inside a control string. A screen that was fed this first treats everything
// up to the next sequence as part of a string.
constexpr std::string_view kWithinAString = "\x1b_";

// Without an incomplete UTF-8 character at the end.
std::span<const std::byte> without_partial_character(std::span<const std::byte> bytes) {
  const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  return bytes.first(bytes.size() - vt::unfinished_suffix(text));
}

}  // namespace

void Stream::follow(const vt::Screen& screen, Offset fed_from) {
  screen_ = &screen;
  edits_ = {};
  edits_known_from_ = fed_from;
}

void Stream::add(const Resize& resize) {
  resizes_.push_back(resize);
  if (resizes_.size() <= kKnownResizes) return;
  resizes_.pop_front();
  ++forgotten_resizes_;
}

const Stream::Resize* Stream::resize(std::uint64_t number) const {
  const std::uint64_t index = number - forgotten_resizes_;
  return index < resizes_.size() ? &resizes_[index] : nullptr;
}

bool Stream::can_resume(Offset since) {
  if (since > end() || since < begin()) return false;
  // A client that has seen no output has not seen the preamble either.
  if (since == 0 && has_preamble_) return false;
  // Output for another size would be shown at this one.
  if (!resizes_.empty() && resizes_.back().offset >= since) return false;
  if (since < edits_known_from_) learn_older_edits();
  return since >= edits_known_from_;
}

Stream::Read Stream::read(std::string& out, Offset from, Offset to, std::size_t most) const {
  const std::size_t wanted = std::min(most, static_cast<std::size_t>(to - from));
  if (wanted == 0) return {.reached = from};
  const auto bytes = journal_.view(from, wanted);
  if (!bytes) return {.reached = from};
  const auto whole = wanted < to - from ? without_partial_character(*bytes) : *bytes;
  if (whole.empty()) return {.reached = from};
  const std::size_t before = out.size();
  const Offset reached = edits_.append_edited(out, from, whole);
  if (journal_.intact(from)) return {.reached = reached};
  out.resize(before);
  return {.reached = from, .is_intact = false};
}

void Stream::learn_older_edits() {
  // The program may overwrite the oldest bytes during the copy. That is most likely the first time,
  // when the ring's pages are not mapped yet.
  constexpr int kAttempts = 5;
  Offset from = journal_.tail();
  if (from >= edits_known_from_) return;
  auto bytes = journal_.copy(from, edits_known_from_ - from);
  for (int i = 1; i < kAttempts && !bytes; ++i) {
    from = journal_.tail();
    if (from >= edits_known_from_) return;
    bytes = journal_.copy(from, edits_known_from_ - from);
  }
  if (!bytes) return;
  const bool from_start = from == 0 && resizes_.empty() && !has_preamble_;
  const std::string_view before = from_start ? "" : kWithinAString;
  EditCollector collector(from_start);
  vt::Screen scratch(screen_->size(), std::as_bytes(std::span(before)), from, vt::History(),
                     &collector);
  scratch.feed(*bytes);
  edits_.add_older(collector.edits);
  edits_known_from_ = from;
}

}  // namespace terminal
