// The two checkpoint slots of a journal. One always holds a whole checkpoint, even if the writer
// dies at any instruction.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "journal/format.h"

namespace journal {

struct Checkpoint {
  Offset offset = 0;   // The output offset that `screen` belongs to.
  Offset history = 0;  // The end of the history at that offset.
  std::uint16_t rows = 0;
  std::uint16_t cols = 0;
  std::uint64_t resizes = 0;  // How many were recorded so far.
  std::vector<std::byte> screen;
};

class Checkpoints {
 public:
  Checkpoints() = default;
  // `slots` is both slots together.
  Checkpoints(std::span<std::byte> slots, Header& header);

  // The maximum size of a screen in bytes.
  [[nodiscard]] std::size_t room() const;
  // Replaces the older one. If the screen does not fit, fails and changes nothing.
  [[nodiscard]] base::Status write(const Checkpoint& checkpoint);
  // The newest valid one; none if both slots are empty or damaged.
  [[nodiscard]] std::optional<Checkpoint> latest() const;
  // All valid ones, the oldest first.
  [[nodiscard]] std::vector<Checkpoint> all() const;

 private:
  struct Found {
    std::uint64_t sequence = 0;
    std::optional<Checkpoint> checkpoint;
  };
  [[nodiscard]] std::span<std::byte> slot(std::uint64_t sequence) const;
  [[nodiscard]] Found read(std::uint64_t parity) const;

  std::span<std::byte> slots_;
  Header* header_ = nullptr;
  std::uint64_t last_sequence_ = 0;
};

}  // namespace journal
