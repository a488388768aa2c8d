// The saved histories of all terminals: a folder with a file for each, and the one thread that
// touches it. The thread does what it is asked in order, off the daemon's loop: compression takes
// time, and the disk takes longer.
//
// Invariants
// 1. Only the executor's thread calls it. Its own thread gets copies of everything.
// 2. A file with its final name is complete: it is written under another name, flushed and renamed.

#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "base/result.h"
#include "session/history_file.h"
#include "session/rows.h"

namespace session {

class HistoryFolder {
 public:
  explicit HistoryFolder(std::filesystem::path dir) : dir_(std::move(dir)) {}
  ~HistoryFolder() { thread_.join(); }
  HistoryFolder(const HistoryFolder&) = delete;
  HistoryFolder& operator=(const HistoryFolder&) = delete;

  struct Entry {
    TerminalId id;
    SavedHistory history;
  };
  struct Outcome {
    std::chrono::nanoseconds work{0};  // Processor time.
    std::vector<TerminalId> failed;    // Those that were not saved.
    std::optional<base::Error> error;  // Why the first one was not.
  };
  // Saves them together, to wait for the disk only once. What was saved survives a power cut.
  boost::asio::awaitable<Outcome> save(std::vector<Entry> entries);
  // None if there is no file. A damaged file is set aside.
  boost::asio::awaitable<base::Result<std::optional<SavedHistory>>> load(TerminalId id);
  void set_aside(const TerminalId& id);

  void remove(const TerminalId& id);
  void keep_only(std::set<std::string> ids);

 private:
  std::filesystem::path dir_;
  boost::asio::thread_pool thread_{1};
};

}  // namespace session
