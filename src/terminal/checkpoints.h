// Writes a terminal's checkpoints into its journal, and knows how far the latest one goes.
//
// Invariants
// 1. The journal keeps all output after the latest checkpoint, so that checkpoint + output =
//    screen.
// 2. A checkpoint is written before the journal would have to drop output after the last one.
// 3. A checkpoint that does not fit is made to fit, and the log says so; it is never left out.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <boost/asio/any_io_executor.hpp>

#include "base/task_scope.h"
#include "journal/consumer.h"
#include "terminal/snapshots.h"
#include "vt/screen.h"

namespace terminal {

class Checkpoints {
 public:
  // `tasks` is joined before this is destroyed. `terminal` names it in the log. `front` makes what
  // is at the front of every checkpoint: strings that terminals ignore.
  Checkpoints(boost::asio::any_io_executor executor, base::TaskScope& tasks,
              journal::Consumer& journal, std::string terminal, std::function<std::string()> front)
      : journal_(journal),
        terminal_(std::move(terminal)),
        front_(std::move(front)),
        in_turns_(executor, tasks) {}

  // The screen was rebuilt from a checkpoint, or from nothing, with this offset, end of history and
  // number of resizes.
  void recovered(journal::Offset offset, std::uint64_t history, std::uint64_t resizes);
  // The screen has changed since.
  void screen_changed() { is_due_ = true; }
  [[nodiscard]] bool is_due() const { return is_due_; }
  // There is so much output after the latest one that the next cannot wait for a pause.
  [[nodiscard]] bool is_overdue(const vt::Screen& screen) const;

  // At once: the caller depends on it.
  void write(const vt::Screen& screen);
  // A turn at a time. The screen must not change until `written` is called; `abandon` if it must.
  void write_in_turns(const vt::Screen& screen, std::function<void()> written);
  [[nodiscard]] bool is_at_work() const { return in_turns_.is_at_work(); }
  void abandon() { in_turns_.abandon(); }

  // Where the latest one ends in the output and in the history, and how many resizes it includes.
  [[nodiscard]] journal::Offset offset() const { return offset_; }
  [[nodiscard]] std::uint64_t history() const { return history_; }
  [[nodiscard]] std::uint64_t resizes() const { return resizes_; }
  // How much output after it the journal can keep.
  [[nodiscard]] journal::Offset most_after() const;

 private:
  [[nodiscard]] std::size_t room_beside(const std::string& front) const;
  void store(const vt::Screen& screen, const std::string& front, const vt::Checkpoint& made);

  journal::Consumer& journal_;
  std::string terminal_;
  std::function<std::string()> front_;
  InTurns in_turns_;
  journal::Offset offset_ = 0;
  std::uint64_t history_ = 0;
  std::uint64_t resizes_ = 0;
  std::size_t size_ = 0;
  bool is_due_ = false;
  bool is_cut_ = false;
};

}  // namespace terminal
