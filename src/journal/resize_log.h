// The resizes of a terminal, each with the output offset at which it happened.

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

  // Records a resize. `checkpoint` is the offset of the latest checkpoint: a record at or after it
  // is still needed, and when all places hold such records, the answer is `busy` and a checkpoint
  // must be written first.
  [[nodiscard]] base::Status record(const Resize& resize, Offset checkpoint);

  // The records at or after `from`, oldest first. Damaged ones are left out.
  [[nodiscard]] std::vector<Resize> since(Offset from) const;

 private:
  Header* header_ = nullptr;
};

}  // namespace journal
