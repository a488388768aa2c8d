#include "terminal/terminal.h"

#include <algorithm>
#include <fstream>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "terminal/pace.h"
#include "terminal/working_directory.h"
#include "vt/snapshot.h"

namespace terminal {

namespace asio = boost::asio;
using asio::awaitable;
using journal::Offset;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
// How much one terminal may take before the others get their turn: a number of bytes, or an amount
// of work that takes a tenth of a millisecond. A resize may take a few turns' worth.
constexpr std::size_t kTurn = 64 * 1024;
constexpr std::int64_t kTurnWork = 100'000;
constexpr std::int64_t kCatchUpWork = 9 * kTurnWork;
// Freezes the history for a third of a millisecond at a time. 2 MiB take a third of a second.
constexpr int kFrozenATurn = 8;
constexpr std::chrono::milliseconds kBetweenFreezes{20};
constexpr std::chrono::milliseconds kTitlePause{100};  // A program may change it with every line.
const base::SystemClock kClock;

}  // namespace

int exit_code(const ExitStatus& status) {
  return status.signal != 0 ? 128 + status.signal : status.code;
}

std::shared_ptr<Terminal> Terminal::start(asio::any_io_executor executor,
                                          keeper::AttachedChild child,
                                          const TerminalSettings& settings, Events events,
                                          std::optional<Preamble> preamble) {
  std::shared_ptr<Terminal> terminal(
      new Terminal(executor, std::move(child), settings, std::move(events)));
  terminal->recover(preamble);
  terminal->grace_.start();
  terminal->tasks_.spawn([raw = terminal.get()]() -> awaitable<void> { co_await raw->pump(); });
  return terminal;
}

Terminal::Terminal(asio::any_io_executor executor, keeper::AttachedChild child,
                   const TerminalSettings& settings, Events events)
    : executor_(executor),
      child_(std::move(child)),
      events_(std::move(events)),
      tasks_(executor),
      input_(
          executor, std::move(child_.input), settings.input_limit, kClock,
          [this](std::uint64_t count) { replies_left_out(count); }, input_log()),
      keyboard_(journal::LeaseSlots(child_.journal.history().input_area()), kClock),
      typing_(
          input_, keyboard_, settings.leases_yield,
          [this] {
            apply_size();
            last_activity_ = std::chrono::system_clock::now();
          },
          [this] { states_.typed(); }),
      stream_(executor, tasks_, child_.journal),
      audience_(executor, {.size_wanted = [this](vt::Size size) { resize(size); },
                           .theme_wanted = [this](const vt::Theme& theme) { set_theme(theme); },
                           .first_came = [this] { first_viewer_came(); },
                           .last_left = [this] { orphaned(); },
                           .lossless_moved = [this] { consume(); }}),
      states_(executor, child_.info.argv, commands_,
              {.foreground = [this] { return foreground(); },
               .save = [this] { checkpoints_.write(*screen_); },
               .changed =
                   [this] {
                     if (events_.changed) events_.changed(*this);
                   },
               .noticed =
                   [this](const Notice& notice) {
                     if (events_.noticed) events_.noticed(*this, notice);
                   },
               .offset = [this] { return screen_->position(); }},
              kClock),
      checkpoints_(executor, tasks_, child_.journal, child_.info.id.str(),
                   [this] { return commands_.encode() + states_.encode(); }),
      progress_(executor),
      last_activity_(std::chrono::system_clock::now()),
      tidying_(executor),
      titling_(executor, kTitlePause, [this] { tell_title(); }),
      grace_(executor, settings.orphan_grace, [this] {
        if (events_.grace_over) events_.grace_over(*this);
      }) {}

Terminal::~Terminal() = default;

awaitable<void> Terminal::stop() {
  has_stopped_ = true;
  progress_.notify();
  tidying_.cancel();
  titling_.cancel();
  states_.stop();
  grace_.stop();
  if (checkpoints_.is_due()) checkpoints_.write(*screen_);
  tasks_.cancel();
  co_await tasks_.join();
  co_await input_.stop();
}

// --- following the journal ---

