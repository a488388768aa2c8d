// A journal with both sides, for tests.

#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "journal/consumer.h"
#include "journal/producer.h"

namespace journal {

inline Wakeups duplicate_of(const Wakeups& wakeups) {
  return {.data = Wakeup(base::duplicate(wakeups.data.fd()).value()),
          .space = Wakeup(base::duplicate(wakeups.space.fd()).value())};
}

// Small enough that tests wrap around the ring often: it keeps 64 KiB, and 4 KiB may be in flight.
inline constexpr Shape kSmallShape{.replay = 64 * 1024,
                                   .slack = 4096,
                                   .history = 4096,
                                   .checkpoint = 4096,
                                   .rows = 24,
                                   .cols = 80};

struct TestJournal {
  explicit TestJournal(const Shape& shape = kSmallShape)
      : memory(create_memory(shape).value()),
        wakeups(Wakeups::create().value()),
        producer(Producer::open(base::duplicate(memory).value(), duplicate_of(wakeups), 0).value()),
        consumer(open_consumer()) {}

  Consumer open_consumer() const { return Consumer::open(memory, duplicate_of(wakeups)).value(); }

  // Writes as much of `text` as there is room for. Returns how much.
  std::size_t write(std::string_view text, Limit limit = Limit::bounded) {
    const auto room = producer.room(limit);
    const std::size_t size = std::min(room.size(), text.size());
    std::memcpy(room.data(), text.data(), size);
    producer.publish(size);
    return size;
  }

  base::Fd memory;
  Wakeups wakeups;
  Producer producer;
  Consumer consumer;
};

inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace journal
