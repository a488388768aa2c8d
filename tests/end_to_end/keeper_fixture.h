// A real keeper in a directory of its own, and clients of it, for tests that read from top to
// bottom.

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/test_temp_dir.h"
#include "end_to_end/process.h"
#include "keeper_client/client.h"

namespace e2e {

// A client of the keeper with a loop of its own, which runs while a call waits.
class Client {
 public:
  explicit Client(const std::filesystem::path& runtime_dir);
  ~Client();

  // Runs the loop until `task` has its result, or fails the test after a long time.
  template <class T>
  T wait(boost::asio::awaitable<T> task) {
    std::optional<T> result;
    std::exception_ptr failure;
    bool done = false;
    boost::asio::co_spawn(
        io_,
        [&result, task = std::move(task)]() mutable -> boost::asio::awaitable<void> {
          result.emplace(co_await std::move(task));
        },
        [&](const std::exception_ptr& error) {
          failure = error;
          done = true;
        });
    run_until([&] { return done; });
    if (failure) std::rethrow_exception(failure);
    return std::move(result).value();
  }
  // Runs the loop until `condition` holds. Throws after a long time.
  void run_until(const std::function<bool()>& condition, milliseconds deadline = seconds(60));

  base::Status start(keeper::Takeover takeover = keeper::Takeover::no) {
    return wait(keeper().start(takeover));
  }
  base::Result<keeper::AttachedChild> spawn(const std::string& id, std::vector<std::string> argv);
  base::Result<keeper::AttachedChild> spawn(keeper::SpawnRequest request);
  base::Result<keeper::AttachedChild> attach(const std::string& id);
  base::Status close(const std::string& id, std::optional<milliseconds> grace = {});
  // Waits for the news that a child exited.
  keeper::ChildExit exit_of(const std::string& id);
  // Ends the connection as a dying daemon would.
  void disconnect();

  keeper::KeeperClient& keeper() { return *keeper_; }
  [[nodiscard]] const std::map<std::string, keeper::ChildExit>& exits() const { return exits_; }
  [[nodiscard]] int let_go_count() const { return let_go_; }
  [[nodiscard]] int lost_count() const { return lost_; }
  [[nodiscard]] int back_count() const { return back_; }
  [[nodiscard]] int displaced_count() const { return displaced_; }

 private:
  boost::asio::io_context io_;
  std::optional<keeper::KeeperClient> keeper_;
  std::map<std::string, keeper::ChildExit> exits_;
  int let_go_ = 0;
  int lost_ = 0;
  int back_ = 0;
  int displaced_ = 0;
};

class KeeperTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  [[nodiscard]] const std::filesystem::path& dir() const { return dir_.path(); }
  [[nodiscard]] pid_t keeper_pid() const { return keeper_->pid(); }
  Process& keeper_process() { return *keeper_; }
  // A client that owns the children.
  Client& owner();
  // Ends the owner's connection; the next `owner` is a new one. To the keeper it is the same
  // daemon, as it is the same process: no other may claim.
  void drop_owner() { owner_.reset(); }
  // Lets go, so that another process may claim.
  void yield_owner();

 private:
  base::TempDir dir_;
  std::optional<Process> keeper_;
  std::optional<Client> owner_;
};

// What a child has printed up to now, or waits until that contains `wanted`. Consumes it.
[[nodiscard]] std::string output_until(keeper::AttachedChild& child, std::string_view wanted);
[[nodiscard]] std::string all_output(keeper::AttachedChild& child);
// Types into a terminal.
void type(const keeper::AttachedChild& child, std::string_view text);

}  // namespace e2e
