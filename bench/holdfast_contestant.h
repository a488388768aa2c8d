// The daemon as a contestant: one for all protocols, with a keeper and directories of its own.

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
  // Options are for the daemon.
  explicit Holdfast(const std::vector<std::string>& options = {});
  ~Holdfast() override;

  enum class Protocol { native, lossless, compatible };
  [[nodiscard]] std::unique_ptr<Contestant> speaking(Protocol protocol);

  // A terminal that nobody looks at; waits until its program runs. Returns its id.
  std::string create();
  void close(const std::string& id);
  // A client of a terminal that is there. With `since` it asks for the output from that offset on
  // only.
  [[nodiscard]] std::unique_ptr<Session> attach(Protocol protocol, const std::string& id,
                                                std::optional<std::uint64_t> since = {});

  // When the last `attach` was sent: the connection stood by then.
  [[nodiscard]] std::chrono::steady_clock::time_point attach_sent() const { return attach_sent_; }

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

}  // namespace bench
