// What tests of the protocols say and hear, shortened.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "end_to_end/daemon_fixture.h"

namespace e2e {

inline const std::string kReset =
    "\x1b"
    "c";

// An `error` of the compatible or the single protocol.
struct Refusal {
  std::string error;
  std::string details;
  bool operator==(const Refusal&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Refusal& refusal);

[[nodiscard]] std::string string_at(const json::object& object, std::string_view key);
// The text, the number, or nothing, in `data`.
[[nodiscard]] std::string data_text(const json::object& message, std::string_view key);
[[nodiscard]] std::int64_t data_number(const json::object& message, std::string_view key);

// Sends a message and waits for the `error` that answers it.
Refusal refused(WebSocketClient& client, const json::value& message);
Refusal refused_text(WebSocketClient& client, std::string_view message);
// Everything that comes before the answer to a ping.
[[nodiscard]] std::vector<json::object> until_pong(WebSocketClient& client);
// The types of these messages, without the terminals' output.
[[nodiscard]] std::vector<std::string> types_of(const std::vector<json::object>& messages);
// Creates a terminal and waits for it.
json::object create(WebSocketClient& client, std::string_view id);
// Reattaches, and returns the scrollback.
json::object reattached(WebSocketClient& client, const json::value& request);
// The terminals that `list_sessions` tells of.
[[nodiscard]] std::vector<json::object> sessions_of(WebSocketClient& client);
[[nodiscard]] std::vector<std::string> session_ids(WebSocketClient& client);
// Types a command into a terminal, and waits for what it prints.
std::string type(WebSocketClient& client, std::string_view id, const std::string& command,
                 std::string_view wanted);
// The number that a terminal's shell prints between `<` and `>` for that expression.
[[nodiscard]] pid_t number_from(WebSocketClient& client, std::string_view id,
                                const std::string& expression);
// The numbers in <…>, in order.
[[nodiscard]] std::vector<int> numbers_in(const std::string& text);
// Whether it is a time as docs/protocol.md has it.
[[nodiscard]] bool is_time(std::string_view text);
// Without escape sequences.
[[nodiscard]] std::string plain(const std::string& text);

// A client of the native protocol that keeps what it was not asked for yet.
class NativePeer {
 public:
  explicit NativePeer(std::unique_ptr<WebSocketClient> client);

  // Sends a request and waits for its answer, an `error` too.
  json::object ask(std::string_view type, json::object data = {});
  // The `code` of the error that answers.
  std::string refused(std::string_view type, json::object data = {});
  // Sends without asking for an answer.
  void tell(std::string_view type, json::object data = {});
  // The next event of that type; others stay for later.
  json::object event(std::string_view type, milliseconds deadline = seconds(20));
  // The events that came before the answer to a ping.
  std::vector<json::object> events();

  std::uint32_t attach(std::string_view id, json::object more = {});
  void type(std::uint32_t channel, std::string_view bytes);
  void ack(std::uint32_t channel, std::uint64_t offset);
  // What came on a channel: bytes of output and snapshots together, until they contain `wanted`.
  std::string output_until(std::uint32_t channel, std::string_view wanted,
                           milliseconds deadline = seconds(20));

  // One thing of a channel, in the order in which it was sent.
  struct Piece {
    int kind = 0;  // 1 output, 2 snapshot, 0 `resized`
    std::uint64_t offset = 0;
    std::string bytes;
    json::object resized;
  };
  // The next one; none if nothing comes in time.
  std::optional<Piece> next(std::uint32_t channel, milliseconds deadline = seconds(20));

  // The answer to the last `attach`.
  [[nodiscard]] const json::object& attached() const { return attached_; }
  WebSocketClient& socket() { return *client_; }

 private:
  void sort(WebSocketClient::Frame frame);
  bool receive(milliseconds deadline);

  std::unique_ptr<WebSocketClient> client_;
  std::int64_t request_ = 0;
  std::deque<json::object> messages_;
  std::map<std::uint32_t, std::deque<Piece>> pieces_;
  json::object attached_;
};

class ProtocolTest : public DaemonTest {
 protected:
  // With a shell that reads no files and has a plain prompt.
  void serve(std::vector<std::string> options = {}, const std::vector<std::string>& env = {});
  NativePeer native_peer(const std::string& token = {});
  // The numbers of /health under `terminals`.
  json::object health();
};

}  // namespace e2e
