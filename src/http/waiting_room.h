// The connections that are not WebSockets: idle ones, and those with a request in progress. Anybody
// can open one, so their number is limited. A new connection always gets in.
//
// Invariants
// 1. When the room is full, the address with the most connections loses its oldest one. So a client
//    that opens many loses its own.
// 2. A connection that sends a request counts as new again.

#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "http/socket.h"

namespace http {

class WaitingRoom {
  using Entry = std::pair<std::string, Socket*>;  // Null: closed already.

 public:
  // A connection's place until it is closed or becomes a WebSocket.
  class Seat {
   public:
    Seat(WaitingRoom& room, const std::string& address, Socket& socket);
    ~Seat();
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;
    void asked();

   private:
    WaitingRoom& room_;
    std::list<Entry>::iterator entry_;
  };

  // Closes connections until another one fits. Returns how many it closed.
  std::size_t make_room(std::int64_t most);
  void close_all_except(const std::set<const Socket*>& some);

 private:
  void forget(Entry& entry);
  void close(Entry& entry);

  std::list<Entry> entries_;                  // Oldest first.
  std::map<std::string, std::int64_t> open_;  // How many are open, by address.
  std::int64_t count_ = 0;                    // How many are open.
};

}  // namespace http
