// A terminal's screen out of its journal: the latest checkpoint and the output after it, as a
// database comes back from its checkpoint and its log.

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

// Takes note of queries and answers none.
class SpanCollector final : public vt::QuerySink {
 public:
  void query(vt::ByteSpan span, std::string_view) override { spans.add(span); }
  QuerySpans spans;
};

}  // namespace

vt::History Terminal::history_at(Offset end) {
  const auto twice = child_.journal.history();
  return vt::History::recoverable(twice.first(twice.size() / 2), end);
}

void Terminal::recover() {
  journal::Consumer& journal = child_.journal;
  const auto checkpoint = journal.checkpoints().latest();
  const journal::Constants& constants = journal.constants();
  vt::Size size = size_of(constants.rows, constants.cols);
  Offset history = 0;
  std::span<const std::byte> screen;
  Offset from = 0;
  if (checkpoint) {
    size = size_of(checkpoint->rows, checkpoint->cols);
    history = checkpoint->history;
    screen = checkpoint->screen;
    from = checkpoint->offset;
  }
  if (from < journal.tail()) {
    base::log(base::Level::warning, "a terminal's output was lost while no daemon was there",
              {{"terminal", id().str()}, {"bytes", journal.tail() - from}});
    from = journal.tail();
  }
  screen_ = std::make_unique<vt::Screen>(size, screen, from, history_at(history),
                                         static_cast<vt::QuerySink*>(this));
  queries_known_from_ = from;
  checkpoint_offset_ = from;
  checkpoint_resizes_ = checkpoint ? checkpoint->resizes : 0;
  replay_from(from);
  input_.set_size(screen_->size().rows, screen_->size().cols);
  if (child_.info.exit) process_exited(*child_.info.exit);
}

void Terminal::replay_from(Offset from) {
  journal::ResizeLog& log = child_.journal.resizes();
  for (const journal::Resize& resize : log.after(checkpoint_resizes_)) {
    if (resize.offset > from) {
      const auto bytes = child_.journal.view(from, resize.offset - from);
      if (!bytes) break;
      screen_->feed(*bytes);
      from = screen_->position();
    }
    screen_->resize(size_of(resize.rows, resize.cols));
  }
  for (const journal::Resize& resize : log.after(0))
    resizes_.push_back({.offset = resize.offset, .size = size_of(resize.rows, resize.cols)});
  catch_up();
}

void Terminal::restart_screen_at(Offset offset) {
  const std::string state =
      vt::snapshot(*screen_, {.history_rows = 0, .unfinished = vt::Unfinished::resend});
  auto next = std::make_unique<vt::Screen>(screen_->size(), std::as_bytes(std::span(state)), offset,
                                           history_at(screen_->state().history.position().end),
                                           static_cast<vt::QuerySink*>(this));
  screen_ = std::move(next);
  queries_ = {};
  queries_known_from_ = offset;
  checkpoint();
  consume();
}

void Terminal::learn_older_queries() {
  const Offset from = child_.journal.tail();
  if (from >= queries_known_from_) return;
  const auto bytes = child_.journal.copy(from, queries_known_from_ - from);
  if (!bytes) return;
  SpanCollector collector;
  vt::Screen scratch(screen_->size(), {}, from, vt::History(), &collector);
  scratch.feed(*bytes);
  queries_.add_older(collector.spans);
  queries_known_from_ = from;
}

}  // namespace terminal
