// Moves SQLite's write-ahead log into the database's file when it has grown. That waits for the
// disk, so a thread does it with its own connection, and commits do not wait. Only if commits keep
// coming faster than the thread can move them must one wait now and then.

#pragma once

#include <atomic>
#include <filesystem>
#include <thread>

namespace session {

class WalMover {
 public:
  explicit WalMover(std::filesystem::path file) : file_(std::move(file)) {}

  // Call it after a commit with the log's size. True if the caller must move the log itself.
  [[nodiscard]] bool committed(int pages);

 private:
  void move() const;

  std::filesystem::path file_;
  std::atomic<bool> is_moving_ = false;
  std::jthread thread_;
};

}  // namespace session
