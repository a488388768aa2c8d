// A child with a real process, and the consumer of its journal.

#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/process.h"
#include "journal/test_journal.h"
#include "keeper/child.h"
#include "keeper/state.h"
#include "keeper/test_loop.h"

namespace keeper {

inline SpawnSpec command(std::vector<std::string> argv, Kind kind = Kind::terminal) {
  SpawnSpec spec;
  spec.kind = kind;
  spec.argv = std::move(argv);
  return spec;
}
inline SpawnSpec script(std::string_view text, Kind kind = Kind::terminal) {
  return command({"sh", "-c", std::string(text)}, kind);
}

// More than the journal's slack. The kernel holds it all for a terminal that nobody reads: 8 KiB.
inline constexpr std::size_t kMuch = 6000;
inline constexpr std::string_view kPrintMuch = "printf %6000s; ";

class TestChild final : private ChildEvents {
 public:
  TestChild() { ::getrlimit(RLIMIT_NOFILE, &host.files); }
  explicit TestChild(SpawnSpec spec) : TestChild() { EXPECT_TRUE(start(std::move(spec))); }
  explicit TestChild(std::string_view text) : TestChild(script(text)) {}
  // No process stays behind.
  ~TestChild() {
    if (!child_ || has("gone")) return;
    child_->close(std::chrono::milliseconds(0));
    EXPECT_TRUE(run_until([this] { return has("gone"); }, kSecond));
  }

  base::Status start(SpawnSpec spec, const journal::Shape& shape = journal::kSmallShape) {
    auto started =
        Child::start(ChildId::parse("c").value(), std::move(spec), shape, host, *loop, *this);
    if (!started) return base::fail(started.error());
    child_ = std::move(*started);
    open_consumer();
    return {};
  }

  // Runs until it holds, looking for exits as SIGCHLD would tell. For the timers so much time
  // passes with each turn.
  bool run_until(std::predicate auto&& holds, std::chrono::milliseconds each_turn = {}) {
    return loop.run_until([&] {
      if (holds()) return true;
      child_->check_exit();
      loop.pass(each_turn);
      return false;
    });
  }
  bool run_until_told(std::string_view what, std::chrono::milliseconds each_turn = {}) {
    return run_until([&] { return has(what); }, each_turn);
  }
  // Runs until the journal holds that text. It stays unread.
  bool run_until_printed(std::string_view text) {
    return run_until([&] { return unread().contains(text); });
  }
  // Waits until its process has ended. The child has not noticed.
  [[nodiscard]] bool process_ends() const {
    return base::Process::open(pid())->has_ended(std::chrono::seconds(20));
  }
  [[nodiscard]] bool is_reaped() const {
    const auto stat = base::stat_of(pid());
    return !stat && stat.error().code == base::Code::not_found;
  }

  // The keeper becomes another program, which goes on with the descriptors of the same numbers.
  // `meanwhile` is done after the old one's end, and may add to what it has saved.
  void upgrade(const std::function<void(Message&)>& meanwhile = {}) {
    Message saved(Tag::saved_child);
    child_->save(saved);
    std::vector<std::pair<int, base::Fd>> open;
    for (const base::Fd* fd : child_->saved_descriptors())
      open.emplace_back(fd->get(), base::duplicate(*fd).value());
    if (meanwhile) meanwhile(saved);
    const auto state = write_state({Message(Tag::saved_keeper), saved});
    child_.reset();
    for (const auto& [number, fd] : open) ASSERT_EQ(::dup2(fd.get(), number), number);
    ASSERT_TRUE(restore(read_state(*state).value().at(1)));
  }
  base::Status restore(const Message& saved) {
    auto restored = Child::restore(saved, *loop, *this);
    if (!restored) return base::fail(restored.error());
    child_ = std::move(*restored);
    return {};
  }

  // What the consumer has not read.
  [[nodiscard]] std::string unread() const {
    return journal::text_of(*consumer->view(consumer->consumed(), 1 << 20));
  }
  // The same, and now it has.
  std::string read() {
    std::string text = unread();
    EXPECT_TRUE(consumer->advance(consumer->consumed() + text.size()));
    return text;
  }
  // Reads that many bytes, while the child runs.
  std::string read(std::size_t size) {
    std::string text;
    EXPECT_TRUE(run_until([&] { return (text += read()).size() >= size; })) << text.size();
    return text;
  }

  [[nodiscard]] Message described() const {
    Message message(Tag::child);
    child_->describe(message);
    return message;
  }
  [[nodiscard]] pid_t pid() const { return static_cast<pid_t>(*described().number(Field::pid)); }
  [[nodiscard]] bool has(std::string_view what) const {
    return std::ranges::find(happened, what) != happened.end();
  }
  Child* operator->() { return child_.get(); }

  static constexpr std::chrono::milliseconds kSecond{1000};
  TestLoop loop;
  Host host;
  std::vector<std::string> happened;
  base::Status outcome;
  std::optional<journal::Consumer> consumer;

 private:
  void child_started(Child&, const base::Status& status) override {
    outcome = status;
    happened.emplace_back(status ? "started" : "failed");
  }
  void child_exited(Child&) override { happened.emplace_back("exited"); }
  void child_gone(Child&) override { happened.emplace_back("gone"); }

  void open_consumer() {
    std::vector<base::Fd> copies;
    for (const int fd : child_->descriptors()) copies.emplace_back(::dup(fd));
    journal::Wakeups wakeups{.data = journal::Wakeup(std::move(copies[1])),
                             .space = journal::Wakeup(std::move(copies[2]))};
    consumer.emplace(journal::Consumer::open(copies[0], std::move(wakeups)).value());
  }

  std::unique_ptr<Child> child_;
};

}  // namespace keeper
