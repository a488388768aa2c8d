// Follows running terminals: notes what becomes of their programs and who views them, and tells the
// watchers.
//
// Invariants
// 1. An exit that the keeper reports before the terminal is followed is not lost.
// 2. An exit is noted once, after all output before it was read.

#pragma once

#include <chrono>
#include <optional>

#include <boost/asio/any_io_executor.hpp>

#include "session/closer.h"
#include "session/history_saver.h"
#include "session/row_saver.h"
#include "session/settings.h"
#include "session/terminals.h"
#include "session/watcher.h"
#include "terminal/terminal.h"

namespace session {

class Follower {
 public:
  Follower(boost::asio::any_io_executor executor, Terminals& terminals, RowSaver& rows,
           HistorySaver& histories, Closer& closer, const Watchers& watchers,
           const Settings& settings)
      : executor_(executor),
        terminals_(terminals),
        rows_(rows),
        histories_(histories),
        closer_(closer),
        watchers_(watchers),
        settings_(settings) {}

  // The entry's program runs: this is its terminal.
  void follow(TerminalEntry& entry, keeper::AttachedChild child,
              std::optional<terminal::Preamble> preamble);
  // The watchers know the terminal by now. If it has exited already, they learn that, too.
  void tell_early_exit(TerminalEntry& entry);
  // The same for a terminal that an earlier daemon followed, which has reported the exit.
  void take_over_exit(TerminalEntry& entry);
  // The keeper's event.
  void child_exited(const keeper::ChildId& id, const keeper::ChildExit& exit);

 private:
  void exited(const terminal::Terminal& terminal);
  void looked_at(terminal::Terminal& terminal);
  void noticed(const terminal::Terminal& terminal, const terminal::Notice& notice);
  // Null if others may not hear of it.
  [[nodiscard]] const TerminalEntry* told_of(const terminal::Terminal& terminal) const;
  void tell(const terminal::Terminal& terminal, void (Watcher::*what)(const TerminalEntry&));

  boost::asio::any_io_executor executor_;
  Terminals& terminals_;
  RowSaver& rows_;
  HistorySaver& histories_;
  Closer& closer_;
  const Watchers& watchers_;
  const Settings& settings_;
};

}  // namespace session
