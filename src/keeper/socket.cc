#include "keeper/socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace keeper {
namespace {

// Room for the control message that carries descriptors, aligned as the kernel wants it.
struct Control {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxDescriptors)> bytes{};
};

base::Result<sockaddr_un> address_of(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& text = path.native();
  if (text.size() >= sizeof address.sun_path)
    return base::fail(base::Code::invalid_argument,
                      "the path " + text + " is too long for a socket",
                      "Use a runtime directory with a path of at most " +
                          std::to_string(sizeof address.sun_path - 16) + " characters.");
  std::memcpy(address.sun_path, text.data(), text.size());
  return address;
}

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

base::Result<std::filesystem::path> socket_path(const std::filesystem::path& runtime_dir) {
  auto path = runtime_dir / "keeper.sock";
  if (auto address = address_of(path); !address) return base::fail(address.error());
  return path;
}

base::Result<base::Fd> connect_to_keeper(const std::filesystem::path& runtime_dir) {
  const auto path = socket_path(runtime_dir);
  if (!path) return base::fail(path.error());
  const auto address = address_of(*path);
  base::Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return base::fail(base::errno_error(errno, "open a socket"));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) < 0) {
    auto error =
        base::errno_error(errno, "connect to the keeper at " + path->native(),
                          "Start one with: holdfast-keeper --runtime-dir " + runtime_dir.native());
    if (error.sys_errno == ENOENT || error.sys_errno == ECONNREFUSED)
      error.code = base::Code::unavailable;
    return base::fail(std::move(error));
  }
  return socket;
}

base::Result<base::Fd> listen_at(const std::filesystem::path& path, int type) {
  const auto address = address_of(path);
  if (!address) return base::fail(address.error());
  base::Fd socket(::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return base::fail(base::errno_error(errno, "open a socket"));
  struct stat there{};
  if (::lstat(path.c_str(), &there) == 0 && !S_ISSOCK(there.st_mode))
    return base::fail(base::Code::already_exists, path.native() + " exists and is not a socket",
                      "Choose another path, or move the file away.");
  if (::unlink(path.c_str()) < 0 && errno != ENOENT)
    return base::fail(base::errno_error(errno, "replace " + path.native()));
  const mode_t before = ::umask(0177);
  const int bound =
      ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address);
  const int error = errno;
  ::umask(before);
  if (bound < 0) return base::fail(base::errno_error(error, "bind " + path.native()));
  if (::listen(socket.get(), SOMAXCONN) < 0)
    return base::fail(base::errno_error(errno, "listen at " + path.native()));
  return socket;
}

bool would_block(const base::Error& error) {
  return error.sys_errno == EAGAIN || error.sys_errno == EINTR;
}

base::Status send_packet(const base::Fd& socket, std::span<const std::byte> bytes,
                         std::span<const int> descriptors) {
  if (bytes.size() > kMaxPacket || descriptors.size() > kMaxDescriptors)
    return base::fail(base::Code::too_large,
                      "a message of " + std::to_string(bytes.size()) +
                          " bytes is longer than the " + std::to_string(kMaxPacket) + " allowed",
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
    return base::fail(base::errno_error(errno, "send to the other side of the keeper's socket"));
  return {};
}

base::Result<Packet> receive_packet(const base::Fd& socket) {
  // One byte more than a packet may have, so that a longer one is noticed.
  thread_local std::vector<std::byte> buffer(kMaxPacket + 1);
  iovec part{.iov_base = buffer.data(), .iov_len = buffer.size()};
  Control control;
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes.data();
  header.msg_controllen = control.bytes.size();
  const ssize_t size = ::recvmsg(socket.get(), &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (size < 0)
    return base::fail(
        base::errno_error(errno, "receive from the other side of the keeper's socket"));
  Packet packet;
  take_descriptors(header, packet.descriptors);
  packet.is_short_of_descriptors = (header.msg_flags & MSG_CTRUNC) != 0;
  if (size == 0) return base::fail(base::Code::not_found, "the other side closed the connection");
  if ((header.msg_flags & MSG_TRUNC) != 0 || static_cast<std::size_t>(size) > kMaxPacket)
    return base::fail(base::Code::too_large, "a message was longer than the " +
                                                 std::to_string(kMaxPacket) + " bytes allowed");
  packet.bytes.assign(buffer.begin(), buffer.begin() + size);
  return packet;
}

base::Result<Peer> peer_of(const base::Fd& socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0)
    return base::fail(base::errno_error(errno, "ask who is at the other end"));
  return Peer{.pid = credentials.pid, .uid = credentials.uid};
}

}  // namespace keeper
