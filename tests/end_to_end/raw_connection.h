// A TCP connection to the daemon that says exactly what a test wants it to, right or wrong.

#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "end_to_end/process.h"

namespace e2e {

class RawConnection {
 public:
  explicit RawConnection(int port);

  // Whether all of it could be written; a connection that the server has ended takes no more.
  bool send(std::string_view bytes);
  // Reads until what came contains `wanted`, or the connection has ended, or time is up; returns
  // everything that has come so far.
  const std::string& receive_until(std::string_view wanted, milliseconds deadline = seconds(20));
  // Waits until the server has ended the connection.
  [[nodiscard]] bool is_ended(milliseconds deadline = seconds(20));
  // The status of the answer that comes first; 0 if the connection ends without one.
  int status();

 private:
  bool read_some(milliseconds deadline);

  base::Fd socket_;
  std::string received_;
  bool ended_ = false;
};

// A request for a WebSocket, ready to be sent.
[[nodiscard]] std::string upgrade_request(int port, const std::string& path,
                                          const std::string& token, const std::string& more = {});

// A WebSocket frame as a client sends it: masked, unless told.
struct RawFrame {
  int opcode = 1;
  std::string payload{};
  bool is_last = true;
  bool is_masked = true;
  int reserved = 0;  // The three bits after the first.

  [[nodiscard]] std::string bytes() const;
};

}  // namespace e2e