awaitable<void> Terminal::pump() {
  journal::Consumer& journal = child_.journal;
  auto data = base::duplicate(journal.data_fd());
  if (!data) {
    base::log(base::Level::error, "cannot watch a journal",
              {{"terminal", child_.info.id.str()}, {"error", data.error()}});
    co_return;
  }
  asio::posix::stream_descriptor wakeup(executor_, data->release());
  asio::steady_timer rest(executor_);
  Pace pace;
  for (;;) {
    if (is_held()) {
      co_await asio::post(executor_, asio::use_awaitable);
      continue;
    }
    const Offset before = screen_->position();
    if (take()) {
      pace.took(screen_->position() - before);
      co_await asio::post(executor_, asio::use_awaitable);
      continue;
    }
    if (journal.ended() && screen_->position() == journal.produced()) co_return;
    if (pace.is_flood(std::chrono::steady_clock::now())) {
      rest.expires_after(Pace::kRest);
      if (const auto [error] = co_await rest.async_wait(kNoThrow); error) co_return;
      continue;
    }
    if (!journal.sleep(screen_->position())) continue;
    // Read the count, do not only wait for it: the next wait would find the old count again.
    std::uint64_t count = 0;
    const auto [error, size] =
        co_await wakeup.async_read_some(asio::buffer(&count, sizeof count), kNoThrow);
    if (error) co_return;
  }
}

// Feeds the screen one turn's worth, or writes a checkpoint that is due. False if there was nothing
// to do.
bool Terminal::take() {
  if (is_held()) return false;
  if (checkpoints_.is_overdue(*screen_)) {
    checkpoints_.write_in_turns(*screen_, [this] { consume(); });
    return true;
  }
  const Offset from = screen_->position();
  const auto bytes = child_.journal.view(from, kTurn);
  if (!bytes) {
    // The keeper overwrites unread output only if there was no daemon for long.
    base::log(base::Level::warning, "a terminal's output was lost",
              {{"terminal", child_.info.id.str()}, {"error", bytes.error()}});
    restart_screen_at(child_.journal.tail());
    return true;
  }
  if (bytes->empty()) {
    look_for_exit();
    return false;
  }
  screen_->feed(*bytes, kTurnWork);
  last_activity_ = std::chrono::system_clock::now();
  last_output_ = std::chrono::steady_clock::now();
  checkpoints_.screen_changed();
  tidy_after(kQuiet);
  consume();
  stream_.forget_overwritten();
  if (!std::exchange(printed_, true) && events_.printed) events_.printed(*this);
  if (events_.titled && screen_->state().titles.title != told_title_) titling_.ask();
  look_for_exit();
  states_.printed();
  audience_.wake();
  progress_.notify();
  return true;
}

// Takes what was printed so far, within limits. The rest comes in its turn.
void Terminal::catch_up() {
  const Offset end = child_.journal.produced();
  const std::int64_t until = screen_->work() + kCatchUpWork;
  while (screen_->position() < end && screen_->work() < until && take()) {
  }
}

journal::Offset Terminal::mark() {
  catch_up();
  const Offset produced = child_.journal.produced();
  return screen_->position() < produced ? produced : screen_->settled();
}

void Terminal::consume() {
  Offset to =
      std::min<Offset>(screen_->position(), checkpoints_.offset() + checkpoints_.most_after());
  if (const auto needed = audience_.needed_from()) to = std::min(to, *needed);
  if (to <= child_.journal.consumed()) return;
  if (auto advanced = child_.journal.advance(to); !advanced)
    base::log(base::Level::error, "cannot consume a journal",
              {{"terminal", child_.info.id.str()}, {"error", advanced.error()}});
}

void Terminal::query(vt::ByteSpan span, const vt::Reply& reply) {
  if (span.end <= child_.journal.answered() || exit_) return;
  if (reply.text().empty()) return;
  input_.reply(reply.text(), [this, end = span.end] { child_.journal.set_answered(end); });
}

std::optional<std::uint64_t> Terminal::shell_mark(std::uint64_t end, const vt::ShellMark& mark) {
  std::optional<base::WallTime> now;
  if (is_new(end)) now = std::chrono::floor<std::chrono::milliseconds>(kClock.wall());
  const auto start =
      commands_.take(end, mark, path_of_file_uri(screen_->state().working_directory), now);
  states_.marked(end, is_new(end));
  // Without a key, anything that is printed may pass for a command.
  return start && !commands_.is_integrated() ? 0 : start;
}

void Terminal::bell() {
  stream_.ring();
  const Offset after = screen_->position() + 1;
  states_.rang(after, is_new(after));
}

void Terminal::notice(std::uint64_t end, const vt::Notice& notice) {
  states_.noticed(notice, end, is_new(end));
}

void Terminal::replies_left_out(std::uint64_t count) {
  base::log(base::Level::info, "a program queries its terminal but does not read the answers",
            {{"terminal", child_.info.id.str()}, {"unanswered", count}});
}

void Terminal::tidy_after(std::chrono::milliseconds time) {
  if (std::exchange(is_tidying_, true)) return;
  tidying_.expires_after(time);
  tidying_.async_wait([this, self = weak_from_this()](const boost::system::error_code& error) {
    if (error || self.expired()) return;
    is_tidying_ = false;
    tidy();
  });
}

