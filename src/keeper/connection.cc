#include "keeper/connection.h"

#include <cerrno>

#include "base/log.h"

namespace keeper {

Connection::Connection(ConnectionId id, base::Fd socket, base::Peer peer, Loop& loop,
                       Handlers handlers)
    : id_(id),
      socket_(std::move(socket)),
      peer_(peer),
      loop_(loop),
      handlers_(std::move(handlers)) {}

Connection::~Connection() {
  loop_.unwatch(socket_, watch_);
}

base::Status Connection::open() {
  auto watch = loop_.on_readable(socket_, [this] { receive(); });
  if (!watch) return base::fail(watch.error());
  watch_ = *watch;
  return {};
}

void Connection::receive() {
  auto packet = receive_packet(socket_);
  if (!packet) {
    if (would_block(packet.error())) return;
    if (packet.error().code != base::Code::too_large) return close();
    return handlers_.received(base::fail(packet.error()));
  }
  for (base::Fd& descriptor : packet->descriptors) received_.push_back(std::move(descriptor));
  handlers_.received(Message::decode(packet->bytes));
  received_.clear();
}

base::Fd Connection::take_descriptor() {
  if (received_.empty()) return {};
  base::Fd descriptor = std::move(received_.front());
  received_.pop_front();
  return descriptor;
}

void Connection::send(const Message& message, std::span<const int> descriptors) {
  if (closed_) return;
  auto bytes = message.encode();
  if (!unsent_.empty()) return enqueue(std::move(bytes), descriptors);
  const auto sent = send_packet(socket_, bytes, descriptors);
  if (sent) return;
  if (!would_block(sent.error())) return close();
  enqueue(std::move(bytes), descriptors);
  loop_.unwatch(socket_, watch_);
  auto watch = loop_.on_writable(socket_, [this] { flush(); });
  if (!watch) return close();
  watch_ = *watch;
}

void Connection::enqueue(std::vector<std::byte> bytes, std::span<const int> descriptors) {
  Unsent unsent{.bytes = std::move(bytes), .descriptors = {}};
  for (const int descriptor : descriptors) {
    // Duplicate it: the child may be gone before the peer reads.
    base::Fd borrowed(descriptor);
    auto copy = base::duplicate(borrowed);
    (void)borrowed.release();
    if (!copy) {
      base::log(base::Level::error, "cannot answer a connection; closing it",
                {{"error", copy.error()}});
      return close();
    }
    unsent.descriptors.push_back(std::move(*copy));
  }
  unsent_.push_back(std::move(unsent));
}

void Connection::flush() {
  while (!unsent_.empty()) {
    std::vector<int> descriptors;
    for (const base::Fd& descriptor : unsent_.front().descriptors)
      descriptors.push_back(descriptor.get());
    const auto sent = send_packet(socket_, unsent_.front().bytes, descriptors);
    if (!sent && would_block(sent.error())) return;
    if (!sent) return close();
    unsent_.pop_front();
  }
  loop_.unwatch(socket_, watch_);
  if (!open()) close();
}

void Connection::close() {
  if (closed_) return;
  closed_ = true;
  loop_.unwatch(socket_, watch_);
  socket_.reset();
  unsent_.clear();
  handlers_.closed();
}

}  // namespace keeper
