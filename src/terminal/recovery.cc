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
  if (preamble) stream_.has_preamble();
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
  stream_.follow(*screen_, from);
  checkpoints_.recovered(from, history.end, checkpoint ? checkpoint->resizes : 0);
  if (!before.empty() && from == 0) checkpoints_.write(*screen_);
  replay_from(from);
  if (screen_->freeze_history(checkpoints_.history(), 0)) tidy_after(kQuiet);
  input_.set_size(screen_->size().rows, screen_->size().cols);
  if (child_.info.exit) process_exited(*child_.info.exit);
}

void Terminal::replay_from(Offset from) {
  journal::ResizeLog& log = child_.journal.resizes();
  const auto missing = log.since(checkpoints_.resizes());
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
    stream_.add(Stream::Resize{.offset = resize.offset, .size = size_of(resize.rows, resize.cols)});
  if (!missing.empty()) checkpoints_.write(*screen_);
  catch_up();
}

void Terminal::restart_screen_at(Offset offset) {
  const std::string state =
      vt::snapshot(*screen_, {.history_rows = 0, .unfinished = vt::Unfinished::resend});
  auto next = std::make_unique<vt::Screen>(screen_->size(), std::as_bytes(std::span(state)), offset,
                                           history_at(screen_->state().history.position()),
                                           static_cast<vt::StreamSink*>(this));
  screen_ = std::move(next);
  screen_->set_theme(theme_);
  stream_.follow(*screen_, offset);
  checkpoints_.write(*screen_);
  consume();
}

}  // namespace terminal
