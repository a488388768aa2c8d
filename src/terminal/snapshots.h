// Makes snapshots of a terminal one turn at a time, so that a large screen or a long history does
// not keep other terminals waiting.
//
// Invariants
// 1. The screen does not change while a snapshot is being made. To change it,
//    abandon the snapshot first.
// 2. All viewers that wait get the same snapshot. If it is abandoned, they learn that they must ask
//    again.

#pragma once

#include <cstdint>
#include <functional>
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

// One at a time.
class InTurns {
 public:
  // `tasks` is joined before this is destroyed.
  InTurns(boost::asio::any_io_executor executor, base::TaskScope& tasks)
      : executor_(executor), tasks_(tasks) {}

  // Calls `made` with the result: before this returns, if one turn is enough.
  void start(vt::SnapshotInSteps steps, std::function<void(vt::Checkpoint)> made);
  [[nodiscard]] bool is_at_work() const { return steps_.has_value(); }
  void abandon() { steps_.reset(); }

 private:
  bool step();
  boost::asio::awaitable<void> go_on(std::uint64_t number);

  boost::asio::any_io_executor executor_;
  base::TaskScope& tasks_;
  std::optional<vt::SnapshotInSteps> steps_;
  std::function<void(vt::Checkpoint)> made_;
  std::uint64_t number_ = 0;  // A task may belong to one that was abandoned.
};

class Viewer;

struct Snapshot {
  std::string bytes;
  journal::Offset offset = 0;  // Output from here follows it.
  vt::Size size;
};

// The snapshots that viewers wait for.
class Snapshots {
 public:
  Snapshots(boost::asio::any_io_executor executor, base::TaskScope& tasks)
      : in_turns_(executor, tasks) {}

  // The snapshot, if one turn is enough. Otherwise null, and the viewer gets it when it is ready.
  [[nodiscard]] std::shared_ptr<const Snapshot> make(const vt::Screen& screen, Viewer& viewer);
  [[nodiscard]] bool is_at_work() const { return in_turns_.is_at_work(); }
  void abandon();
  void forget(const Viewer& viewer);

 private:
  void hand_out(const std::shared_ptr<const Snapshot>& made);

  InTurns in_turns_;
  std::vector<Viewer*> waiting_;
  std::shared_ptr<const Snapshot> at_once_;  // While `make` runs.
};

}  // namespace terminal
