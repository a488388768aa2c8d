// A WebSocket client that costs as little as possible, so that the server is what is measured: a
// plain blocking socket, a large buffer, and messages returned in place, unless they are
// fragmented.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace bench {

class RawWebSocket {
 public:
  struct Target {
    int port = 0;
    std::string path = "/";
    std::string token;
    std::string subprotocol;
  };

  // Throws if the server refuses.
  explicit RawWebSocket(const Target& target);

  void send_text(std::string_view text) { send(1, text); }
  void send_binary(std::string_view bytes) { send(2, bytes); }

  // The next data message, valid until the next call. Throws after 30 seconds without one, or if
  // the connection ends.
  [[nodiscard]] std::string_view receive();
  [[nodiscard]] bool was_binary() const { return was_binary_; }

 private:
  void send(unsigned opcode, std::string_view payload);
  void write_all(std::string_view bytes);
  void shake_hands(const Target& target);
  void fill(std::size_t wanted);

  base::Fd socket_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string parts_;
  bool was_binary_ = false;
};

}  // namespace bench
