#include "bench/raw_websocket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cstring>
#include <stdexcept>

namespace bench {
namespace {

constexpr std::size_t kBuffer = 4 * 1024 * 1024;

std::uint64_t big_endian(const char* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

RawWebSocket::RawWebSocket(const Target& target)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), buffer_(kBuffer) {
  const int yes = 1;
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  const timeval patience{.tv_sec = 30, .tv_usec = 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(target.port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) < 0)
    throw std::runtime_error("cannot connect to port " + std::to_string(target.port));
  shake_hands(target);
}

void RawWebSocket::shake_hands(const Target& target) {
  std::string request = "GET " + target.path +
                        " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(target.port) +
                        "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13"
                        "\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  if (!target.token.empty()) request += "Authorization: Bearer " + target.token + "\r\n";
  if (!target.subprotocol.empty())
    request += "Sec-WebSocket-Protocol: " + target.subprotocol + "\r\n";
  write_all(request + "\r\n");
  for (;;) {
    fill(end_ - begin_ + 1);
    const std::string_view head(&buffer_[begin_], end_ - begin_);
    const auto end = head.find("\r\n\r\n");
    if (end == std::string_view::npos) continue;
    if (head.find(" 101 ") == std::string_view::npos)
      throw std::runtime_error("no upgrade: " + std::string(head.substr(0, head.find('\r'))));
    begin_ += end + 4;
    return;
  }
}

// Fills the buffer until it has at least that many bytes.
void RawWebSocket::fill(std::size_t wanted) {
  if (buffer_.size() - begin_ < wanted) {
    std::memmove(buffer_.data(), &buffer_[begin_], end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (buffer_.size() < wanted) buffer_.resize(wanted);
  }
  while (end_ - begin_ < wanted) {
    const ssize_t count = ::recv(socket_.get(), &buffer_[end_], buffer_.size() - end_, 0);
    if (count <= 0) throw std::runtime_error("the server closed the connection or sent nothing");
    end_ += static_cast<std::size_t>(count);
  }
}

std::string_view RawWebSocket::receive() {
  for (;;) {
    if (begin_ == end_) begin_ = end_ = 0;
    fill(2);
    const auto first = static_cast<unsigned char>(buffer_[begin_]);
    std::size_t header = 2;
    std::uint64_t size = static_cast<unsigned char>(buffer_[begin_ + 1]);
    if (size >= 126) {
      const int width = size == 126 ? 2 : 8;
      header += static_cast<std::size_t>(width);
      fill(header);
      size = big_endian(&buffer_[begin_ + 2], width);
    }
    fill(header + size);
    const std::string_view payload(&buffer_[begin_ + header], size);
    begin_ += header + size;
    const unsigned opcode = first & 0x0fU;
    if (opcode == 8) throw std::runtime_error("the server sent a close frame");
    if (opcode == 9) send(10, payload);
    if (opcode > 2) continue;
    if (opcode != 0) was_binary_ = opcode == 2;
    const bool is_last = (first & 0x80U) != 0;
    if (is_last && opcode != 0) return payload;
    if (opcode != 0) parts_.clear();
    parts_ += payload;
    if (is_last) return parts_;
  }
}

void RawWebSocket::send(unsigned opcode, std::string_view payload) {
  if (payload.size() > 0xffff) throw std::runtime_error("this client can only send short messages");
  std::string frame;
  frame += static_cast<char>(0x80U | opcode);
  frame += static_cast<char>(0x80U | (payload.size() < 126 ? payload.size() : 126));
  if (payload.size() >= 126) {
    frame += static_cast<char>(payload.size() >> 8);
    frame += static_cast<char>(payload.size());
  }
  frame.append(4, '\0');  // A mask of zeroes leaves the payload as it is.
  frame += payload;
  write_all(frame);
}

void RawWebSocket::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) throw std::runtime_error("the server closed the connection");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace bench
