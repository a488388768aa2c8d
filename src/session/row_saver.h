// Saves the terminals' rows, and lines of the lifecycle log, to the store.
//
// Invariants
// 1. While the daemon runs, memory is the truth: what is saved is what a terminal is when it is
//    saved, and a key without a terminal has no row.
// 2. A row that the store refuses (locked, full, damaged) is tried again until the store takes it.
//    No terminal waits for that.
// 3. What the store has not taken yet is in the unsaved file, so a daemon that dies loses none of
//    it. Until `begin` the file still is the last daemon's and is not written.
// 4. Each call to a locked store blocks the loop for a moment. So once it is locked, only the retry
//    timer calls it, and stops at the first refusal.

#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "session/store.h"
#include "session/terminals.h"
#include "session/unsaved_file.h"

namespace session {

// What the store keeps of the terminal.
[[nodiscard]] TerminalRow row_of(const TerminalEntry& entry);

class RowSaver {
 public:
  RowSaver(boost::asio::any_io_executor executor, Store& store, Terminals& terminals,
           std::filesystem::path unsaved_file);

  // Brings the store's rows up to date with what the last daemon could not save.
  void learn_unsaved(std::map<std::string, TerminalRow>& rows);
  // The last daemon's terminals are known: from now on the unsaved file is this daemon's.
  void begin();
  void stop() { retry_.cancel(); }

  void save(const std::string& key);
  // Saves a few at a time and yields in between. Uses the current positions, which may have changed
  // again since the call.
  boost::asio::awaitable<void> save_positions(std::vector<TerminalId> moved);
  // When the daemon ends: the last try, with every terminal's latest row.
  void save_all();
  // What the retry timer does.
  void save_unsaved();
  [[nodiscard]] bool has_unsaved() const { return !unsaved_.empty(); }

  // Writes a line about the terminal to the lifecycle log.
  void note(const TerminalEntry& entry, std::string_view event, std::string detail = {});

 private:
  void save_later(const std::string& key);
  [[nodiscard]] bool try_to_save(const std::string& key);
  [[nodiscard]] base::Status write_row(const std::string& key);
  // Remembers whether the store was locked.
  base::Status seen(base::Status status);
  void keep_unsaved();
  void retry();

  boost::asio::any_io_executor executor_;
  Store& store_;
  Terminals& terminals_;
  std::set<std::string> unsaved_;
  UnsavedFile unsaved_file_;
  bool has_begun_ = false;
  bool store_is_locked_ = false;  // When last used.
  boost::asio::steady_timer retry_;
  std::chrono::milliseconds retry_pause_{0};
};

}  // namespace session
