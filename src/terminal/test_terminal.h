// A terminal on a journal that the test writes.

#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>

#include <array>
#include <chrono>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "journal/test_journal.h"
#include "terminal/terminal.h"
#include "terminal/test_pty.h"

namespace terminal {

inline constexpr journal::Shape kTestShape{.replay = 64 * 1024,
                                           .slack = 4096,
                                           .history = 64 * 1024,
                                           .checkpoint = 256 * 1024,
                                           .rows = 4,
                                           .cols = 10};

// Another size than that, in which lines are folded.
inline constexpr vt::Size kNarrow{.cols = 7, .rows = 4};

// With room for `print_long_history`.
inline constexpr journal::Shape kLongShape{.replay = 64 * 1024,
                                           .slack = 4096,
                                           .history = 1 << 20,
                                           .checkpoint = 256 * 1024,
                                           .rows = 4,
                                           .cols = 80};

class TestTerminal {
 public:
  explicit TestTerminal(const journal::Shape& shape = kTestShape) : journal_(shape) {
    info.id = keeper::ChildId::parse("t").value();
    start();
  }
  ~TestTerminal() {
    stop();
    for (Daemon& daemon : dead_) end(daemon);
  }

  // A daemon that takes over where the last one was when it stopped, or was killed.
  void start(std::optional<Preamble> preamble = {}) {
    daemon_.io = std::make_unique<boost::asio::io_context>();
    keeper::AttachedChild child{.info = info,
                                .journal = journal_.open_consumer(),
                                .memory = base::duplicate(journal_.memory).value(),
                                .input = base::duplicate(pty_.master).value()};
    daemon_.terminal =
        Terminal::start(daemon_.io->get_executor(), std::move(child), settings,
                        {.exited = [this](Terminal&) { happened.emplace_back("exited"); },
                         .grace_over = [this](Terminal&) { happened.emplace_back("grace over"); },
                         .attached = [this](Terminal&) { happened.emplace_back("attached"); },
                         .orphaned = [this](Terminal&) { happened.emplace_back("orphaned"); },
                         .printed = [this](Terminal&) { happened.emplace_back("printed"); }},
                        std::move(preamble));
    run();
  }
  void stop() { end(daemon_); }
  // It gets no further, as after SIGKILL.
  void kill() { dead_.push_back(std::exchange(daemon_, {})); }

  // Everything that can happen now. In a flood the terminal rests before it reads on.
  void run() {
    run(daemon_);
    EXPECT_TRUE(run_until(
        [this] { return daemon_.terminal->screen().position() == journal_.producer.produced(); }));
    run(daemon_);
  }
  // Runs, timers too, until it holds. False if it does not for very long.
  bool run_until(std::predicate auto&& holds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!holds()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      io().restart();
      io().run_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  // What the program prints. With `run`, the terminal has read it when this returns.
  void print_without_running(std::string_view text) {
    while (!text.empty()) {
      const std::size_t size = journal_.write(text);
      text.remove_prefix(size);
      if (size == 0) run();
    }
  }
  void print(std::string_view text) {
    print_without_running(text);
    run();
  }
  // Prints so many rows that a snapshot of them takes several turns.
  void print_long_history() {
    const std::string text(70, 'x');
    for (int i = 0; i < 9000; ++i) print_without_running(std::to_string(i) + text + "\r\n");
    run();
  }
  // Prints it so often that the journal has forgotten all else, as nobody reads.
  void overwrite(std::string_view text) {
    for (std::size_t printed = 0; printed < 4 * kTestShape.replay; printed += text.size())
      journal_.write(text, journal::Limit::free);
  }
  void exit(int code = 0) {
    info.exit = {.status = {.code = code}, .offset = journal_.producer.produced()};
    daemon_.terminal->process_exited(*info.exit);
    run();
  }
  // What was typed, or answered.
  std::string typed() {
    run();
    // The kernel hands input over in the background. A read that finds nothing waits for that, so
    // the last one is never too early.
    std::string text;
    std::array<char, 4096> piece{};
    for (ssize_t size = 0; (size = ::read(pty_.slave.get(), piece.data(), piece.size())) > 0;)
      text.append(piece.data(), static_cast<std::size_t>(size));
    return text;
  }

  Terminal* operator->() const { return daemon_.terminal.get(); }
  const std::shared_ptr<Terminal>& shared() { return daemon_.terminal; }
  boost::asio::io_context& io() { return *daemon_.io; }
  // What a successor finds.
  journal::TestJournal& journal() { return journal_; }
  // The program's side of the PTY, for a program.
  [[nodiscard]] base::Fd open_slave() const {
    return base::Fd(::ioctl(pty_.master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  }

  TerminalSettings settings;
  keeper::ChildInfo info;  // What the keeper tells the next daemon.
  std::vector<std::string> happened;

 private:
  struct Daemon {
    std::unique_ptr<boost::asio::io_context> io;
    std::shared_ptr<Terminal> terminal;
  };
  static void run(Daemon& daemon) {
    daemon.io->restart();
    while (daemon.io->poll() > 0) {
    }
  }
  static void end(Daemon& daemon) {
    if (!daemon.terminal) return;
    boost::asio::co_spawn(
        *daemon.io, [&] { return daemon.terminal->stop(); }, [](const std::exception_ptr&) {});
    run(daemon);
    daemon.terminal.reset();
  }

  journal::TestJournal journal_;
  TestPty pty_;
  Daemon daemon_;
  std::vector<Daemon> dead_;
};

}  // namespace terminal
