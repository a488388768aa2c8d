// What takes part in the side-by-side benchmark: servers that put a terminal's output on a wire,
// and a client of each that costs as little as it can. Every terminal runs `talker`.

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
    std::string_view bytes;  // As the wire has them, until the next call.
    std::uint64_t offset =
        0;  // How much output the client has been brought past; 0 if the protocol does not say.
    bool is_snapshot = false;
  };

  virtual ~Session() = default;
  virtual void type(std::string_view keys) = 0;
  // Waits for the next output. Throws after 30 seconds.
  virtual Piece receive() = 0;
  // The server's processes that serve this one alone.
  [[nodiscard]] virtual std::vector<pid_t> processes() const { return {}; }

  // Receives until a piece has `wanted`.
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
  // Its talker has said READY.
  [[nodiscard]] virtual std::unique_ptr<Session> open() = 0;
  // The server's processes that serve all.
  [[nodiscard]] virtual std::vector<pid_t> processes() const { return {}; }

 private:
  std::string name_;
};

// The clients of servers with one terminal for each connection.
enum class Form { binary, json };

// Contestants, or null with a line on standard error that says what is missing.
[[nodiscard]] std::unique_ptr<Contestant> floor_server();
[[nodiscard]] std::unique_ptr<Contestant> node_server(Form form);
[[nodiscard]] std::unique_ptr<Contestant> bare_terminal();
[[nodiscard]] std::unique_ptr<Contestant> tmux();
[[nodiscard]] std::unique_ptr<Contestant> dtach();

}  // namespace bench
