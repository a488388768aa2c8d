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
#include "terminal/activity.h"
#include "terminal/audience.h"
#include "terminal/checkpoints.h"
#include "terminal/commands.h"
#include "terminal/delay.h"
#include "terminal/grace.h"
#include "terminal/input.h"
#include "terminal/keyboard.h"
#include "terminal/past_screen.h"
#include "terminal/preamble.h"
#include "terminal/settings.h"
#include "terminal/state_teller.h"
#include "terminal/stream.h"
#include "terminal/typing.h"
#include "terminal/viewer.h"
#include "vt/screen.h"

namespace terminal {

using ExitStatus = keeper::Exit;

// 0 to 255, or 128 + n for signal n, as in shells.
[[nodiscard]] int exit_code(const ExitStatus& status);

class Terminal final : public std::enable_shared_from_this<Terminal>, private vt::StreamSink {
 public:
  struct Events {
    std::function<void(Terminal&)> exited;      // After all output before the exit was read.
    std::function<void(Terminal&)> grace_over;  // It has been an orphan for too long.
    std::function<void(Terminal&)> attached;    // The first viewer has come.
    std::function<void(Terminal&)> orphaned;    // The last viewer has left.
    std::function<void(Terminal&)> printed;     // First output since `forget_printed`.
    std::function<void(Terminal&)> resized{};
    std::function<void(Terminal&)> titled{};   // Told once for changes in quick succession.
    std::function<void(Terminal&)> changed{};  // The same, of its state.
    std::function<void(Terminal&, const Notice&)> noticed{};
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

  // The keeper reports that the process has ended.
  void process_exited(const keeper::ChildExit& exit);

  [[nodiscard]] Typing& typing() { return typing_; }
  [[nodiscard]] Keyboard& keyboard() { return keyboard_; }
  // For clients that are not viewers. Viewers use Viewer::resize.
  void resize(vt::Size size);
  void set_orphan_grace(std::chrono::milliseconds grace);

  [[nodiscard]] const keeper::ChildInfo& info() const { return child_.info; }
  [[nodiscard]] const vt::Screen& screen() const { return *screen_; }
  [[nodiscard]] const Commands& commands() const { return commands_; }
  [[nodiscard]] StateTeller& states() { return states_; }
  [[nodiscard]] std::string working_directory() const;
  [[nodiscard]] Activity activity() const;
  [[nodiscard]] std::chrono::system_clock::time_point last_activity() const {
    return last_activity_;
  }
  void forget_printed() { printed_ = false; }
  // How the process ended. None while it runs or its last output is still being read.
  [[nodiscard]] const std::optional<ExitStatus>& exit() const { return exit_; }
  // --- for those who wait
  // Notified when there is more output, when the process has ended, and by `stop`.
  [[nodiscard]] base::Event& progress() { return progress_; }
  [[nodiscard]] bool has_stopped() const { return has_stopped_; }
  // Where the output ends that the program has printed so far. What is typed now is answered after
  // it. Between two sequences, unless there is more output than fits a turn.
  [[nodiscard]] journal::Offset mark();

  // --- for those who read the screen in several turns
  // The screen takes no output as long as this is held. Only a resize may still change it.
  [[nodiscard]] std::shared_ptr<const void> hold() const { return held_; }
  // The screen as it was. It must not outlive the terminal.
  [[nodiscard]] base::Result<PastScreen> past(journal::Offset offset) {
    return PastScreen::at(child_.journal, offset, stream_.had_preamble());
  }

  // --- for viewers
  void attach(Viewer& viewer);
  // It is shown again. Its next slices are for its size.
  void show(Viewer& viewer);
  [[nodiscard]] Stream& stream() { return stream_; }
  [[nodiscard]] Audience& audience() { return audience_; }

 private:
  Terminal(boost::asio::any_io_executor executor, keeper::AttachedChild child,
           const TerminalSettings& settings, Events events);

  void query(vt::ByteSpan span, const vt::Reply& reply) override;
  void edit(vt::Edit edit, By /*by*/) override { stream_.add(edit); }
  std::optional<std::uint64_t> shell_mark(std::uint64_t end, const vt::ShellMark& mark) override;
  void bell() override;
  void notice(std::uint64_t end, const vt::Notice& notice) override;
  [[nodiscard]] bool is_new(std::uint64_t end) const { return end > seen_from_; }
  void replies_left_out(std::uint64_t count);

  // recovery.cc
  [[nodiscard]] journal::InputLog input_log();
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
  // The screen is being read, so it must not change.
  [[nodiscard]] bool is_held() {
    return held_.use_count() > 1 || stream_.snapshots().is_at_work() || checkpoints_.is_at_work();
  }
  [[nodiscard]] Foreground foreground() const;
  void tidy_after(std::chrono::milliseconds time);
  void tidy();
  void look_for_exit();
  void tell_title();
  void apply_size();
  void set_theme(const vt::Theme& theme);
  void first_viewer_came();
  void orphaned();

  boost::asio::any_io_executor executor_;
  keeper::AttachedChild child_;
  Events events_;
  base::TaskScope tasks_;
  Input input_;
  Keyboard keyboard_;
  Typing typing_;

  std::unique_ptr<vt::Screen> screen_;
  vt::Theme theme_;
  Stream stream_;
  Audience audience_;
  Commands commands_;
  StateTeller states_;
  journal::Offset seen_from_ = 0;  // Output before this was printed while nobody looked.
  Checkpoints checkpoints_;
  std::shared_ptr<const void> held_ = std::make_shared<char>();
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
  Delay titling_;
  std::string told_title_;
  Grace grace_;
};

}  // namespace terminal
