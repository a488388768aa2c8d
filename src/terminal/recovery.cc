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

journal::InputLog Terminal::input_log() {
  const journal::Consumer& journal = child_.journal;
  auto log = journal::InputLog::open(journal.history().input_area(), std::move(child_.memory),
                                     journal.history().input_position());
  if (log.was_damaged())
    base::log(base::Level::error, "a terminal's keyed input was damaged; its keys are forgotten",
              {{"terminal", child_.info.id.str()}});
  return log;
}

vt::History Terminal::history_at(vt::HistoryPosition position) {
  journal::Consumer& journal = child_.journal;
  vt::History history(
      journal.history().ring(), journal.history().store(), position,
      [this](std::span<std::byte> pages) { child_.journal.history().release(pages); });
  history.publish(journal.history().begin(), journal.history().end());
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
  // Before a query is answered: a reply must not get into the middle of it.
  input_.start();
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
    commands_ = Commands::of_former(Commands::decode(preamble->commands));
    screen = std::as_bytes(std::span(before));
  }
  if (checkpoint) {
    size = size_of(checkpoint->rows, checkpoint->cols);
    history = {.begin = journal.history().begin().load(), .end = checkpoint->history};
    screen = checkpoint->screen;
    from = checkpoint->offset;
    const std::string_view text(reinterpret_cast<const char*>(checkpoint->screen.data()),
                                checkpoint->screen.size());
    commands_ = Commands::decode(text);
    states_.restore(text);
  }
  seen_from_ = journal.produced();
  if (from < journal.tail()) {
    base::log(base::Level::warning, "a terminal's output was lost while no daemon was running",
              {{"terminal", child_.info.id.str()}, {"bytes", journal.tail() - from}});
    from = journal.tail();
    commands_.output_lost();
    states_.output_lost();
  }
  screen_ = std::make_unique<vt::Screen>(size, screen, from, history_at(history),
                                         static_cast<vt::StreamSink*>(this));
  stream_.follow(*screen_, from);
  checkpoints_.recovered(from, history.end, checkpoint ? checkpoint->resizes : 0);
  if (!before.empty() && from == 0) checkpoints_.write(*screen_);
  replay_from(from);
  if (screen_->freeze_history(checkpoints_.history(), 0)) tidy_after(kQuiet);
  input_.set_size(screen_->size().rows, screen_->size().cols);
  told_title_ = screen_->state().titles.title;
  if (child_.info.exit) process_exited(*child_.info.exit);
  states_.recovered();
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
  commands_.output_lost();
  states_.output_lost();
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
