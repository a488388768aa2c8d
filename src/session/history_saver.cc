#include "session/history_saver.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "base/time_text.h"
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

// A dim line as wide as the terminal.
std::string rule(const std::string& text, int cols) {
  std::string line = "\x1b[0;2m\u2500\u2500 ";
  for (const char byte : text) line += static_cast<unsigned char>(byte) < ' ' ? '?' : byte;
  line += ' ';
  for (int used = static_cast<int>(text.size()) + 4; used < cols; ++used) line += "\u2500";
  return line + "\x1b[m\r\n";
}

}  // namespace

HistorySaver::HistorySaver(asio::any_io_executor executor, Terminals& terminals, RowSaver& rows,
                           std::filesystem::path dir, bool is_on)
    : executor_(executor),
      terminals_(terminals),
      rows_(rows),
      folder_(std::move(dir)),
      is_on_(is_on),
      has_changed_(executor),
      tasks_(executor) {}

void HistorySaver::begin(UnknownFiles unknown) {
  std::set<std::string> known;
  if (is_on_)
    for (const auto& [key, entry] : terminals_) known.insert(key);
  if (!is_on_ || unknown == UnknownFiles::remove) folder_.keep_only(std::move(known));
  tasks_.spawn([this]() -> awaitable<void> { co_await save_in_rounds(); });
}

awaitable<void> HistorySaver::stop() {
  tasks_.cancel();
  co_await tasks_.join();
}

void HistorySaver::turn(bool is_on) {
  if (std::exchange(is_on_, is_on) == is_on) return;
  changed_.clear();
  if (!is_on) return folder_.keep_only({});
  for (const auto& [key, entry] : terminals_) changed(key);
}

void HistorySaver::changed(const std::string& key) {
  if (!is_on_) return;
  if (changed_.empty()) changed_since_ = std::chrono::steady_clock::now();
  changed_.insert(key);
  has_changed_.notify();
}

awaitable<void> HistorySaver::save_in_rounds() {
  asio::steady_timer pause(executor_);
  base::MonotonicTime rested{};
  for (;;) {
    if (changed_.empty()) {
      co_await has_changed_.wait();
      continue;
    }
    pause.expires_at(std::max(rested, changed_since_ + kRound));
    if (const auto [error] = co_await pause.async_wait(kNoThrow); error) co_return;
    const auto began = std::chrono::steady_clock::now();
    const nanoseconds work = co_await save_round();
    rested = began + kShare * work;
    if (fails_) rested = began + kAfterFailure;
  }
}

awaitable<nanoseconds> HistorySaver::save_round() {
  changed_since_ = std::chrono::steady_clock::now();
  nanoseconds work{0};
  std::vector<HistoryFolder::Entry> batch;
  std::size_t bytes = 0;
  for (const std::string& key : std::set<std::string>(changed_)) {
    const auto began = std::chrono::steady_clock::now();
    saving_.insert(key);
    changed_.erase(key);
    if (auto copied = copy(key)) {
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
  saving_.clear();
  co_return work;
}

std::optional<HistoryFolder::Entry> HistorySaver::copy(const std::string& key) {
  TerminalEntry* const entry = terminals_.find(key);
  if (entry == nullptr || !entry->is_alive()) return std::nullopt;
  return copy(*entry);
}

std::optional<HistoryFolder::Entry> HistorySaver::copy(TerminalEntry& entry) {
  if (!is_on_ || !entry.terminal || entry.lifetime == Lifetime::connection) return std::nullopt;
  entry.terminal->forget_printed();
  // Save the shell's current directory along with the history.
  const std::string directory = entry.terminal->working_directory();
  if (!directory.empty() && directory != entry.saved_directory) rows_.save(entry.key.str());
  const vt::Screen& screen = entry.terminal->screen();
  return HistoryFolder::Entry{.id = entry.key,
                              .history = {.saved = std::chrono::system_clock::now(),
                                          .size = screen.size(),
                                          .rows = vt::save_rows(screen, kMostSavedRows),
                                          .commands = entry.terminal->commands().encode()}};
}

awaitable<nanoseconds> HistorySaver::save_batch(std::vector<HistoryFolder::Entry> batch) {
  if (batch.empty()) co_return nanoseconds(0);
  const HistoryFolder::Outcome outcome = co_await folder_.save(std::move(batch));
  const bool failed = outcome.error.has_value();
  if (failed && !fails_)
    base::log(base::Level::error, "cannot save a terminal's history; will retry",
              {{"terminal", outcome.failed.front().str()}, {"error", *outcome.error}});
  if (!failed && fails_) base::log(base::Level::info, "saving histories works again");
  fails_ = failed;
  for (const TerminalId& key : outcome.failed) changed(key.str());
  co_return outcome.work;
}

awaitable<void> HistorySaver::save(std::string key) {
  std::vector<HistoryFolder::Entry> one;
  if (auto copied = copy(terminals_.at(key))) one.push_back(*std::move(copied));
  co_await save_batch(std::move(one));
}

awaitable<void> HistorySaver::save_last() {
  const auto end = std::chrono::steady_clock::now() + kLastRound;
  changed_.merge(saving_);
  while (!changed_.empty()) {
    if (fails_ || std::chrono::steady_clock::now() >= end) {
      base::log(base::Level::warning, "some histories were not saved",
                {{"terminals", changed_.size()}});
      co_return;
    }
    std::vector<HistoryFolder::Entry> batch;
    while (batch.size() < kMostInBatch && !changed_.empty()) {
      auto copied = copy(changed_.extract(changed_.begin()).value());
      if (copied) batch.push_back(*std::move(copied));
    }
    co_await save_batch(std::move(batch));
  }
}

awaitable<terminal::Preamble> HistorySaver::preamble_of(TerminalId key, int cols,
                                                        std::string trouble) {
  terminal::Preamble preamble;
  std::string mark = "restored";
  const auto saved = co_await folder_.load(key);
  if (!saved)
    base::log(base::Level::error, "cannot read a saved history",
              {{"terminal", key.str()}, {"error", saved.error()}});
  if (saved && *saved) {
    const SavedHistory& history = **saved;
    auto rows = vt::rows_as_output(history.rows, history.size.cols);
    if (rows) {
      preamble.rows = *std::move(rows);
      preamble.cols = history.size.cols;
      preamble.commands = history.commands;
      mark += ", saved " + base::local_minutes(history.saved);
    } else {
      folder_.set_aside(key);
    }
  }
  preamble.mark = rule(mark, cols);
  if (!trouble.empty()) preamble.mark += rule(trouble, cols);
  co_return preamble;
}

awaitable<base::Result<std::optional<SavedHistory>>> HistorySaver::saved(TerminalId key) {
  return folder_.load(std::move(key));
}

awaitable<base::Result<terminal::Commands>> HistorySaver::commands_of(TerminalId key) {
  const auto saved = co_await folder_.load(key);
  if (!saved) co_return base::fail(saved.error());
  if (!*saved) co_return terminal::Commands();
  co_return terminal::Commands::of_former(terminal::Commands::decode((*saved)->commands));
}

}  // namespace session
