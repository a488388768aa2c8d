#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "base/fd.h"
#include "base/printable.h"
#include "cli/cast.h"
#include "cli/command.h"
#include "cli/outer_terminal.h"
#include "vt/screen.h"
#include "vt/sgr_writer.h"

namespace cli {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

constexpr int kSignalled = 128;

// A row as text with colours, and nothing else that a terminal would act on.
std::string drawn(const vt::Row& row, int cols, const vt::Tables& tables) {
  std::string out = "\x1b[m";
  vt::StyleId style = 0;
  for (int x = 0; x < cols; ++x) {
    const vt::Cell cell = row.at(x);
    if (cell.is_spacer()) continue;
    if (cell.is_wide() && x + 1 == cols) break;
    if (cell.style != style) {
      style = cell.style;
      out += "\x1b[";
      vt::append_sgr(out, tables.styles[style]);
      out += 'm';
    }
    const std::string text = tables.text(cell);
    // What would have to be escaped is not shown: it would take other columns.
    out += text.empty() || base::printable(text) != text ? std::string(cell.is_wide() ? 2 : 1, ' ')
                                                         : text;
  }
  return out + "\x1b[m\x1b[K";
}

// Shows a screen in the outer terminal: the rows that have changed, and the cursor.
class Picture {
 public:
  explicit Picture(OuterTerminal& outer) : outer_(outer) {}

  void show(const vt::Screen& screen) {
    const OuterSize size = outer_.size();
    if (size != size_ || screen.size() != shown_) {
      rows_.clear();
      outer_.write_now("\x1b[m\x1b[H\x1b[2J");
    }
    size_ = size;
    shown_ = screen.size();
    const int rows = std::min(size.rows, screen.size().rows);
    const int cols = std::min(size.cols, screen.size().cols);
    rows_.resize(static_cast<std::size_t>(rows));
    std::string out;
    for (int y = 0; y < rows; ++y) {
      std::string row = drawn(screen.state().active().grid.row(y), cols, screen.state().tables);
      std::string& before = rows_[static_cast<std::size_t>(y)];
      if (row == before) continue;
      out += "\x1b[" + std::to_string(y + 1) + ";1H" + row;
      before = std::move(row);
    }
    const vt::Cursor cursor = screen.state().active().cursor;
    out += "\x1b[" + std::to_string(std::min(cursor.y, rows - 1) + 1) + ";" +
           std::to_string(std::min(cursor.x, cols - 1) + 1) + "H";
    out += screen.state().lasting.cursor_visible ? "\x1b[?25h" : "\x1b[?25l";
    outer_.was_drawn_on();
    outer_.write_now(out);
  }

 private:
  OuterTerminal& outer_;
  OuterSize size_{.cols = 0, .rows = 0};
  vt::Size shown_{.cols = 0, .rows = 0};
  std::vector<std::string> rows_;
};

// The signals that end it, as something to wait for.
base::Result<base::Fd> ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&set, number);
  if (::sigprocmask(SIG_BLOCK, &set, nullptr) != 0)
    return base::fail(base::errno_error(errno, "wait for signals"));
  base::Fd fd(::signalfd(-1, &set, SFD_CLOEXEC));
  if (!fd) return base::fail(base::errno_error(errno, "wait for signals"));
  return fd;
}

class Player {
 public:
  Player(OuterTerminal& outer, base::Fd signals)
      : outer_(outer), signals_(std::move(signals)), picture_(outer) {}

