// One peer of the keeper: requests in, answers and events out, in bounded memory.
//
// While anything is unsent, nothing is read, so a peer that does not read its answers cannot ask
// for more. Only events are still queued, at most one per child.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "base/fd.h"
#include "base/peer.h"
#include "base/result.h"
#include "keeper/loop.h"
#include "keeper_protocol/protocol.h"
#include "keeper_protocol/socket.h"

namespace keeper {

enum class ConnectionId : std::uint64_t { none = 0 };

class Connection {
 public:
  struct Handlers {
    std::function<void(base::Result<Message>)> received;  // A message or an error.
    std::function<void()> closed;                         // Must not destroy the connection.
  };

  Connection(ConnectionId id, base::Fd socket, base::Peer peer, Loop& loop, Handlers handlers);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] base::Status open();  // Starts reading.
  // Takes the next descriptor that came with the current message; invalid if there is none.
  // Descriptors that are not taken are closed after the request.
  [[nodiscard]] base::Fd take_descriptor();
  void send(const Message& message, std::span<const int> descriptors = {});
  void close();

  [[nodiscard]] ConnectionId id() const { return id_; }
  [[nodiscard]] const base::Peer& peer() const { return peer_; }
  [[nodiscard]] bool is_closed() const { return closed_; }
  [[nodiscard]] bool has_unsent() const { return !unsent_.empty(); }
  [[nodiscard]] const base::Fd& socket() const { return socket_; }

 private:
  struct Unsent {
    std::vector<std::byte> bytes;
    std::vector<base::Fd> descriptors;
  };
  void receive();
  void flush();
  void enqueue(std::vector<std::byte> bytes, std::span<const int> descriptors);

  ConnectionId id_;
  base::Fd socket_;
  base::Peer peer_;
  Loop& loop_;
  Handlers handlers_;
  std::deque<Unsent> unsent_;
  std::deque<base::Fd> received_;
  Loop::Id watch_ = Loop::Id::none;
  bool closed_ = false;
};

}  // namespace keeper
