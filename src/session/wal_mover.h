// Moves SQLite's write-ahead log into the database's file when it has grown. That waits for the
// disk, so a thread does it with a connection of its own, and whoever commits does not wait. Only
// commits that come faster than the thread moves them, all the time, have to wait once in a while.

#pragma once

#include <atomic>
#include <filesystem>
#include <thread>

namespace session {

class WalMover {
 public:
  explicit WalMover(std::filesystem::path file) : file_(std::move(file)) {}

  // The log has that many pages now. True if whoever committed has to move it.
  [[nodiscard]] bool committed(int pages);

 private:
  void move() const;

  std::filesystem::path file_;
  std::atomic<bool> is_moving_ = false;
  std::jthread thread_;
};

}  // namespace session
