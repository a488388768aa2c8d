// The connections that are no WebSockets: silent ones, and those whose requests are being answered.
// Anybody can open one, so there may be only so many, and the newest is the one that is let in.
//
// Invariants
// 1. When it is full, the address with the most connections loses the one that has been there
//    longest. So one that opens many loses its own.
// 2. Whoever has asked something counts as newly come.

#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <utility>

#include "http/socket.h"

namespace http {

class WaitingRoom {
  using Entry = std::pair<std::string, Socket*>;  // Null: closed already.

 public:
  // A connection's place, which it gives back when it is closed or becomes a WebSocket.
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

  // Closes connections until another one fits; how many.
  std::size_t make_room(std::int64_t most);
  void close_all();

 private:
  void forget(Entry& entry);
  void close(Entry& entry);

  std::list<Entry> entries_;                  // Oldest first.
  std::map<std::string, std::int64_t> open_;  // How many of an address are not closed.
  std::int64_t count_ = 0;                    // How many are not closed.
};

}  // namespace http
