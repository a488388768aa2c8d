#include "end_to_end/raw_connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <stdexcept>

namespace e2e {

RawConnection::RawConnection(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) < 0)
    throw std::runtime_error("cannot connect");
}

bool RawConnection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool RawConnection::read_some(milliseconds deadline) {
  if (ended_) return false;
  pollfd ready{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&ready, 1, static_cast<int>(deadline.count())) <= 0) return false;
  std::array<char, 65536> bytes{};
  const auto size = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
  ended_ = size <= 0;
  if (size > 0) received_.append(bytes.data(), static_cast<std::size_t>(size));
  return !ended_;
}

const std::string& RawConnection::receive_until(std::string_view wanted, milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (received_.find(wanted) == std::string::npos) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !read_some(left)) break;
  }
  return received_;
}

bool RawConnection::is_ended(milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!ended_) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    (void)read_some(left);
  }
  return true;
}

int RawConnection::status() {
  const std::string& answer = receive_until("\r\n");
  return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9)) : 0;
}

std::string upgrade_request(int port, const std::string& path, const std::string& token,
                            const std::string& more) {
  return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
         "\r\nAuthorization: Bearer " + token +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         (path == "/ws" ? "Sec-WebSocket-Protocol: holdfast.v1\r\n" : "") + more + "\r\n";
}

std::string RawFrame::bytes() const {
  std::string frame;
  frame += static_cast<char>((is_last ? 0x80 : 0) | reserved << 4 | opcode);
  const int mask_bit = is_masked ? 0x80 : 0;
  if (payload.size() < 126) {
    frame += static_cast<char>(mask_bit | static_cast<int>(payload.size()));
  } else {
    frame += static_cast<char>(mask_bit | 127);
    for (int shift = 56; shift >= 0; shift -= 8)
      frame += static_cast<char>(payload.size() >> shift & 0xff);
  }
  const std::array<char, 4> mask{'m', 'a', 's', 'k'};
  if (is_masked) frame.append(mask.data(), mask.size());
  for (std::size_t i = 0; i < payload.size(); ++i)
    frame += is_masked ? static_cast<char>(payload[i] ^ mask[i % 4]) : payload[i];
  return frame;
}

}  // namespace e2e
