#include "keeper/ask.h"

#include <poll.h>

#include <cerrno>

#include "keeper/socket.h"

namespace keeper {
namespace {

constexpr int kAnswerTime = 5000;

base::Result<Message> next_message(const base::Fd& socket) {
  for (;;) {
    const auto packet = receive_packet(socket);
    if (packet) {
      auto message = Message::decode(packet->bytes);
      if (message && message->tag() == Tag::error) return base::fail(error_of(*message));
      return message;
    }
    if (!would_block(packet.error())) return base::fail(packet.error());
    pollfd poll{.fd = socket.get(), .events = POLLIN, .revents = 0};
    if (::poll(&poll, 1, kAnswerTime) == 0)
      return base::fail(base::Code::timed_out, "the keeper does not answer");
  }
}

base::Result<base::Fd> connect(const std::filesystem::path& runtime_dir) {
  auto socket = connect_to_keeper(runtime_dir);
  if (!socket && (socket.error().sys_errno == EACCES || socket.error().sys_errno == EPERM))
    socket.error().advice = "It is another user's. Ask as that user, or as root.";
  return socket;
}

}  // namespace

base::Result<Holding> ask_holding(const std::filesystem::path& runtime_dir) {
  const auto socket = connect(runtime_dir);
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

base::Result<Message> ask_upgrade(const std::filesystem::path& runtime_dir,
                                  const std::filesystem::path& program) {
  const auto socket = connect(runtime_dir);
  if (!socket) return base::fail(socket.error());
  Message message(Tag::upgrade, 1);
  message.add(Field::path, program.native());
  if (auto sent = send_packet(*socket, message.encode()); !sent) return base::fail(sent.error());
  return next_message(*socket);
}

}  // namespace keeper
