// The saved histories of all terminals: a folder with a file for each, and the one thread that
// touches it. What is asked for is done in the order in which it was asked, off the daemon's loop:
// compressing takes time, and a disk takes longer.
//
// Invariants
// 1. It is used from the thread of the executor whose coroutines await it; the thread gets values.
// 2. A file of its final name is whole: it is written beside, flushed and renamed.

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
    std::vector<TerminalId> failed;    // Which of them are not saved,
    std::optional<base::Error> error;  // and why the first is not.
  };
  // Together, so that the disk is waited for once. What was saved survives a power cut.
  boost::asio::awaitable<Outcome> save(std::vector<Entry> entries);
  // None if there is none. A damaged one is set aside.
  boost::asio::awaitable<base::Result<std::optional<SavedHistory>>> load(TerminalId id);
  void set_aside(const TerminalId& id);

  void remove(const TerminalId& id);
  void keep_only(std::set<std::string> ids);

 private:
  std::filesystem::path dir_;
  boost::asio::thread_pool thread_{1};
};

}  // namespace session
