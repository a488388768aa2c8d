#include "attacks/impostor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "end_to_end/process.h"
#include "keeper_protocol/protocol.h"
#include "keeper_protocol/socket.h"

namespace attacks {
namespace {

using keeper::Field;
using keeper::Message;
using keeper::Tag;

base::Fd open_to_all(const std::filesystem::path& path, int type) {
  base::Fd socket(::socket(AF_UNIX, type, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.native().copy(address.sun_path, sizeof address.sun_path - 1);
  ::umask(0);
  if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0 ||
      ::listen(socket.get(), 10) < 0)
    ::_exit(2);
  return socket;
}

void answer(const base::Fd& peer, const Message& asked, pid_t to_be_signalled) {
  Message message(Tag::done, asked.request());
  if (asked.tag() == Tag::hello || asked.tag() == Tag::upgrade) {
    message = Message(Tag::welcome, asked.request());
    message.add(Field::version, "0.1.0")
        .add(Field::protocol, std::uint64_t{keeper::kProtocolVersion})
        .add(Field::revision, keeper::kProtocolRevision)
        .add(Field::pid, static_cast<std::uint64_t>(to_be_signalled))
        .add(Field::owner, static_cast<std::uint64_t>(to_be_signalled));
  }
  if (asked.tag() == Tag::claim) message = Message(Tag::granted, asked.request());
  if (!keeper::send_packet(peer, message.encode())) ::_exit(3);
}

[[noreturn]] void act(const std::filesystem::path& dir, int notes, pid_t to_be_signalled) {
  std::vector<base::Fd> sockets;
  sockets.push_back(open_to_all(dir / "keeper.sock", SOCK_SEQPACKET));
  sockets.push_back(open_to_all(dir / "daemon.sock", SOCK_STREAM));
  sockets.push_back(open_to_all(dir / "control.sock", SOCK_STREAM));
  const std::size_t listening = sockets.size();
  for (;;) {
    std::vector<pollfd> polls;
    for (const base::Fd& socket : sockets)
      polls.push_back({.fd = socket.get(), .events = POLLIN, .revents = 0});
    if (::poll(polls.data(), polls.size(), -1) < 0) ::_exit(4);
    for (std::size_t i = 0; i < polls.size(); ++i) {
      if (polls[i].revents == 0 || polls[i].fd < 0) continue;
      if (i < listening) {
        sockets.emplace_back(::accept(polls[i].fd, nullptr, nullptr));
        continue;
      }
      std::array<char, 65536> bytes{};
      const ssize_t size = ::recv(polls[i].fd, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (size <= 0) {
        sockets[i].reset();
        continue;
      }
      if (::write(notes, bytes.data(), static_cast<std::size_t>(size)) < 0) ::_exit(5);
      const auto asked =
          Message::decode(std::as_bytes(std::span(bytes)).first(static_cast<std::size_t>(size)));
      if (asked) answer(sockets[i], *asked, to_be_signalled);
    }
  }
}

}  // namespace

Impostor::Impostor(uid_t uid, const std::filesystem::path& dir, pid_t to_be_signalled) {
  std::string name = "/tmp/holdfast-notes-XXXXXX";
  const base::Fd notes(::mkstemp(name.data()));
  notes_ = name;
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork");
  if (pid_ == 0) {
    if (::geteuid() != uid && (::setgid(uid) < 0 || ::setuid(uid) < 0)) ::_exit(1);
    act(dir, notes.get(), to_be_signalled);
  }
  if (!e2e::eventually([&] { return std::filesystem::exists(dir / "control.sock"); }))
    throw std::runtime_error("the impostor does not listen");
}

Impostor::~Impostor() {
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  std::filesystem::remove(notes_);
}

std::string Impostor::heard() const {
  std::stringstream text;
  text << std::ifstream(notes_).rdbuf();
  return text.str();
}

}  // namespace attacks
