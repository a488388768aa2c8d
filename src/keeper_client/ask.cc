#include "keeper_client/ask.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>

#include "keeper_protocol/socket.h"

namespace keeper {
namespace {

constexpr int kAnswerTime = 5000;

base::Result<Packet> next_packet(const base::Fd& socket) {
  for (;;) {
    auto packet = receive_packet(socket);
    if (packet || !would_block(packet.error())) return packet;
    pollfd poll{.fd = socket.get(), .events = POLLIN, .revents = 0};
    if (::poll(&poll, 1, kAnswerTime) == 0)
      return base::fail(base::Code::timed_out, "the keeper did not answer in time");
  }
}

base::Result<Message> message_in(const Packet& packet) {
  auto message = Message::decode(packet.bytes);
  if (message && message->tag() == Tag::error) return base::fail(error_of(*message));
  return message;
}

base::Result<Message> next_message(const base::Fd& socket) {
  const auto packet = next_packet(socket);
  if (!packet) return base::fail(packet.error());
  return message_in(*packet);
}

base::Result<Message> hello(const base::Fd& socket) {
  if (auto sent = send_packet(socket, Message(Tag::hello, 1).encode()); !sent)
    return base::fail(sent.error());
  return next_message(socket);
}

pid_t pid_in(const Message& welcome, Field field) {
  return static_cast<pid_t>(welcome.number_or(field, 0));
}

base::Result<std::optional<base::VerifiedProcess>> process_in(const Message& welcome, Field field) {
  const pid_t pid = pid_in(welcome, field);
  if (pid <= 0) return std::nullopt;
  return base::VerifiedProcess::open(pid);
}

}  // namespace

base::Result<Holding> ask_holding(const std::filesystem::path& runtime_dir) {
  const auto socket = connect_to_keeper(runtime_dir);
  if (!socket) return base::fail(socket.error());
  for (const Tag tag : {Tag::hello, Tag::list})
    if (auto sent = send_packet(*socket, Message(tag, 1).encode()); !sent)
      return base::fail(sent.error());
  auto keeper = next_message(*socket);
  if (!keeper) return base::fail(keeper.error());
  Holding holding{.keeper = std::move(*keeper), .children = {}};
  for (;;) {
    auto message = next_message(*socket);
    if (!message) return base::fail(message.error());
    if (message->tag() == Tag::done) return holding;
    holding.children.push_back(std::move(*message));
  }
}

std::vector<std::uint64_t> running_terminals(const Holding& holding) {
  std::vector<std::uint64_t> pids;
  for (const Message& child : holding.children)
    if (child.number_or(Field::kind, 0) == static_cast<std::uint64_t>(Kind::terminal) &&
        child.number_or(Field::state, 0) == static_cast<std::uint64_t>(State::running))
      pids.push_back(child.number_or(Field::pid, 0));
  std::ranges::sort(pids);
  return pids;
}

base::Result<Processes> ask_processes(const std::filesystem::path& runtime_dir) {
  const auto socket = connect_to_keeper(runtime_dir);
  if (!socket) return base::fail(socket.error());
  auto told = hello(*socket);
  for (;;) {
    if (!told) return base::fail(told.error());
    auto keeper = process_in(*told, Field::pid);
    if (!keeper) return base::fail(keeper.error());
    auto daemon = process_in(*told, Field::owner);
    if (!daemon) return base::fail(daemon.error());
    // If the keeper still reports the same pids, they had not been reused when we opened them.
    auto again = hello(*socket);
    if (!again) return base::fail(again.error());
    if (pid_in(*again, Field::pid) == pid_in(*told, Field::pid) &&
        pid_in(*again, Field::owner) == pid_in(*told, Field::owner))
      return Processes{.keeper = std::move(*keeper), .daemon = std::move(*daemon)};
    told = std::move(again);
  }
}

base::Result<bool> ask_whether_owned(const std::filesystem::path& runtime_dir) {
  const auto socket = connect_to_keeper(runtime_dir);
  if (!socket) return base::fail(socket.error());
  const auto told = hello(*socket);
  if (!told) return base::fail(told.error());
  // The keeper may not have noticed yet that it has ended.
  const auto daemon = process_in(*told, Field::owner);
  if (!daemon) return base::fail(daemon.error());
  return daemon->has_value();
}

base::Result<Upgraded> ask_upgrade(const std::filesystem::path& runtime_dir,
                                   const base::Program& program) {
  const auto socket = connect_to_keeper(runtime_dir);
  if (!socket) return base::fail(socket.error());
  Message message(Tag::upgrade, 1);
  // An older keeper uses only the path. A deleted file is reached through this process.
  std::error_code error;
  message.add(Field::path, std::filesystem::exists(program.name(), error)
                               ? program.name()
                               : "/proc/" + std::to_string(::getpid()) + "/fd/" +
                                     std::to_string(program.file().get()));
  const int file = program.file().get();
  if (auto sent = send_packet(*socket, message.encode(), std::span(&file, 1)); !sent)
    return base::fail(sent.error());
  auto packet = next_packet(*socket);
  if (!packet) return base::fail(packet.error());
  auto welcome = message_in(*packet);
  if (!welcome) return base::fail(welcome.error());
  return Upgraded{.keeper = std::move(*welcome),
                  .previous = packet->descriptors.empty() ? base::Fd()
                                                          : std::move(packet->descriptors.front())};
}

}  // namespace keeper
