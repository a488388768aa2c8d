// The resizes of a terminal, each with its output offset.

#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "journal/format.h"

namespace journal {

struct Resize {
  Offset offset = 0;
  std::uint16_t rows = 0;
  std::uint16_t cols = 0;
  friend bool operator==(const Resize&, const Resize&) = default;
};

class ResizeLog {
 public:
  ResizeLog() = default;
  explicit ResizeLog(Header& header) : header_(&header) {}

  // How many were ever recorded.
  [[nodiscard]] std::uint64_t count() const;

  // Records a resize, before the screen is resized. `checkpoint` is the count at the latest
  // checkpoint. Later records are still needed. If all slots hold such records, fails with `busy`:
  // write a checkpoint first.
  [[nodiscard]] base::Status record(const Resize& resize, std::uint64_t checkpoint);

  // The records from number `from` on, counted from 0, oldest first, without damaged ones.
  [[nodiscard]] std::vector<Resize> since(std::uint64_t from) const;

 private:
  Header* header_ = nullptr;
};

}  // namespace journal
