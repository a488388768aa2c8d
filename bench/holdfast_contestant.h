// The daemon as a contestant: one for all protocols, with its own keeper and directories.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "bench/contestant.h"
#include "bench/raw_websocket.h"
#include "end_to_end/daemon_fixture.h"

namespace bench {

class Holdfast final : private e2e::DaemonTest {
 public:
  // Options for the daemon.
  explicit Holdfast(const std::vector<std::string>& options = {});
  ~Holdfast() override;

  enum class Protocol { native, lossless, compatible };
  [[nodiscard]] std::unique_ptr<Contestant> speaking(Protocol protocol);

  // Creates a terminal without viewers and waits until its program runs. Returns its id.
  std::string create();
  void close(const std::string& id);
  // A client of an existing terminal. With `since`, it requests only the output from that offset.
  [[nodiscard]] std::unique_ptr<Session> attach(Protocol protocol, const std::string& id,
                                                std::optional<std::uint64_t> since = {});

  // When the last `attach` was sent, after the connection was open.
  [[nodiscard]] std::chrono::steady_clock::time_point attach_sent() const { return attach_sent_; }

  using DaemonTest::environment;
  [[nodiscard]] pid_t daemon() const { return daemon_pid(); }
  [[nodiscard]] pid_t keeper() const { return keeper_pid(); }
  [[nodiscard]] RawWebSocket::Target native_target() const;
  [[nodiscard]] RawWebSocket::Target compatible_target() const;

 private:
  void TestBody() override {}
  void ask(const std::string& message, std::string_view answer);

  std::unique_ptr<RawWebSocket> control_;
  std::chrono::steady_clock::time_point attach_sent_;
  int count_ = 0;
};

// `holdfast attach` on a PTY of its own.
[[nodiscard]] std::unique_ptr<Contestant> attach_command(Holdfast& holdfast);

}  // namespace bench
