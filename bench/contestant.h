// The contestants of the side-by-side benchmark: servers that send a terminal's output over a
// connection, each with a client that costs as little as possible. Every terminal runs `talker`.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

// A fresh terminal and its client.
class Session {
 public:
  struct Piece {
    std::string_view bytes;    // As on the wire. Valid until the next call.
    std::uint64_t offset = 0;  // The output's offset after this piece; 0 if not known.
    bool is_snapshot = false;
  };

  virtual ~Session() = default;
  virtual void type(std::string_view keys) = 0;
  // Waits for the next output. Throws after 30 seconds.
  virtual Piece receive() = 0;
  // The server's processes for this session alone.
  [[nodiscard]] virtual std::vector<pid_t> processes() const { return {}; }

  // Receives until a piece contains `wanted`.
  void wait_for(std::string_view wanted) {
    while (receive().bytes.find(wanted) == std::string_view::npos) {
    }
  }
};

class Contestant {
 public:
  explicit Contestant(std::string name) : name_(std::move(name)) {}
  virtual ~Contestant() = default;
  Contestant(const Contestant&) = delete;
  Contestant& operator=(const Contestant&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  // Its talker has printed READY.
  [[nodiscard]] virtual std::unique_ptr<Session> open() = 0;
  // The server's processes that are shared by all sessions.
  [[nodiscard]] virtual std::vector<pid_t> processes() const { return {}; }

 private:
  std::string name_;
};

// The clients of servers with one terminal for each connection.
enum class Form { binary, json };

// Contestants. Null, with a line on standard error, if something is not installed.
[[nodiscard]] std::unique_ptr<Contestant> floor_server();
[[nodiscard]] std::unique_ptr<Contestant> node_server(Form form);
[[nodiscard]] std::unique_ptr<Contestant> bare_terminal();
[[nodiscard]] std::unique_ptr<Contestant> tmux();
[[nodiscard]] std::unique_ptr<Contestant> dtach();

// A program on its own PTY.
[[nodiscard]] std::unique_ptr<Session> session_on_pty(const std::vector<std::string>& argv);

}  // namespace bench
