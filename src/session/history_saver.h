// Saves what terminals show, so that it survives a reboot, and finds it again.
//
// It works in rounds. Half a second after the first unsaved output, a round saves every terminal
// that has some. Then it rests three times as long as the round worked, so even a flood in every
// terminal takes at most a quarter of one processor. The loop itself only copies rows.
//
// Invariants
// 1. A terminal with unsaved output is in `changed_` or `saving_`: a round that fails or is cut
//    short loses none.
// 2. Nothing is saved of a terminal that is being closed, or that ends with its connection, or
//    while saving is off.
// 3. `stop` must have been awaited before destruction.

#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.h"
#include "base/event.h"
#include "base/task_scope.h"
#include "session/history_folder.h"
#include "session/row_saver.h"
#include "session/terminals.h"
#include "terminal/terminal.h"

namespace session {

enum class UnknownFiles { remove, keep };

class HistorySaver {
 public:
  HistorySaver(boost::asio::any_io_executor executor, Terminals& terminals, RowSaver& rows,
               std::filesystem::path dir, bool is_on);

  // Starts the rounds. Removes the files of terminals that nobody knows, or keeps them if the
  // database that knew them was damaged. While saving is off, no file is kept.
  void begin(UnknownFiles unknown);
  // Ends the rounds.
  boost::asio::awaitable<void> stop();
  // When the daemon ends, after `stop`: saves what is left, including a round that was cut short.
  boost::asio::awaitable<void> save_last();
  // Turning it off deletes what was saved.
  void turn(bool is_on);

  // The terminal has unsaved output.
  void changed(const std::string& key);
  // Saves this one at once, even if it is being closed.
  boost::asio::awaitable<void> save(std::string key);
  void remove(const TerminalId& key) { folder_.remove(key); }
  // What a terminal that is made again shows first: the rows that were saved for `key`, and a line
  // as wide as the terminal, with `trouble` if there was some.
  boost::asio::awaitable<terminal::Preamble> preamble_of(TerminalId key, int cols,
                                                         std::string trouble);
  // What was saved for `key`, if anything.
  boost::asio::awaitable<base::Result<std::optional<SavedHistory>>> saved(TerminalId key);
  // The commands that were saved for `key`.
  boost::asio::awaitable<base::Result<terminal::Commands>> commands_of(TerminalId key);

 private:
  boost::asio::awaitable<void> save_in_rounds();
  boost::asio::awaitable<std::chrono::nanoseconds> save_round();
  // Returns the processor time it took.
  boost::asio::awaitable<std::chrono::nanoseconds> save_batch(
      std::vector<HistoryFolder::Entry> batch);
  // None if there is nothing to save.
  [[nodiscard]] std::optional<HistoryFolder::Entry> copy(const std::string& key);
  [[nodiscard]] std::optional<HistoryFolder::Entry> copy(TerminalEntry& entry);

  boost::asio::any_io_executor executor_;
  Terminals& terminals_;
  RowSaver& rows_;
  HistoryFolder folder_;
  bool is_on_;
  std::set<std::string> changed_;  // With unsaved output.
  std::set<std::string> saving_;   // Being saved.
  base::MonotonicTime changed_since_{};
  base::Event has_changed_;  // There is unsaved output.
  bool fails_ = false;       // When last tried.
  base::TaskScope tasks_;
};

}  // namespace session
