// A real daemon with directories of its own, and clients of it over real sockets.

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/test_temp_dir.h"
#include "end_to_end/process.h"
#include "end_to_end/web_client.h"

namespace e2e {

class DaemonTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // From now on daemons, and with them their keeper, are started by this command, which is followed
  // by theirs.
  void start_under(std::vector<std::string> command) { under_ = std::move(command); }
  // Starts the daemon and waits until it serves. Options are added to the command line, `env` to
  // the environment; the default user's token is in it unless told.
  void start(const std::vector<std::string>& options = {},
             const std::vector<std::string>& env = {});
  // Starts another daemon that takes over from the one that runs, and waits until it serves and the
  // old one has ended. Returns how the old one ended, as waitpid gives it.
  int take_over(std::vector<std::string> options = {});
  // SIGKILL, and waits for its end. The keeper and the terminals stay.
  void kill_daemon();
  // SIGTERM, and waits; returns its exit status as waitpid gives it.
  int stop_daemon();
  // Runs `holdfast ARGUMENTS` to its end, with this test's directories in the environment.
  Process::Outcome run(const std::vector<std::string>& arguments);
  // Makes a user and returns a token.
  std::string token_of(const std::string& user);

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] const std::string& token() const { return token_; }
  // The line that the daemon printed.
  [[nodiscard]] const std::string& said() const { return said_; }
  [[nodiscard]] pid_t daemon_pid() const { return daemon_->pid(); }
  void signal_daemon(int number) const { daemon_->signal(number); }
  [[nodiscard]] pid_t keeper_pid() const;
  [[nodiscard]] const std::filesystem::path& dir() const { return dir_.path(); }
  [[nodiscard]] std::filesystem::path home() const { return dir_ / "home"; }
  [[nodiscard]] std::filesystem::path state_dir() const { return dir_ / "state"; }
  [[nodiscard]] std::filesystem::path runtime_dir() const { return dir_ / "run"; }
  [[nodiscard]] std::string log() const;  // What the daemon wrote to standard error.
  // Whether it writes that, now or soon: the log follows behind the daemon's work.
  [[nodiscard]] bool logged(std::string_view text) const;

  // Connections with the default user's token, or another's.
  std::unique_ptr<WebSocketClient> compatible(const std::string& token = {});
  std::unique_ptr<WebSocketClient> single(const std::string& query = {},
                                          const std::string& token = {});
  std::unique_ptr<WebSocketClient> native(const std::string& token = {});
  HttpResponse get(const std::string& target, Headers headers = {});

  [[nodiscard]] std::vector<std::string> environment() const;

 private:
  base::TempDir dir_;
  std::vector<std::string> under_;
  std::unique_ptr<Process> daemon_;
  std::string said_;
  std::string token_ = "the-token-of-the-end-to-end-tests-0123456789";
  int port_ = 0;
};

// Messages of the compatible protocol.
[[nodiscard]] json::value create_session(std::string_view id, int rows = 24, int cols = 80);
[[nodiscard]] json::value input(std::string_view id, std::string_view data);
[[nodiscard]] json::value reattach(std::string_view id, std::optional<std::uint64_t> since = {},
                                   int rows = 24, int cols = 80);
[[nodiscard]] json::value message(std::string_view type, json::object data = {},
                                  std::string_view session_id = {});
// The text of an `output` or `scrollback` message.
[[nodiscard]] std::string text_of(const json::object& message);
// Gathers `output` (and `scrollback`) of a terminal until it contains `wanted`.
[[nodiscard]] std::string output_until(WebSocketClient& client, std::string_view wanted,
                                       milliseconds deadline = seconds(20));

// Frames of the native protocol.
struct NativeFrame {
  int kind = 0;  // 1 output, 2 snapshot
  std::uint32_t channel = 0;
  std::uint64_t offset = 0;
  std::string_view payload;
};
[[nodiscard]] NativeFrame native_frame(const std::string& bytes);
[[nodiscard]] std::string input_frame(std::uint32_t channel, std::string_view bytes);
[[nodiscard]] std::string ack_frame(std::uint32_t channel, std::uint64_t offset);

}  // namespace e2e
