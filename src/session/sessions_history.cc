// The part of Sessions that saves what terminals show, so that a reboot does not take it.
//
// In rounds: half a second after the first output that is not saved, each terminal that has some is
// saved, one after the other. What a round costs is rested for three times as long, so a flood in
// every terminal takes at most a quarter of one processor, and the loop itself only copies rows.

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "session/sessions.h"
#include "vt/saved_rows.h"

namespace session {

namespace asio = boost::asio;
using asio::awaitable;
using std::chrono::nanoseconds;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::milliseconds kRound{500};
constexpr int kShare = 4;  // One part work, the others rest.
constexpr std::chrono::seconds kAfterFailure{10};
// A daemon that another takes over from has 5 seconds for everything.
constexpr std::chrono::seconds kLastRound{3};

}  // namespace

void Sessions::begin_saving_histories() {
  std::set<std::string> known;
  if (settings_.save_history)
    for (const auto& [id, held] : terminals_) known.insert(id);
  // Of those that a damaged database knew, the files may still be wanted.
  if (!settings_.save_history || !store_.recovered_from()) histories_.keep_only(std::move(known));
  tasks_.spawn([this]() -> awaitable<void> { co_await save_histories(); });
}

void Sessions::set_save_history(bool save) {
  if (std::exchange(settings_.save_history, save) == save) return;
  changed_histories_.clear();
  if (!save) return histories_.keep_only({});
  for (const auto& [id, held] : terminals_) history_changed(id);
}

void Sessions::history_changed(const std::string& id) {
  if (!settings_.save_history) return;
  if (changed_histories_.empty()) changed_since_ = std::chrono::steady_clock::now();
  changed_histories_.insert(id);
  history_changed_.cancel();
}

awaitable<void> Sessions::save_histories() {
  asio::steady_timer pause(executor_);
  base::MonotonicTime rested{};
  for (;;) {
    if (changed_histories_.empty()) {
      co_await history_changed_.async_wait(kNoThrow);
      continue;
    }
    pause.expires_at(std::max(rested, changed_since_ + kRound));
    if (const auto [error] = co_await pause.async_wait(kNoThrow); error) co_return;
    const auto began = std::chrono::steady_clock::now();
    const nanoseconds work = co_await save_round();
    rested = began + kShare * work;
    if (histories_fail_) rested = began + kAfterFailure;
  }
}

awaitable<nanoseconds> Sessions::save_round() {
  nanoseconds work{0};
  changed_since_ = std::chrono::steady_clock::now();
  // One by one: what a daemon that ends has not come to is saved by its last round.
  for (const std::string& id : std::set<std::string>(changed_histories_)) {
    changed_histories_.erase(id);
    work += co_await save_history(id);
  }
  if (auto flushed = co_await histories_.flush(); !flushed && !histories_fail_)
    base::log(base::Level::error, "saved histories cannot be flushed",
              {{"error", flushed.error()}});
  co_return work;
}

// Returns the processor time that it took.
awaitable<nanoseconds> Sessions::save_history(std::string id) {
  const auto found = terminals_.find(id);
  if (found == terminals_.end() || !settings_.save_history) co_return nanoseconds(0);
  Held& held = found->second;
  if (!held.terminal || held.closing || held.lifetime == Lifetime::connection)
    co_return nanoseconds(0);
  const auto began = std::chrono::steady_clock::now();
  held.terminal->forget_printed();
  const vt::Screen& screen = held.terminal->screen();
  SavedHistory history{.saved = std::chrono::system_clock::now(),
                       .size = screen.size(),
                       .rows = vt::save_rows(screen, kMostSavedRows)};
  // The store learns where the shell went when there is something else to be saved, too.
  const std::string directory = held.terminal->working_directory();
  if (!directory.empty() && directory != held.saved_directory) save(id);
  const nanoseconds copied = std::chrono::steady_clock::now() - began;
  const auto saved = co_await histories_.save(TerminalId(id), std::move(history));
  if (saved) {
    if (std::exchange(histories_fail_, false))
      base::log(base::Level::info, "histories can be saved again");
    co_return copied + *saved;
  }
  if (!std::exchange(histories_fail_, true))
    base::log(base::Level::error, "a terminal's history cannot be saved; trying again",
              {{"terminal", id}, {"error", saved.error()}});
  history_changed(id);
  co_return copied;
}

awaitable<void> Sessions::save_last_histories() {
  const auto end = std::chrono::steady_clock::now() + kLastRound;
  std::size_t left = changed_histories_.size();
  for (const std::string& id : std::set<std::string>(changed_histories_)) {
    if (std::chrono::steady_clock::now() >= end) {
      base::log(base::Level::warning, "not all histories could be saved in time",
                {{"terminals", left}});
      break;
    }
    co_await save_history(id);
    --left;
  }
  (void)co_await histories_.flush();
}

}  // namespace session
