// The part of a journal where the screen keeps its lines: a ring, a store behind it, and at the end
// of the store the area of keyed input and of the lease. It is not trusted: sizes that do not fit
// count as none.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "journal/format.h"
#include "journal/memory.h"

namespace journal {

class HistoryMemory {
 public:
  HistoryMemory() = default;
  // `position` is where the memory begins in the file. The header must outlive it.
  HistoryMemory(Mapping memory, std::uint64_t position, Header& header)
      : memory_(std::move(memory)), position_(position), header_(&header) {}

  [[nodiscard]] std::span<std::byte> ring() const;
  // The ring's two positions.
  [[nodiscard]] std::atomic<Offset>& begin() const { return header_->history_begin; }
  [[nodiscard]] std::atomic<Offset>& end() const { return header_->history_end; }
  // Releases the memory of whole pages of the ring. They read as zero afterwards.
  void release(std::span<std::byte> pages) const;

  [[nodiscard]] std::span<std::byte> store() const;
  // Empty if the journal has none.
  [[nodiscard]] std::span<std::byte> input_area() const;
  // Where that is in the file.
  [[nodiscard]] std::uint64_t input_position() const;

  // Sets how much of the memory the store takes. Only for the journal's creator, before anything is
  // written there.
  void set_store(std::uint64_t size) const { header_->history_store = size; }
  // Gives the end of the store to keyed input and the lease. As above.
  void set_input_area() const { header_->input_area = kInputArea; }

 private:
  // The store, and the input area at its end.
  [[nodiscard]] std::span<std::byte> behind_ring() const;

  Mapping memory_;
  std::uint64_t position_ = 0;
  Header* header_ = nullptr;
};

}  // namespace journal
