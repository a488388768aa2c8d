// A terminal's output as its viewers read it: the journal's bytes with the edits that viewers must
// get instead, the resizes where they happened, and snapshots of the screen.
//
// The terminal writes it, viewers read it, each at its own offset.
//
// Invariants
// 1. Offsets between `begin` and `end` can be read. `begin` moves on as the journal overwrites its
//    oldest bytes.
// 2. A resize is known by its number, which counts all resizes of the terminal. The oldest may be
//    forgotten.
// 3. The screen does not change while a snapshot of it is being made.

#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "base/task_scope.h"
#include "journal/consumer.h"
#include "terminal/edits.h"
#include "terminal/snapshots.h"
#include "vt/screen.h"

namespace terminal {

class Stream {
 public:
  struct Resize {
    journal::Offset offset = 0;
    vt::Size size;
    // It brings back something that our screen has forgotten, so viewers need a snapshot.
    bool uncovers = false;
  };
  static constexpr std::size_t kKnownResizes = 256;

  // `tasks` is joined before this is destroyed.
  Stream(boost::asio::any_io_executor executor, base::TaskScope& tasks, journal::Consumer& journal)
      : journal_(journal), snapshots_(executor, tasks) {}

  // --- for the terminal

  // A new screen, which was fed all output from `fed_from` on.
  void follow(const vt::Screen& screen, journal::Offset fed_from);
  // The screen showed something before the first byte of output.
  void has_preamble() { has_preamble_ = true; }
  [[nodiscard]] bool had_preamble() const { return has_preamble_; }
  void add(const vt::Edit& edit) { edits_.add(edit); }
  void add(const Resize& resize);
  // The bell rings in what the screen is being fed.
  void ring() { last_bell_ = screen_->position(); }
  void forget_overwritten() { edits_.forget_below(journal_.tail()); }
  [[nodiscard]] Snapshots& snapshots() { return snapshots_; }

  // --- for viewers

  [[nodiscard]] const vt::Screen& screen() const { return *screen_; }
  [[nodiscard]] journal::Offset begin() const { return journal_.tail(); }
  [[nodiscard]] journal::Offset end() const { return screen_->settled(); }

  // How many resizes there were, and how many of them are forgotten.
  [[nodiscard]] std::uint64_t resizes() const { return forgotten_resizes_ + resizes_.size(); }
  [[nodiscard]] std::uint64_t forgotten_resizes() const { return forgotten_resizes_; }
  // Null if there was none with that number yet. It must not be forgotten.
  [[nodiscard]] const Resize* resize(std::uint64_t number) const;

  // Whether the bell rang after that offset, where a turn of the screen ended.
  [[nodiscard]] bool rang_after(journal::Offset offset) const {
    return last_bell_ && *last_bell_ >= offset;
  }

  // Whether a client that has everything up to `since` can continue from there.
  [[nodiscard]] bool can_resume(journal::Offset since);

  // Appends the output between the two offsets, at most about `most` bytes and only whole
  // characters. Returns how far that goes: not further than `from`, if nothing could be read.
  // `is_intact` is false if the journal overwrote it during the copy; then nothing is appended.
  struct Read {
    journal::Offset reached = 0;
    bool is_intact = true;
  };
  [[nodiscard]] Read read(std::string& out, journal::Offset from, journal::Offset to,
                          std::size_t most) const;
  // The output as the program printed it, from `from` on, at most `most` bytes of it. Fails if the
  // journal has overwritten it.
  [[nodiscard]] base::Result<std::vector<std::byte>> copy(journal::Offset from,
                                                          std::size_t most) const {
    return journal_.copy(from, std::min<std::size_t>(most, end() - from));
  }

 private:
  void learn_older_edits();

  journal::Consumer& journal_;
  const vt::Screen* screen_ = nullptr;
  Edits edits_;
  journal::Offset edits_known_from_ = 0;
  bool has_preamble_ = false;
  std::deque<Resize> resizes_;  // The latest.
  std::uint64_t forgotten_resizes_ = 0;
  std::optional<journal::Offset> last_bell_;  // Where the turn began in which it rang.
  Snapshots snapshots_;
};

}  // namespace terminal
