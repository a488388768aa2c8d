// Makes the snapshots that a terminal's viewers wait for, one turn at a time, so that a long
// history keeps no other terminal waiting.
//
// Invariants
// 1. While one is being made the screen does not change. Whoever has to change it abandons it, and
//    those who waited ask again.
// 2. All who wait get the same one.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/task_scope.h"
#include "journal/format.h"
#include "vt/snapshot.h"

namespace terminal {

class Viewer;

struct Snapshot {
  std::string bytes;
  journal::Offset offset = 0;  // What the receiver goes on from.
  vt::Size size;
};

class SnapshotMaker {
 public:
  // `tasks` is joined before this is destroyed.
  SnapshotMaker(boost::asio::any_io_executor executor, base::TaskScope& tasks)
      : executor_(executor), tasks_(tasks) {}

  // The snapshot, if it takes no more than a turn. Otherwise none, and the viewer is handed it when
  // it is made.
  [[nodiscard]] std::shared_ptr<const Snapshot> make(const vt::Screen& screen, Viewer& viewer);
  [[nodiscard]] bool is_at_work() const { return steps_.has_value(); }
  void abandon();
  void forget(const Viewer& viewer);

 private:
  [[nodiscard]] std::shared_ptr<const Snapshot> finish();
  boost::asio::awaitable<void> go_on(std::uint64_t number);

  boost::asio::any_io_executor executor_;
  base::TaskScope& tasks_;
  const vt::Screen* screen_ = nullptr;
  std::optional<vt::SnapshotInSteps> steps_;
  std::uint64_t number_ = 0;  // Of the one that is being made: a task may belong to one before it.
  std::vector<Viewer*> waiting_;
};

}  // namespace terminal
