// Notices when another process, `holdfast token revoke` for instance, changes the store. It sleeps
// until a file is written and then asks SQLite whether another process did it. SQLite writes a
// change before it becomes visible. So this also watches for the other process closing the file,
// and asks once more a moment after each write.
//
// It also notices when the file is removed while the daemon uses it, and has it rewritten.

#pragma once

#include <filesystem>
#include <functional>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/result.h"
#include "session/store.h"

namespace session {

class StoreWatch {
 public:
  StoreWatch(boost::asio::any_io_executor executor, Store& store, std::function<void()> changed);
  StoreWatch(const StoreWatch&) = delete;
  StoreWatch& operator=(const StoreWatch&) = delete;

  // Watches the directory that the store's file is in.
  [[nodiscard]] base::Status start(const std::filesystem::path& file);
  void stop();

 private:
  void wait();
  [[nodiscard]] bool read_events();
  void look();
  void restore();
  [[nodiscard]] base::Status watch();

  boost::asio::posix::stream_descriptor events_;
  boost::asio::steady_timer later_;
  Store& store_;
  std::function<void()> changed_;
  std::filesystem::path directory_;
  std::string name_;  // The prefix of the store's file names.
};

}  // namespace session
