#include "http/waiting_room.h"

#include <algorithm>

namespace http {

WaitingRoom::Seat::Seat(WaitingRoom& room, const std::string& address, Socket& socket)
    : room_(room), entry_(room.entries_.emplace(room.entries_.end(), address, &socket)) {
  ++room_.open_[address];
  ++room_.count_;
}

WaitingRoom::Seat::~Seat() {
  room_.forget(*entry_);
  room_.entries_.erase(entry_);
}

void WaitingRoom::Seat::asked() {
  room_.entries_.splice(room_.entries_.end(), room_.entries_, entry_);
}

void WaitingRoom::forget(Entry& entry) {
  if (entry.second == nullptr) return;
  entry.second = nullptr;
  --count_;
  const auto found = open_.find(entry.first);
  if (--found->second == 0) open_.erase(found);
}

void WaitingRoom::close(Entry& entry) {
  if (entry.second == nullptr) return;
  boost::system::error_code ignored;  // It is closed either way.
  entry.second->close(ignored);
  forget(entry);
}

std::size_t WaitingRoom::make_room(std::int64_t most) {
  std::size_t closed = 0;
  for (; count_ >= std::max<std::int64_t>(most, 1); ++closed) {
    const auto busiest =
        std::ranges::max_element(open_, {}, [](const auto& each) { return each.second; });
    const auto oldest = std::ranges::find_if(entries_, [&](const Entry& entry) {
      return entry.second != nullptr && entry.first == busiest->first;
    });
    close(*oldest);
  }
  return closed;
}

void WaitingRoom::close_all_except(const std::set<const Socket*>& some) {
  for (Entry& entry : entries_)
    if (!some.contains(entry.second)) close(entry);
}

}  // namespace http
