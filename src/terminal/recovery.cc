// Rebuilds a terminal's screen from its journal: the latest checkpoint plus the output after it,
// like a database that recovers from its log.

#include <algorithm>

#include "base/log.h"
#include "terminal/terminal.h"
#include "vt/snapshot.h"

namespace terminal {

using journal::Offset;

namespace {

vt::Size size_of(int rows, int cols) {
  return {.cols = cols, .rows = rows};
}

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

}  // namespace

vt::History Terminal::history_at(vt::HistoryPosition position) {
  journal::Consumer& journal = child_.journal;
  vt::History history(journal.history(), journal.history_store(), position,
                      [this](std::span<std::byte> pages) { child_.journal.release(pages); });
  history.publish(journal.history_begin(), journal.history_end());
  return history;
}

// Feeds a temporary screen, which leaves its history in the ring and its state in `screen`. Until
// both are in a checkpoint, a successor starts over.
vt::HistoryPosition Terminal::show_preamble(const Preamble& preamble, vt::Size size,
                                            std::string& screen) {
  vt::Screen scratch(size_of(size.rows, preamble.cols));
  scratch.attach_history(history_at({}));
  scratch.feed(preamble.rows);
  scratch.resize(size);
  if (!preamble.rows.empty()) scratch.feed("\r\n");
  scratch.feed(preamble.mark);
  screen = vt::snapshot(scratch, {.history_rows = 0});
  return scratch.state().history.position();
}

void Terminal::recover(const std::optional<Preamble>& preamble) {
  journal::Consumer& journal = child_.journal;
  const auto checkpoint = journal.checkpoints().latest();
  const journal::Constants& constants = journal.constants();
  vt::Size size = size_of(constants.rows, constants.cols);
  vt::HistoryPosition history;
  std::span<const std::byte> screen;
  std::string before;
  Offset from = 0;
  has_preamble_ = preamble.has_value();
  if (preamble && !checkpoint) {
    history = show_preamble(*preamble, size, before);
    screen = std::as_bytes(std::span(before));
  }
  if (checkpoint) {
    size = size_of(checkpoint->rows, checkpoint->cols);
    history = {.begin = journal.history_begin().load(), .end = checkpoint->history};
    screen = checkpoint->screen;
    from = checkpoint->offset;
  }
  if (from < journal.tail()) {
    base::log(base::Level::warning, "a terminal's output was lost while no daemon was running",
              {{"terminal", id().str()}, {"bytes", journal.tail() - from}});
    from = journal.tail();
  }
  screen_ = std::make_unique<vt::Screen>(size, screen, from, history_at(history),
                                         static_cast<vt::StreamSink*>(this));
  edits_known_from_ = from;
  checkpoint_offset_ = from;
  checkpoint_history_ = history.end;
  checkpoint_resizes_ = checkpoint ? checkpoint->resizes : 0;
  if (!before.empty() && from == 0) this->checkpoint();
  replay_from(from);
  if (screen_->freeze_history(checkpoint_history_, 0)) tidy_after(kQuiet);
  input_.set_size(screen_->size().rows, screen_->size().cols);
  if (child_.info.exit) process_exited(*child_.info.exit);
}

void Terminal::replay_from(Offset from) {
  journal::ResizeLog& log = child_.journal.resizes();
  const auto missing = log.since(checkpoint_resizes_);
  for (const journal::Resize& resize : missing) {
    if (resize.offset > from) {
      const auto bytes = child_.journal.view(from, resize.offset - from);
      if (!bytes) break;
      screen_->feed(*bytes);
      from = screen_->position();
    }
    screen_->resize(size_of(resize.rows, resize.cols));
  }
  for (const journal::Resize& resize : log.since(0))
    resizes_.push_back({.offset = resize.offset, .size = size_of(resize.rows, resize.cols)});
  if (!missing.empty()) checkpoint();
  catch_up();
}

void Terminal::restart_screen_at(Offset offset) {
  const std::string state =
      vt::snapshot(*screen_, {.history_rows = 0, .unfinished = vt::Unfinished::resend});
  auto next = std::make_unique<vt::Screen>(screen_->size(), std::as_bytes(std::span(state)), offset,
                                           history_at(screen_->state().history.position()),
                                           static_cast<vt::StreamSink*>(this));
  screen_ = std::move(next);
  edits_ = {};
  edits_known_from_ = offset;
  checkpoint();
  consume();
}

void Terminal::learn_older_edits() {
  // The program may overwrite the oldest bytes during the copy. That is most likely the first time,
  // when the ring's pages are not mapped yet.
  constexpr int kAttempts = 5;
  Offset from = child_.journal.tail();
  if (from >= edits_known_from_) return;
  auto bytes = child_.journal.copy(from, edits_known_from_ - from);
  for (int i = 1; i < kAttempts && !bytes; ++i) {
    from = child_.journal.tail();
    if (from >= edits_known_from_) return;
    bytes = child_.journal.copy(from, edits_known_from_ - from);
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
