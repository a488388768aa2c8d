#include "keeper/child.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/log.h"
#include "keeper/process_table.h"

namespace keeper {
namespace {

using std::chrono::milliseconds;

// More than the kernel buffers for a terminal. After reading this much, everything that was written
// before the exit has been read.
constexpr std::size_t kDrainAfterExit = 128 * 1024;
constexpr milliseconds kFirstKillPause{5};
constexpr milliseconds kLongestKillPause{1000};
constexpr milliseconds kFirstSettlePause{5};
constexpr milliseconds kLongestSettlePause{60'000};
constexpr milliseconds kLongestClosePause{100};
constexpr milliseconds kReadRetry{500};
// After this long without output, the journal memory beyond the replay is released, if it is worth
// a system call.
constexpr milliseconds kQuiet{1000};
constexpr std::uint64_t kWorthGivingBack = 32 * 1024;

Exit exit_from(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return {.code = info.si_status, .signal = 0};
  return {.code = 0, .signal = info.si_status};
}

// Keeps enough of a command line to tell children apart.
void shorten(std::vector<std::string>& argv) {
  std::size_t left = 1024;
  for (std::string& argument : argv) {
    argument.resize(std::min(argument.size(), left));
    left -= argument.size();
  }
  std::erase_if(argv, [](const std::string& argument) { return argument.empty(); });
}

// The cgroup for a new child. Empty if the child needs none, or if none is available and it can do
// without.
base::Result<std::optional<Cgroup>> cgroup_for(const ChildId& id, const SpawnSpec& spec,
                                               const Host& host) {
  const Limits& limits = spec.confinement.limits;
  const bool is_needed = limits.memory || limits.processes;
  if (!is_needed && spec.kind != Kind::terminal && !spec.confinement.is_any()) return std::nullopt;
  if (!host.cgroup && !is_needed) return std::nullopt;
  if (!host.cgroup)
    return base::fail(base::Code::unsupported,
                      "the keeper has no cgroup to limit memory and processes in",
                      "Let systemd delegate one (Delegate=yes in the keeper's unit), or remove "
                      "terminal_memory and terminal_processes from the settings.");
  auto made = Cgroup::create(*host.cgroup, limits);
  if (made) return std::move(*made);
  if (is_needed) return base::fail(made.error());
  base::log(base::Level::warning, "cannot create a cgroup for a child",
            {{"id", id.str()}, {"error", made.error()}});
  return std::nullopt;
}

}  // namespace

Child::Child(ChildId id, Loop& loop, ChildEvents& events, journal::Producer producer)
    : id_(std::move(id)), loop_(loop), events_(events), producer_(std::move(producer)) {}

Child::~Child() {
  unwatch_output();
  loop_.unwatch(producer_.wakeups().space.fd(), space_watch_);
  loop_.unwatch(outcome_, outcome_watch_);
  loop_.cancel(kill_timer_);
  loop_.cancel(retry_timer_);
  loop_.cancel(settle_timer_);
  loop_.cancel(quiet_timer_);
  drop_cgroup();
}

base::Result<std::unique_ptr<Child>> Child::start(ChildId id, SpawnSpec spec,
                                                  const journal::Shape& shape, const Host& host,
                                                  Loop& loop, ChildEvents& events) {
  auto memory = journal::create_memory(shape);
  if (!memory) return base::fail(memory.error());
  auto wakeups = journal::Wakeups::create();
  if (!wakeups) return base::fail(wakeups.error());
  auto producer = journal::Producer::open(std::move(*memory), std::move(*wakeups), 0);
  if (!producer) return base::fail(producer.error());
  auto cgroup = cgroup_for(id, spec, host);
  if (!cgroup) return base::fail(cgroup.error());
  std::unique_ptr<Child> child(new Child(std::move(id), loop, events, std::move(*producer)));
  child->cgroup_ = std::move(*cgroup);
  auto group = child->cgroup_ ? child->cgroup_->open() : base::Fd();
  if (!group) return base::fail(group.error());
  auto spawned = spawn(spec, host.files, *group);
  if (!spawned) return base::fail(spawned.error());

  child->spec_ = std::move(spec);
  child->created_ = static_cast<std::uint64_t>(
      std::chrono::duration_cast<milliseconds>(loop.clock().wall().time_since_epoch()).count());
  child->pid_ = spawned->pid;
  child->output_ = std::move(spawned->output);
  child->slave_ = std::move(spawned->slave);
  child->outcome_ = std::move(spawned->outcome);
  if (auto watched = child->watch_all(); !watched) {
    ::kill(child->pid_, SIGKILL);
    ::waitpid(child->pid_, nullptr, 0);
    return base::fail(watched.error());
  }
  return child;
}

base::Status Child::watch_all() {
  auto space =
      loop_.on_readable(producer_.wakeups().space.fd(), [this] { resume(); }, Loop::Trigger::edge);
  if (!space) return base::fail(space.error());
  space_watch_ = *space;
  if (outcome_) {
    auto outcome = loop_.on_readable(outcome_, [this] { look_at_outcome(); });
    if (!outcome) return base::fail(outcome.error());
    outcome_watch_ = *outcome;
  }
  watch_output();
  give_back_when_quiet();
  return {};
}

void Child::watch_output() {
  if (!output_ || output_watch_ != Loop::Id::none) return;
  auto watch = loop_.on_readable(output_, [this] { read_output(); });
  if (watch) {
    output_watch_ = *watch;
    return;
  }
  // The kernel is out of memory. The output waits in the terminal, and the program waits once that
  // is full.
  base::log(base::Level::error, "cannot watch a child's output now",
            {{"id", id_.str()}, {"error", watch.error()}});
  loop_.cancel(retry_timer_);
  retry_timer_ = loop_.after(kReadRetry, [this] { resume(); });
}

void Child::unwatch_output() {
  loop_.unwatch(output_, output_watch_);
}

void Child::read_output() {
  if (exit_ && !exit_offset_) return drain();
  // If there is room after all, the next wake-up reads.
  if (read_once() == Read::no_room) (void)pause();
}

Child::Read Child::read_once() {
  const auto room = producer_.room(limit_);
  if (room.empty()) return Read::no_room;
  const ssize_t size = ::read(output_.get(), room.data(), room.size());
  if (size > 0) {
    producer_.publish(static_cast<std::size_t>(size));
    give_back_when_quiet();
    if (exit_) drain_left_ -= std::min(drain_left_, static_cast<std::size_t>(size));
    return Read::some;
  }
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return Read::none;
  if (size < 0 && errno != EIO) {
    // Not the end of output but a failure, such as no memory for the ring's page. The bytes wait in
    // the terminal.
    base::log(base::Level::error, "cannot read a child's output now",
              {{"id", id_.str()}, {"error", base::errno_error(errno, "read")}});
    unwatch_output();
    loop_.cancel(retry_timer_);
    retry_timer_ = loop_.after(kReadRetry, [this] { resume(); });
    return Read::none;
  }
  end_output();
  return Read::none;
}

void Child::give_back_when_quiet() {
  if (quiet_timer_ != Loop::Id::none || producer_.spare() < kWorthGivingBack) return;
  quiet_timer_ = loop_.after(kQuiet, [this, produced = producer_.produced()] {
    quiet_timer_ = Loop::Id::none;
    if (producer_.produced() != produced) return give_back_when_quiet();
    if (auto given = producer_.give_back(); !given)
      base::log(base::Level::warning, "cannot release unused journal memory",
                {{"id", id_.str()}, {"error", given.error()}});
  });
}

// After the leader exited: reads what it had written, then announces the exit.
void Child::drain() {
  while (output_ && drain_left_ > 0) {
    const Read read = read_once();
    if (read == Read::no_room && pause()) return;
    if (read == Read::none) break;
  }
  if (retry_timer_ != Loop::Id::none) return;
  exit_offset_ = producer_.produced();
  events_.child_exited(*this);
  settle();
}

// The PTY hung up, or the pipe's last writer closed it.
void Child::end_output() {
  unwatch_output();
  output_.reset();
  producer_.end();
  if (exit_offset_) settle();
}

bool Child::pause() {
  if (!producer_.sleep()) return false;
  unwatch_output();
  return true;
}

void Child::resume() {
  if (gone_) return;
  loop_.cancel(retry_timer_);
  producer_.awake();
  watch_output();
  if (exit_ && !exit_offset_) drain();
}

void Child::set_limit(journal::Limit limit) {
  limit_ = limit;
  if (limit == journal::Limit::free) resume();
}

void Child::look_at_outcome() {
  const auto outcome = outcome_of(outcome_, spec_);
  if (!outcome) return;
  loop_.unwatch(outcome_, outcome_watch_);
  outcome_.reset();
  shorten(spec_.argv);
  if (!*outcome) {
    // It has reported and is exiting, so this wait is short.
    ::waitpid(pid_, nullptr, 0);
    reaped_ = true;
    drop_cgroup();
  }
  events_.child_started(*this, *outcome);
}

void Child::check_exit() {
  if (exit_ || reaped_) return;
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) < 0) {
    base::log(base::Level::error, "cannot wait for a child",
              {{"id", id_.str()}, {"pid", pid_}, {"error", base::errno_error(errno, "waitid")}});
    return;
  }
  if (info.si_pid != pid_) return;
  if (outcome_) look_at_outcome();
  if (reaped_) return;
  exit_ = exit_from(info);
  slave_.reset();
  drain_left_ = kDrainAfterExit;
  drain();
  // Closing must not wait for a consumer that leaves no room for the last output.
  if (!exit_offset_) settle();
}

