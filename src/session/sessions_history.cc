// The part of Sessions that saves what terminals show, so that it survives a reboot.
//
// It works in rounds. Half a second after the first unsaved output, a round saves every terminal
// that has some. Then it rests three times as long as the round worked, so even a flood in every
// terminal takes at most a quarter of one processor. The loop itself only copies rows.

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
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
constexpr int kShare = 4;  // One part work, three parts rest.
constexpr std::chrono::seconds kAfterFailure{10};
// Batches, because on a busy machine each hand-over to the thread costs milliseconds.
constexpr std::size_t kMostInBatch = 32;
constexpr std::size_t kBatchBytes = 4 * 1024 * 1024;
// In a takeover the old daemon has 5 seconds for everything.
constexpr std::chrono::seconds kLastRound{3};

}  // namespace

void Sessions::begin_saving_histories() {
  std::set<std::string> known;
  if (settings_.save_history)
    for (const auto& [id, held] : terminals_) known.insert(id);
  // If the database was damaged, keep the files of terminals that it knew.
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
  changed_since_ = std::chrono::steady_clock::now();
  nanoseconds work{0};
  std::vector<HistoryFolder::Entry> batch;
  std::size_t bytes = 0;
  for (const std::string& id : std::set<std::string>(changed_histories_)) {
    const auto began = std::chrono::steady_clock::now();
    saving_histories_.insert(id);
    changed_histories_.erase(id);
    if (auto copied = copy_history(id)) {
      bytes += copied->history.rows.size();
      batch.push_back(*std::move(copied));
    }
    work += std::chrono::steady_clock::now() - began;
    if (batch.size() < kMostInBatch && bytes < kBatchBytes) {
      co_await asio::post(executor_, asio::use_awaitable);  // Let others run.
      continue;
    }
    work += co_await save_batch(std::exchange(batch, {}));
    bytes = 0;
  }
  work += co_await save_batch(std::move(batch));
  saving_histories_.clear();
  co_return work;
}

// None if there is nothing to save.
std::optional<HistoryFolder::Entry> Sessions::copy_history(const std::string& id) {
  Held* const held = terminals_.find(id);
  if (held == nullptr || held->closing) return std::nullopt;
  return copy_history(*held);
}

std::optional<HistoryFolder::Entry> Sessions::copy_history(Held& held) {
  if (!settings_.save_history || !held.terminal || held.lifetime == Lifetime::connection)
    return std::nullopt;
  const std::string id = held.key.str();
  held.terminal->forget_printed();
  // Save the shell's current directory along with the history.
  const std::string directory = held.terminal->working_directory();
  if (!directory.empty() && directory != held.saved_directory) save(id);
  const vt::Screen& screen = held.terminal->screen();
  return HistoryFolder::Entry{.id = held.key,
                              .history = {.saved = std::chrono::system_clock::now(),
                                          .size = screen.size(),
                                          .rows = vt::save_rows(screen, kMostSavedRows)}};
}

// Returns the processor time it took.
awaitable<nanoseconds> Sessions::save_batch(std::vector<HistoryFolder::Entry> batch) {
  if (batch.empty()) co_return nanoseconds(0);
  const HistoryFolder::Outcome outcome = co_await histories_.save(std::move(batch));
  const bool failed = outcome.error.has_value();
  if (failed && !histories_fail_)
    base::log(base::Level::error, "cannot save a terminal's history; will retry",
              {{"terminal", outcome.failed.front().str()}, {"error", *outcome.error}});
  if (!failed && histories_fail_) base::log(base::Level::info, "saving histories works again");
  histories_fail_ = failed;
  for (const TerminalId& id : outcome.failed) history_changed(id.str());
  co_return outcome.work;
}

// Also works for a terminal that is being closed.
awaitable<void> Sessions::save_history(std::string id) {
  std::vector<HistoryFolder::Entry> one;
  if (auto copied = copy_history(terminals_.at(id))) one.push_back(*std::move(copied));
  co_await save_batch(std::move(one));
}

// Saves what is left when the daemon ends, including a round that was cut short.
awaitable<void> Sessions::save_last_histories() {
  const auto end = std::chrono::steady_clock::now() + kLastRound;
  changed_histories_.merge(saving_histories_);
  while (!changed_histories_.empty()) {
    if (histories_fail_ || std::chrono::steady_clock::now() >= end) {
      base::log(base::Level::warning, "some histories were not saved",
                {{"terminals", changed_histories_.size()}});
      co_return;
    }
    std::vector<HistoryFolder::Entry> batch;
    while (batch.size() < kMostInBatch && !changed_histories_.empty()) {
      auto copied = copy_history(changed_histories_.extract(changed_histories_.begin()).value());
      if (copied) batch.push_back(*std::move(copied));
    }
    co_await save_batch(std::move(batch));
  }
}

}  // namespace session
