// The daemon's side of a journal: reads output, and stores what the next daemon needs.
//
// Invariants
// 1. One consumer per journal. Only it writes `consumed`, `answered`, the history, the checkpoints
//    and the resizes.
// 2. `consumed` only grows, and never passes `produced`.
// 3. Nothing in the journal is trusted: an impossible offset is an error, and bytes that may
//    have been overwritten are reported as lost.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "journal/checkpoint.h"
#include "journal/format.h"
#include "journal/history_memory.h"
#include "journal/memory.h"
#include "journal/resize_log.h"
#include "journal/wakeup.h"

namespace journal {

class Consumer {
 public:
  [[nodiscard]] static base::Result<Consumer> open(const base::Fd& memory, Wakeups wakeups);

  [[nodiscard]] Offset produced() const;
  [[nodiscard]] Offset consumed() const;
  // The oldest offset that is still whole.
  [[nodiscard]] Offset tail() const;
  // True when no more output will follow.
  [[nodiscard]] bool ended() const;

  // The bytes from `from`, at most `most` of them, in place in the ring. Bytes that are not
  // consumed yet stay whole while this daemon is connected to the keeper. For older bytes, or if
  // unsure, call `intact` after using the view.
  [[nodiscard]] base::Result<std::span<const std::byte>> view(Offset from, std::size_t most) const;
  // Whether the bytes from `from` on have stayed whole until now.
  [[nodiscard]] bool intact(Offset from) const;
  // A copy of the bytes. Fails if they were overwritten.
  [[nodiscard]] base::Result<std::vector<std::byte>> copy(Offset from, std::size_t most) const;

  // Marks the bytes below `to` as consumed, and wakes the producer if it waits for room.
  [[nodiscard]] base::Status advance(Offset to);

  // Announces that the consumer waits for output beyond `seen`. Returns false if there is some
  // already, or if none will come.
  [[nodiscard]] bool sleep(Offset seen);
  void awake();
  // The eventfd that becomes readable (edge-triggered) when a sleeping consumer has something to
  // read.
  [[nodiscard]] const base::Fd& data_fd() const { return wakeups_.data.fd(); }

  [[nodiscard]] Offset answered() const;
  void set_answered(Offset offset);

  [[nodiscard]] Checkpoints& checkpoints() { return checkpoints_; }
  [[nodiscard]] ResizeLog& resizes() { return resizes_; }

  [[nodiscard]] const HistoryMemory& history() const { return history_; }

  [[nodiscard]] const Constants& constants() const { return constants_; }

 private:
  Consumer() = default;
  [[nodiscard]] Header& header() const { return *reinterpret_cast<Header*>(page_.data()); }

  Wakeups wakeups_;
  Mapping page_;
  Mapping ring_;
  HistoryMemory history_;
  Mapping slots_;
  Checkpoints checkpoints_;
  ResizeLog resizes_;
  Constants constants_{};
};

}  // namespace journal
