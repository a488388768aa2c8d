// The keeper's side of a journal.
//
// Invariants
// 1. One producer per journal. Only it writes the output ring, `produced` and `ended`.
// 2. What it believes is in its own memory: nothing the consumer writes can move `produced` or make
//    it write outside the ring. A nonsensical `consumed` costs the consumer output, never the
//    producer anything.
// 3. A byte below `produced` never changes while it is whole (docs/journal-format.md).
// 4. In bounded mode at most `slack` bytes stand between `consumed` and `produced`.
// 5. Only what lies more than the replay below `produced`, all of it consumed, is ever given back.

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
  // Takes over a journal at `produced`: 0 for a new one, or what an earlier producer reached.
  [[nodiscard]] static base::Result<Producer> open(base::Fd memory, Wakeups wakeups,
                                                   Offset produced);

  // Where the next bytes go: empty when there is no room, else at most the write window, and no
  // further than to the ring's end.
  [[nodiscard]] std::span<std::byte> room(Limit limit) const;
  // Commits the first `size` bytes of `room`, and wakes the consumer if it sleeps.
  void publish(std::size_t size);
  // No output will follow.
  void end();

  // Says that the producer waits for room. Returns false if there is room already: then it does not
  // sleep.
  [[nodiscard]] bool sleep();
  void awake();

  // How many bytes of memory hold older output than the replay that is promised.
  [[nodiscard]] std::uint64_t spare() const;
  // Gives that memory back to the system, if a consumer that can deal with it has read everything
  // and sleeps. For when the output is quiet: the ring's next round asks for it again.
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
  Mapping mapping_;  // Header and ring, in one: with hundreds of journals a fork copies hundreds.
  Constants constants_{};
  Offset produced_ = 0;
  Offset dropped_ = 0;
};

}  // namespace journal