// Reaps the leader once its session is empty, and reports the end of a closed child. Until then the
// leader stays a zombie: its pid names the session and must not be reused.
void Child::settle() {
  if (exit_ && !reaped_) {
    const auto members = members_of_session(pid_);
    if (members && members->empty()) {
      ::waitpid(pid_, nullptr, 0);
      reaped_ = true;
    } else if (!output_) {
      // No event will report the end of the last member: it has closed the terminal, or is about to
      // end.
      settle_later(kLongestSettlePause);
    }
  }
  if (!closing_ || !reaped_ || gone_) return;
  if (cgroup_ && !cgroup_->is_empty()) return settle_later(kLongestClosePause);
  gone_ = true;
  loop_.cancel(kill_timer_);
  loop_.cancel(settle_timer_);
  drop_cgroup();
  events_.child_gone(*this);
}

void Child::drop_cgroup() {
  if (cgroup_) cgroup_->remove();
  cgroup_.reset();
}

void Child::settle_later(milliseconds longest) {
  settle_pause_ = std::clamp(2 * settle_pause_, kFirstSettlePause, longest);
  loop_.cancel(settle_timer_);
  settle_timer_ = loop_.after(settle_pause_, [this] { settle(); });
}

void Child::close(milliseconds grace) {
  if (closing_) return;
  closing_ = true;
  settle();
  if (gone_) return;
  hang_up();
  kill_at_ = loop_.clock().now() + grace;
  kill_timer_ = loop_.after(grace, [this] { kill_members(); });
}

