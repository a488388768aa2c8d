// The daemon's side of a journal: reading output, and keeping beside it what a successor needs.
//
// Invariants
// 1. One consumer per journal. Only it writes `consumed`, `answered`, the history, the checkpoints
//    and the resizes.
// 2. `consumed` only grows, and never passes `produced`.
// 3. Nothing found in the journal is trusted: an offset that makes no sense is an error, and bytes
//    that may have been overwritten are reported as lost.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "journal/checkpoint.h"
#include "journal/format.h"
#include "journal/memory.h"
#include "journal/resize_log.h"
#include "journal/wakeup.h"

namespace journal {

class Consumer {
 public:
  [[nodiscard]] static base::Result<Consumer> open(const base::Fd& memory, Wakeups wakeups);

  [[nodiscard]] Offset produced() const;
  [[nodiscard]] Offset consumed() const;
  // The oldest offset that is whole.
  [[nodiscard]] Offset tail() const;
  // True when everything below `produced` is all there will ever be.
  [[nodiscard]] bool ended() const;

  // The bytes from `from`, at most `most` of them, where they lie in the ring. What is not yet
  // consumed stays whole while a keeper sees this daemon; for anything older, or when in doubt, use
  // the view and then ask `intact`.
  [[nodiscard]] base::Result<std::span<const std::byte>> view(Offset from, std::size_t most) const;
  // Whether the bytes from `from` on were whole all the time until now.
  [[nodiscard]] bool intact(Offset from) const;
  // A copy of the bytes, checked to be whole.
  [[nodiscard]] base::Result<std::vector<std::byte>> copy(Offset from, std::size_t most) const;

  // Declares the bytes below `to` done with, and wakes the producer if it waits for room.
  [[nodiscard]] base::Status advance(Offset to);

  // Says that the consumer waits for output beyond `seen`. Returns false if there is some already,
  // or if none will come.
  [[nodiscard]] bool sleep(Offset seen);
  void awake();
  // The eventfd that becomes readable, edge-triggered, when a sleeping consumer has something to
  // read.
  [[nodiscard]] const base::Fd& data_fd() const { return wakeups_.data.fd(); }

  [[nodiscard]] Offset answered() const;
  void set_answered(Offset offset);

  [[nodiscard]] Checkpoints& checkpoints() { return checkpoints_; }
  [[nodiscard]] ResizeLog& resizes() { return resizes_; }

  // The history ring, its two positions, and a store beside it, for the screen to keep its lines
  // in.
  [[nodiscard]] std::span<std::byte> history() const;
  [[nodiscard]] std::span<std::byte> history_store() const;
  // How much of the history's memory the store is. For whoever made the journal, before anything is
  // written there.
  void set_history_store(std::uint64_t size) { header().history_store = size; }
  // Gives the memory of whole pages of the history ring back; what is read there is zero
  // afterwards.
  void release(std::span<std::byte> pages) const;
  [[nodiscard]] std::atomic<Offset>& history_begin() { return header().history_begin; }
  [[nodiscard]] std::atomic<Offset>& history_end() { return header().history_end; }

  [[nodiscard]] const Constants& constants() const { return constants_; }

 private:
  Consumer() = default;
  [[nodiscard]] Header& header() const { return *reinterpret_cast<Header*>(page_.data()); }

  Wakeups wakeups_;
  Mapping page_;
  Mapping ring_;
  Mapping history_;
  Mapping slots_;
  Checkpoints checkpoints_;
  ResizeLog resizes_;
  Constants constants_{};
};

}  // namespace journal
