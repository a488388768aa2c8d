#include "keeper_protocol/socket.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "keeper_protocol/runtime_dir.h"

namespace keeper {
namespace {

// Space for the control message that carries descriptors, with the required alignment.
struct Control {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxDescriptors)> bytes{};
};

void take_descriptors(msghdr& header, std::vector<base::Fd>& descriptors) {
  for (cmsghdr* control = CMSG_FIRSTHDR(&header); control != nullptr;
       control = CMSG_NXTHDR(&header, control)) {
    if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(control) + i * sizeof fd, sizeof fd);
      descriptors.emplace_back(fd);
    }
  }
}

}  // namespace

base::Result<base::Fd> connect_to_keeper(const std::filesystem::path& runtime_dir) {
  auto socket = RuntimeDir::connect_in(runtime_dir, "keeper.sock", SOCK_SEQPACKET | SOCK_NONBLOCK);
  if (socket || socket.error().code != base::Code::unavailable) return socket;
  auto error =
      base::errno_error(socket.error().sys_errno,
                        "connect to the keeper at " + (runtime_dir / "keeper.sock").native(),
                        "Start one with: holdfast-keeper --runtime-dir " + runtime_dir.native());
  error.code = base::Code::unavailable;
  return base::fail(std::move(error));
}

bool would_block(const base::Error& error) {
  return error.sys_errno == EAGAIN || error.sys_errno == EINTR;
}

base::Status send_packet(const base::Fd& socket, std::span<const std::byte> bytes,
                         std::span<const int> descriptors) {
  if (bytes.size() > kMaxPacket || descriptors.size() > kMaxDescriptors)
    return base::fail(base::Code::too_large,
                      "a message of " + std::to_string(bytes.size()) +
                          " bytes is longer than the limit of " + std::to_string(kMaxPacket),
                      "Shorten the arguments or the environment.");
  iovec part{.iov_base = const_cast<std::byte*>(bytes.data()), .iov_len = bytes.size()};
  Control control;
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!descriptors.empty()) {
    header.msg_control = control.bytes.data();
    header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* message = CMSG_FIRSTHDR(&header);
    message->cmsg_level = SOL_SOCKET;
    message->cmsg_type = SCM_RIGHTS;
    message->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(message), descriptors.data(), descriptors.size_bytes());
  }
  if (::sendmsg(socket.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
    return base::fail(base::errno_error(errno, "send on the keeper's socket"));
  return {};
}

base::Result<Packet> receive_packet(const base::Fd& socket) {
  // One byte more than the limit, to detect longer packets.
  thread_local std::vector<std::byte> buffer(kMaxPacket + 1);
  iovec part{.iov_base = buffer.data(), .iov_len = buffer.size()};
  Control control;
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes.data();
  header.msg_controllen = control.bytes.size();
  const ssize_t size = ::recvmsg(socket.get(), &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (size < 0) return base::fail(base::errno_error(errno, "receive on the keeper's socket"));
  Packet packet;
  take_descriptors(header, packet.descriptors);
  packet.is_short_of_descriptors = (header.msg_flags & MSG_CTRUNC) != 0;
  if (size == 0) return base::fail(base::Code::not_found, "the peer closed the connection");
  if ((header.msg_flags & MSG_TRUNC) != 0 || static_cast<std::size_t>(size) > kMaxPacket)
    return base::fail(base::Code::too_large, "a message was longer than the " +
                                                 std::to_string(kMaxPacket) + " bytes allowed");
  packet.bytes.assign(buffer.begin(), buffer.begin() + size);
  return packet;
}

}  // namespace keeper
