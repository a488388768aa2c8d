// An eventfd with which one side of a journal wakes the other. Because it is watched
// edge-triggered, it need not be read. The daemon's event loop reads it anyway
// (docs/journal-format.md, Sleeping).

#pragma once

#include "base/fd.h"
#include "base/result.h"

namespace journal {

class Wakeup {
 public:
  Wakeup() = default;
  explicit Wakeup(base::Fd fd) : fd_(std::move(fd)) {}

  [[nodiscard]] static base::Result<Wakeup> create();

  void signal() const;
  [[nodiscard]] const base::Fd& fd() const { return fd_; }

 private:
  base::Fd fd_;
};

// The two wake-ups of a journal.
struct Wakeups {
  Wakeup data;   // The producer wakes the consumer.
  Wakeup space;  // The consumer wakes the producer.

  [[nodiscard]] static base::Result<Wakeups> create();
};

}  // namespace journal