void Child::hang_up() {
  if (cgroup_) cgroup_->terminate_all_outside(reaped_ ? 0 : pid_);
  if (reaped_) return;
  const bool is_terminal = spec_.kind == Kind::terminal;
  const int signal = is_terminal ? SIGHUP : SIGTERM;
  const pid_t foreground = output_ && is_terminal ? ::tcgetpgrp(output_.get()) : pid_;
  for (const int number : {signal, SIGCONT}) {
    // The id of a group that has ended may have been reused. Only the leader's own is certain.
    if (foreground == pid_)
      ::kill(-pid_, number);
    else if (foreground > 1)
      signal_group(foreground, pid_, number);
    if (!exit_) ::kill(pid_, number);
  }
}

void Child::kill_members() {
  kill_timer_ = Loop::Id::none;
  if (!reaped_) kill_session();
  if (cgroup_)
    if (auto killed = cgroup_->kill(); !killed)
      base::log(base::Level::error, "cannot kill a child's cgroup now",
                {{"id", id_.str()}, {"error", killed.error()}});
  settle();
  if (gone_) return;
  kill_pause_ = std::clamp(2 * kill_pause_, kFirstKillPause, kLongestKillPause);
  kill_timer_ = loop_.after(kill_pause_, [this] { kill_members(); });
}

void Child::kill_session() {
  // A child that has not called setsid yet is not found by its session. Its pid is ours until it is
  // reaped.
  if (!exit_) ::kill(pid_, SIGKILL);
  const auto members = members_of_session(pid_);
  if (members)
    for (const pid_t member : *members) signal_member(member, pid_, SIGKILL);
  else
    base::log(base::Level::error, "cannot list a child's processes now",
              {{"id", id_.str()}, {"error", members.error()}});
}

State Child::state() const {
  if (closing_) return State::closing;
  if (exit_offset_) return State::exited;
  return outcome_ ? State::starting : State::running;
}

void Child::describe(Message& message) const {
  winsize size{.ws_row = spec_.rows, .ws_col = spec_.cols, .ws_xpixel = 0, .ws_ypixel = 0};
  if (output_)
    ::ioctl(output_.get(), TIOCGWINSZ, &size);  // Fails for a pipe and leaves `size` alone.
  message.add(Field::id, id_.str())
      .add(Field::kind, static_cast<std::uint64_t>(spec_.kind))
      .add(Field::pid, static_cast<std::uint64_t>(pid_))
      .add(Field::state, static_cast<std::uint64_t>(state()))
      .add(Field::created, created_)
      .add(Field::rows, std::uint64_t{size.ws_row})
      .add(Field::cols, std::uint64_t{size.ws_col})
      .add(Field::produced, producer_.produced())
      .add(Field::argv, spec_.argv);
  if (!spec_.label.empty()) message.add(Field::label, spec_.label);
  if (const auto& account = spec_.confinement.account)
    message.add(Field::uid, std::uint64_t{account->uid});
  if (exit_offset_) describe_exit(message);
}

void Child::describe_exit(Message& message) const {
  add_exit(message, *exit_);
  message.add(Field::offset, *exit_offset_);
}

std::vector<int> Child::descriptors() const {
  std::vector<int> descriptors{producer_.memory().get(), producer_.wakeups().data.fd().get(),
                               producer_.wakeups().space.fd().get()};
  if (output_ && spec_.kind == Kind::terminal) descriptors.push_back(output_.get());
  return descriptors;
}

}  // namespace keeper
