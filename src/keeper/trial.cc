#include "keeper/trial.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace keeper {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTrialTime{10'000};
constexpr milliseconds kLookAgain{20};
constexpr std::size_t kMostSaid = 4096;

}  // namespace

Trial::~Trial() {
  loop_.unwatch(output_, output_watch_);
  loop_.cancel(timer_);
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

base::Status Trial::start(const base::Fd& state) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) < 0)
    return base::fail(base::errno_error(errno, "make a pipe"));
  output_.reset(ends[0]);
  const base::Fd write_end(ends[1]);
  pid_ = ::fork();
  if (pid_ < 0)
    return base::fail(base::errno_error(errno, "start the trial of " + program_.native()));
  if (pid_ == 0) {
    ::dup2(state.get(), 0);
    ::dup2(write_end.get(), 1);
    ::dup2(write_end.get(), 2);
    ::close_range(3, ~0U, 0);
    ::execl(program_.c_str(), program_.c_str(), "--check-state", nullptr);
    const std::string reason = base::errno_error(errno, "run " + program_.native()).message();
    [[maybe_unused]] const ssize_t told = ::write(2, reason.data(), reason.size());
    ::_exit(127);
  }
  deadline_ = loop_.clock().now() + kTrialTime;
  auto watch = loop_.on_readable(output_, [this] { read_said(); });
  if (!watch) return base::fail(watch.error());
  output_watch_ = *watch;
  timer_ = loop_.after(kLookAgain, [this] { look(); });
  return {};
}

void Trial::read_said() {
  std::array<char, 1024> buffer{};
  const ssize_t size = ::read(output_.get(), buffer.data(), buffer.size());
  if (size > 0) {
    if (said_.size() < kMostSaid) said_.append(buffer.data(), static_cast<std::size_t>(size));
  } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
    loop_.unwatch(output_, output_watch_);
  }
}

void Trial::look() {
  timer_ = Loop::Id::none;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) == pid_) {
    pid_ = 0;
    return decide(status);
  }
  if (loop_.clock().now() >= deadline_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    said_ += "it did not finish in time";
    return decide(status);
  }
  timer_ = loop_.after(kLookAgain, [this] { look(); });
}

void Trial::decide(int status) {
  while (output_watch_ != Loop::Id::none) {
    const std::size_t before = said_.size();
    read_said();
    if (said_.size() == before) break;
  }
  const auto verdict = std::move(verdict_);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return verdict({});
  verdict(base::fail(base::Code::invalid_argument,
                     program_.native() + " cannot take over from this keeper: " +
                         (said_.empty() ? "it failed without a word" : said_),
                     "Nothing has changed; all terminals go on."));
}

}  // namespace keeper
