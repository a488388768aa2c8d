// A terminal as the daemon sees it: the journal that the keeper fills, the screen that follows it,
// the input and the viewers.
//
// Invariants
// 1. The screen gets every byte of the journal once, in order. `consumed` never passes what is
//    still needed: the latest checkpoint plus the replay, or the slowest lossless viewer's offset.
// 2. A resize happens at the same offset for everyone: screen, journal, viewers.
// 3. Every query is answered once: by this process or, if it dies first, by its successor.
// 4. The terminal lives on without viewers. If a grace period is set, it starts when the last
//    viewer leaves. An attach stops it.
// 5. `stop` must have been awaited before destruction. It does not touch the process.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/event.h"
#include "base/result.h"
#include "base/task_scope.h"
#include "keeper_client/client.h"
#include "terminal/audience.h"
#include "terminal/checkpoints.h"
#include "terminal/input.h"
#include "terminal/stream.h"
#include "terminal/viewer.h"
#include "vt/screen.h"

namespace terminal {

using ExitStatus = keeper::Exit;

// 0 to 255, or 128 + n for signal n, as in shells.
[[nodiscard]] int exit_code(const ExitStatus& status);

// The program in the terminal's foreground.
struct Foreground {
  std::string name;   // Empty if unknown.
  bool busy = false;  // It is not the program that the terminal was created with.
};

// What runs in the terminal right now. Finding out takes system calls.
struct Doing {
  std::string working_directory;
  Foreground foreground;
};

struct TerminalSettings {
  std::chrono::milliseconds orphan_grace{0};  // 0: orphans stay forever.
  std::size_t input_limit = 8 * 1024 * 1024;
};

// What a restored terminal shows before its program's first byte: the saved rows at their old
// width, then a line that marks them.
struct Preamble {
  std::string rows;  // As output.
  int cols = 80;
  std::string mark;
};

class Terminal final : public std::enable_shared_from_this<Terminal>, private vt::StreamSink {
 public:
  struct Events {
    std::function<void(Terminal&)> exited;      // After all output before the exit was read.
    std::function<void(Terminal&)> grace_over;  // It has been an orphan for too long.
    std::function<void(Terminal&)> attached;    // The first viewer has come.
    std::function<void(Terminal&)> orphaned;    // The last viewer has left.
    std::function<void(Terminal&)> printed;     // First output since `forget_printed`.
  };

  // Rebuilds the screen from the journal and starts to follow it. A preamble is shown first, but
  // only if the journal has no checkpoint: every checkpoint includes it.
  static std::shared_ptr<Terminal> start(boost::asio::any_io_executor executor,
                                         keeper::AttachedChild child,
                                         const TerminalSettings& settings, Events events,
                                         std::optional<Preamble> preamble = {});
  ~Terminal() override;
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // A successor finds everything in the journal.
  boost::asio::awaitable<void> stop();
  void detach_viewers(Detached why, const Viewer* except = nullptr) {
    audience_.let_go_all(why, except);
  }

  // The keeper reports that the process has ended.
  void process_exited(const keeper::ChildExit& exit);

  [[nodiscard]] base::Status write(std::string_view bytes);
  // Writes it as pasted text; see terminal/paste.h.
  [[nodiscard]] base::Status paste(std::string_view text);
  // For clients that are not viewers. Viewers use Viewer::resize.
  void resize(vt::Size size);
  void set_orphan_grace(std::chrono::milliseconds grace);

  [[nodiscard]] const keeper::ChildId& id() const { return child_.info.id; }
  [[nodiscard]] const keeper::ChildInfo& info() const { return child_.info; }
  [[nodiscard]] const vt::Screen& screen() const { return *screen_; }
  [[nodiscard]] std::string title() const { return screen_->state().titles.title; }
  [[nodiscard]] std::string working_directory() const;
  [[nodiscard]] Foreground foreground() const;
  [[nodiscard]] Doing doing() const {
    return {.working_directory = working_directory(), .foreground = foreground()};
  }
  [[nodiscard]] std::chrono::system_clock::time_point last_activity() const {
    return last_activity_;
  }
  void forget_printed() { printed_ = false; }
  // How the process ended. None while it runs or its last output is still being read.
  [[nodiscard]] const std::optional<ExitStatus>& exit() const { return exit_; }
  [[nodiscard]] std::size_t viewers() const { return audience_.size(); }

  // --- for those who wait

  // Notified when there is more output, when the process has ended, and by `stop`.
  [[nodiscard]] base::Event& progress() { return progress_; }
  [[nodiscard]] bool has_stopped() const { return has_stopped_; }
  // Where the output ends that the program has printed so far. What is typed now is answered after
  // it. Between two sequences, unless there is more output than fits a turn.
  [[nodiscard]] journal::Offset mark();

  // --- for viewers

  void attach(Viewer& viewer);
  [[nodiscard]] Stream& stream() { return stream_; }
  [[nodiscard]] Audience& audience() { return audience_; }

 private:
  Terminal(boost::asio::any_io_executor executor, keeper::AttachedChild child,
           const TerminalSettings& settings, Events events);

  void query(vt::ByteSpan span, const vt::Reply& reply) override;
  void edit(vt::Edit edit, By /*by*/) override { stream_.add(edit); }
  void replies_left_out(std::uint64_t count);

  // recovery.cc
  void recover(const std::optional<Preamble>& preamble);
  [[nodiscard]] vt::HistoryPosition show_preamble(const Preamble& preamble, vt::Size size,
                                                  std::string& screen);
  void replay_from(journal::Offset from);
  [[nodiscard]] vt::History history_at(vt::HistoryPosition position);
  void restart_screen_at(journal::Offset offset);

  boost::asio::awaitable<void> pump();
  bool take();
  void catch_up();
  void consume();
  // A snapshot of the screen is being made, so it must not change.
  [[nodiscard]] bool is_held() {
    return stream_.snapshots().is_at_work() || checkpoints_.is_at_work();
  }
  void tidy_after(std::chrono::milliseconds time);
  void tidy();
  void look_for_exit();
  void apply_size();
  void set_theme(const vt::Theme& theme);
  void first_viewer_came();
  void orphaned();
  void start_grace();

  boost::asio::any_io_executor executor_;
  keeper::AttachedChild child_;
  TerminalSettings settings_;
  Events events_;
  base::TaskScope tasks_;
  Input input_;

  std::unique_ptr<vt::Screen> screen_;
  vt::Theme theme_;
  Stream stream_;
  Audience audience_;
  Checkpoints checkpoints_;
  bool printed_ = false;
  std::optional<keeper::ChildExit> reported_exit_;
  std::optional<ExitStatus> exit_;
  base::Event progress_;
  bool has_stopped_ = false;
  std::chrono::system_clock::time_point last_activity_;
  std::chrono::steady_clock::time_point last_output_;
  std::optional<vt::Size> wanted_size_;

  static constexpr std::chrono::milliseconds kQuiet{100};
  boost::asio::steady_timer tidying_;
  bool is_tidying_ = false;

  boost::asio::steady_timer grace_;
  // A cancelled timer may still fire; the number tells it from the current one.
  std::uint64_t grace_number_ = 0;
};

}  // namespace terminal
