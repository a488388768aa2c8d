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
constexpr std::chrono::milliseconds kTimeForSequence{50};
constexpr int kSignalled = 128;

}  // namespace

AttachSession::Task<> AttachSession::read_keys() {
  std::array<char, 16 * 1024> buffer{};
  for (;;) {
    const auto [error, size] = co_await input_.async_read_some(asio::buffer(buffer), kNoThrow);
    if (error) {
      until_answered_.cancel();
      input_.close();
      co_return end("[the terminal was closed]", kSignalled + SIGHUP);
    }
    come_in({buffer.data(), size});
  }
}

// The rest of a sequence that has begun, if it is one and not the Escape key, follows at once.
void AttachSession::come_in(std::string_view bytes) {
  const std::size_t known = answers_.theme().size();
  typed_ += answers_.take(bytes);
  if (answers_.theme().size() != known) tell_colours();
  if (answers_.is_answered()) until_answered_.cancel();
  use_typed();
  if (!answers_.is_waiting() && typed_.empty()) return;
  until_key_.expires_after(kTimeForSequence);
  until_key_.async_wait([this](const boost::system::error_code& error) {
    if (!error) end_of_sequence();
  });
}

void AttachSession::end_of_sequence() {
  typed_ += answers_.give_up();
  use_typed();
  if (menu_.is_open() && !typed_.empty())
    if (const auto item = menu_.take_rest(typed_)) choose(*item);
}

// Leaves the beginning of a sequence that the menu may need.
void AttachSession::use_typed() {
  while (!typed_.empty() && !ending_) {
    std::optional<AttachMenu::Item> item;
    if (menu_.is_open()) {
      item = menu_.take(typed_);
      if (!item) return show_cover();
    } else {
      const auto typed = options_.keys.take(typed_);
      if (!options_.is_read_only) type(typed.rest);
      item = typed.item;
      typed_ = std::string(typed.after);
    }
    if (item) choose(*item);
  }
}

void AttachSession::tell_colours() {
  if (is_talking_ && !answers_.theme().empty()) connection_->send("theme", answers_.theme());
}

// What the outer terminal answers after this has ended would be typed into the shell.
AttachSession::Task<> AttachSession::wait_for_answers() {
  if (!answers_.is_answered() && input_.is_open())
    (void)co_await until_answered_.async_wait(kNoThrow);
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
  menu_.close();
  view_.forget();
  redraw();
}

void AttachSession::follow_size() {
  const OuterSize size = outer_.size();
  if (menu_.is_open() || notice_is_shown_) show_cover();
  if (channel_ == 0 || size == sizes_.back()) return;
  sizes_.push_back(size);
  connection_->send("resize", {{"channel", channel_}, {"rows", size.rows}, {"cols", size.cols}});
}

}  // namespace cli