// Writes a checkpoint once output is quiet. Then freezes history beyond its size at rest, but only
// the part that no successor will write again.
void Terminal::tidy() {
  const auto silent = std::chrono::steady_clock::now() - last_output_;
  if (checkpoints_.is_due() && silent >= kQuiet && !is_held())
    checkpoints_.write_in_turns(*screen_, [this] { consume(); });
  if (is_held())
    tidy_after(kBetweenFreezes);
  else if (screen_->freeze_history(checkpoints_.history(), kFrozenATurn))
    tidy_after(kBetweenFreezes);
  else if (checkpoints_.is_due())
    tidy_after(kQuiet);
}

void Terminal::process_exited(const keeper::ChildExit& exit) {
  reported_exit_ = exit;
  look_for_exit();
}

void Terminal::look_for_exit() {
  if (exit_ || !reported_exit_ || screen_->position() < reported_exit_->offset) return;
  exit_ = reported_exit_->status;
  states_.exited(exit_code(*exit_));
  audience_.wake_all();
  progress_.notify();
  if (events_.exited) events_.exited(*this);
}

void Terminal::tell_title() {
  const std::string& title = screen_->state().titles.title;
  if (title == told_title_) return;
  told_title_ = title;
  events_.titled(*this);
}

// --- input and size ---

void Terminal::resize(vt::Size size) {
  if (!wanted_size_ && size == screen_->size()) return;
  const bool posted = wanted_size_.has_value();
  wanted_size_ = size;
  // Dragging a window sends many sizes. Only the last one of a turn counts.
  if (!posted)
    asio::post(executor_, [this, self = weak_from_this()] {
      if (!self.expired()) apply_size();
    });
}

void Terminal::apply_size() {
  if (!wanted_size_) return;
  const vt::Size size = *std::exchange(wanted_size_, std::nullopt);
  if (size == screen_->size()) return;
  stream_.snapshots().abandon();
  checkpoints_.abandon();
  catch_up();
  checkpoints_.abandon();
  const journal::Resize record{.offset = screen_->settled(),
                               .rows = static_cast<std::uint16_t>(size.rows),
                               .cols = static_cast<std::uint16_t>(size.cols)};
  journal::ResizeLog& log = child_.journal.resizes();
  auto recorded = log.record(record, checkpoints_.resizes());
  if (!recorded) {
    checkpoints_.write(*screen_);
    recorded = log.record(record, checkpoints_.resizes());
  }
  if (!recorded)
    base::log(base::Level::error, "cannot record a resize",
              {{"terminal", child_.info.id.str()}, {"error", recorded.error()}});
  const bool uncovers = screen_->would_uncover(size);
  screen_->resize(size);
  input_.set_size(size.rows, size.cols);
  // A resize reads the history. Checkpoint it before more history is written, so that a successor
  // need not repeat it.
  checkpoints_.write(*screen_);
  stream_.add(Stream::Resize{.offset = record.offset, .size = size, .uncovers = uncovers});
  audience_.wake();
  if (events_.resized) events_.resized(*this);
}

std::string Terminal::working_directory() const {
  return working_directory_of(screen_->state().working_directory, exit_ ? 0 : child_.info.pid,
                              child_.info.uid);
}

Activity Terminal::activity() const {
  return {.working_directory = working_directory(), .foreground = foreground()};
}

Foreground Terminal::foreground() const {
  const pid_t group = exit_ ? 0 : input_.foreground_group();
  if (group <= 0) return {};
  std::string name;
  std::ifstream comm("/proc/" + std::to_string(group) + "/comm");
  std::getline(comm, name);
  return {.name = name, .busy = group != child_.info.pid};
}

// --- viewers ---

void Terminal::attach(Viewer& viewer) {
  audience_.attach(viewer);
  apply_size();
}

void Terminal::show(Viewer& viewer) {
  audience_.take_control(viewer);
  apply_size();
}

void Terminal::set_theme(const vt::Theme& theme) {
  theme_ = theme;
  screen_->set_theme(theme);
}

void Terminal::set_orphan_grace(std::chrono::milliseconds grace) {
  grace_.set_time(grace);
  if (audience_.size() == 0) grace_.start();
}

void Terminal::first_viewer_came() {
  grace_.stop();
  if (events_.attached) events_.attached(*this);
}

void Terminal::orphaned() {
  grace_.start();
  if (events_.orphaned) events_.orphaned(*this);
}

}  // namespace terminal
