// The keeper's side of a journal.
//
// Invariants
// 1. One producer per journal. Only it writes the output ring, `produced` and `ended`.
// 2. It trusts only its own memory: nothing that the consumer writes can move `produced` or make
//    it write outside the ring. A wrong `consumed` costs only the consumer's own output.
// 3. A byte below `produced` never changes while it is whole (docs/journal-format.md).
// 4. In bounded mode at most `slack` bytes are between `consumed` and `produced`.
// 5. Memory is released only if it is older than the replay and everything is consumed.

#pragma once

#include <cstddef>
#include <span>

#include "base/fd.h"
#include "base/result.h"
#include "journal/format.h"
#include "journal/memory.h"
#include "journal/wakeup.h"

namespace journal {

enum class Limit {
  bounded,  // Stop at `consumed + slack`.
  free,     // Overwrite the oldest.
};

class Producer {
 public:
  // Opens a journal at `produced`: 0 for a new one, or where the previous producer stopped.
  [[nodiscard]] static base::Result<Producer> open(base::Fd memory, Wakeups wakeups,
                                                   Offset produced);

  // Where the next bytes go. Empty if there is no room; at most the write window, and never past
  // the end of the ring.
  [[nodiscard]] std::span<std::byte> room(Limit limit) const;
  // Commits the first `size` bytes of `room` and wakes the consumer if it sleeps.
  void publish(std::size_t size);
  // No output will follow.
  void end();

  // Announces that the producer waits for room. Returns false, and does not sleep, if there is room
  // already.
  [[nodiscard]] bool sleep();
  void awake();

  // How many bytes of memory hold output older than the replay.
  [[nodiscard]] std::uint64_t spare() const;
  // Releases that memory, if the consumer supports this, has read everything and sleeps. Call when
  // the output is quiet: the ring allocates it again on its next round.
  [[nodiscard]] base::Status give_back();

  [[nodiscard]] Offset produced() const { return produced_; }
  [[nodiscard]] Offset consumed() const;
  [[nodiscard]] bool ended() const { return header().ended.load(std::memory_order_relaxed) != 0; }
  [[nodiscard]] const base::Fd& memory() const { return memory_; }
  [[nodiscard]] const Wakeups& wakeups() const { return wakeups_; }

 private:
  Producer() = default;
  [[nodiscard]] Header& header() const { return *reinterpret_cast<Header*>(mapping_.data()); }
  void wake_consumer();
  [[nodiscard]] Offset oldest_promised() const;
  [[nodiscard]] Offset oldest_held() const;

  base::Fd memory_;
  Wakeups wakeups_;
  Mapping mapping_;  // Header and ring in one: a fork copies every mapping.
  Constants constants_{};
  Offset produced_ = 0;
  Offset dropped_ = 0;
};

}  // namespace journal