  // Returns the exit status.
  base::Result<int> play(std::istream& file, double speed, std::optional<double> idle_limit) {
    std::string line;
    std::getline(file, line);
    const auto size = parse_cast_header(line);
    if (!size) return base::fail(size.error());
    if (auto entered = outer_.enter(); !entered) return base::fail(entered.error());
    outer_.was_drawn_on();
    outer_.write_now("\x1b[?1049h");
    vt::Screen screen(*size);
    microseconds before{0};
    while (!ended_ && std::getline(file, line)) {
      if (line.empty()) continue;
      const auto event = parse_cast_event(line);
      if (!event) return base::fail(event.error());
      microseconds pause = std::max(event->time - before, microseconds(0));
      before = std::max(before, event->time);
      if (idle_limit)
        pause = std::min(pause, microseconds(static_cast<std::int64_t>(*idle_limit * 1e6)));
      wait(microseconds(static_cast<std::int64_t>(static_cast<double>(pause.count()) / speed)));
      if (event->kind == CastEvent::Kind::output) screen.feed(event->output);
      if (event->kind == CastEvent::Kind::resize) screen.resize(event->size);
      if (event->kind != CastEvent::Kind::other) picture_.show(screen);
    }
    return ended_.value_or(0);
  }

 private:
  // Until the time is over or somebody ends it. A space stops the time until the next one.
  void wait(microseconds time) {
    auto end = steady_clock::now() + time;
    std::optional<steady_clock::time_point> paused;
    while (!ended_) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - steady_clock::now());
      if (!paused && left.count() <= 0) return;
      pollfd polled[2] = {{.fd = outer_.input().get(), .events = POLLIN, .revents = 0},
                          {.fd = signals_.get(), .events = POLLIN, .revents = 0}};
      constexpr std::int64_t kLongest = 1'000'000;
      const int timeout = paused ? -1 : static_cast<int>(std::min(left.count(), kLongest));
      if (::poll(polled, 2, timeout) <= 0) continue;
      if (polled[1].revents != 0) return ended_by_signal();
      char keys[256];
      const ssize_t count = ::read(outer_.input().get(), keys, sizeof keys);
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
        ended_ = kSignalled + SIGHUP;
        return;
      }
      for (ssize_t i = 0; i < count; ++i) {
        constexpr char kControlC = 3;
        if (keys[i] == 'q') ended_ = 0;
        if (keys[i] == kControlC) ended_ = kSignalled + SIGINT;
        if (keys[i] != ' ') continue;
        if (paused) end += steady_clock::now() - *paused;
        paused = paused ? std::nullopt : std::optional(steady_clock::now());
      }
    }
  }

  void ended_by_signal() {
    signalfd_siginfo info{};
    const ssize_t size = ::read(signals_.get(), &info, sizeof info);
    ended_ = kSignalled + (size == sizeof info ? static_cast<int>(info.ssi_signo) : SIGTERM);
  }

  OuterTerminal& outer_;
  base::Fd signals_;
  Picture picture_;
  std::optional<int> ended_;
};

class PlayCommand final : public Command {
 public:
  explicit PlayCommand(const Arguments& holdfast)
      : Command(holdfast, "play", "Play a recording in this terminal", Where::here) {
    command().add_option("file", file_, "The recording, in asciicast v2").required();
    command()
        .add_option("--speed", speed_, "How many times as fast; 1 by default")
        .between(0.01, 1000);
    command().add_option("--idle-limit", idle_limit_, "The longest pause, in seconds").at_least(0);
    explain(
        command(), {"holdfast play build.cast --speed 2 --idle-limit 1"},
        "Space pauses, and q or Ctrl-C ends it. Only text, colours and cursor movements reach the "
        "terminal; other sequences in the recording are dropped.\n\n"
        "Exit status: 0 at the end or after q, 128 + n after signal n, 1 on errors.");
  }

  base::Result<int> run() override {
    std::ifstream file(file_);
    if (!file) return base::fail(base::errno_error(errno, "read " + file_));
    auto outer = OuterTerminal::open();
    if (!outer) return base::fail(outer.error());
    auto signals = ending_signals();
    if (!signals) return base::fail(signals.error());
    auto played = Player(**outer, std::move(*signals)).play(file, speed_, idle_limit_);
    (*outer)->leave();
    return played;
  }

 private:
  std::string file_;
  double speed_ = 1;
  std::optional<double> idle_limit_;
};

}  // namespace

std::unique_ptr<Command> make_play_command(const Arguments& holdfast) {
  return std::make_unique<PlayCommand>(holdfast);
}

}  // namespace cli
