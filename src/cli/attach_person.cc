// The side of the person: keys, the size of the window, signals.

#include <signal.h>

#include <array>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "cli/attach_session.h"

namespace cli {

namespace asio = boost::asio;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kMostKept = 4096;  // A second's typing, not a paste.
constexpr std::chrono::seconds kTimeToLeave{1};
constexpr int kSignalled = 128;

}  // namespace

AttachSession::Task<> AttachSession::read_keys() {
  std::array<char, 16 * 1024> buffer{};
  for (;;) {
    const auto [error, size] = co_await input_.async_read_some(asio::buffer(buffer), kNoThrow);
    if (error) co_return end("[the terminal was closed]", kSignalled + SIGHUP);
    const auto typed = options_.keys.take({buffer.data(), size});
    if (!options_.is_read_only) type(typed.rest);
    if (typed.detaches) detach();
  }
}

void AttachSession::type(std::string_view bytes) {
  if (bytes.empty() || detaches_) return;
  if (channel_ != 0)
    connection_->send_input(channel_, bytes);
  else if (!notice_is_shown_ && kept_input_.size() + bytes.size() <= kMostKept)
    kept_input_ += bytes;
}

void AttachSession::type_kept() {
  const std::string kept = std::exchange(kept_input_, {});
  type(kept);
}

// The daemon's answer says that it has taken everything that was typed before. A second press, or
// a daemon that does not answer, ends it at once.
void AttachSession::detach() {
  if (channel_ == 0 || std::exchange(detaches_, true))
    return end("[detached from " + options_.terminal.label + "]", 0);
  connection_->send("detach", {{"channel", channel_}}, kDetach);
  until_left_.expires_after(kTimeToLeave);
  until_left_.async_wait([this](const boost::system::error_code& error) {
    if (!error) detach();
  });
}

AttachSession::Task<> AttachSession::watch_signals() {
  for (const int number : {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT})
    signals_.add(number);
  for (;;) {
    const auto [error, number] = co_await signals_.async_wait(kNoThrow);
    if (error) co_return;
    if (number == SIGWINCH) {
      follow_size();
    } else if (number == SIGTSTP) {
      outer_.leave();
      ::raise(SIGSTOP);  // Returns when SIGCONT has come.
    } else if (number == SIGCONT) {
      resume_after_stop();
    } else {
      co_return end("[detached from " + options_.terminal.label + "]", kSignalled + number);
    }
  }
}

// Whoever had the terminal meanwhile may have changed anything.
void AttachSession::resume_after_stop() {
  if (auto entered = outer_.enter(); !entered) return fail(entered.error());
  redraw();
}

void AttachSession::follow_size() {
  const OuterSize size = outer_.size();
  if (channel_ == 0 || size == sizes_.back()) return;
  sizes_.push_back(size);
  connection_->send("resize", {{"channel", channel_}, {"rows", size.rows}, {"cols", size.cols}});
}

}  // namespace cli
