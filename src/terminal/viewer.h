// One client's attachment to one terminal. It pulls: whoever owns it asks for the next slice when
// its connection is writable, so a slow client holds nothing but its own offset.
//
// Invariants
// 1. Slices follow each other without gap or repeat: output, a resize exactly where it happened,
//    the exit after the last output.
// 2. A viewer that fell behind what the journal holds, or further than its window, gets a snapshot
//    and goes on from there; a lossless one never does: the terminal's program waits for it
//    instead.
// 3. Slices are the output with its edits, so the client's terminal is as if it had got all of it,
//    and is asked nothing.
// 4. A viewer that keeps its own size and was sent something for another one gets a snapshot as
//    soon as the two are the same.
// 5. `viewer_detached` is the last call; after it there are no more slices.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "journal/format.h"
#include "vt/state.h"

namespace terminal {

class Terminal;
class Viewer;

enum class Role { control, view };
enum class Loss { resync, never };
enum class Detached { takeover, closed };
// Whether the client shows the terminal in the size it is told, or always in its own.
enum class Sizing { follows, own };

struct ViewerOptions {
  Role role = Role::control;
  Loss loss = Loss::resync;
  Sizing sizing = Sizing::follows;
  std::optional<vt::Size> size;          // What the client can show; none: it takes the terminal's.
  std::optional<journal::Offset> since;  // Up to where the client has the output already.
  std::uint64_t window = 0;              // Bytes that may be unacknowledged; 0: any.
};

struct Slice {
  enum class Kind { output, snapshot, resized, exited };
  Kind kind = Kind::output;
  journal::Offset offset = 0;  // Reached with this slice.
  vt::Size size;               // The terminal's, from here on.
};

class ViewerEvents {
 public:
  // There may be something to pull. Called from within the terminal's work: only take note.
  virtual void viewer_ready(Viewer& viewer) = 0;
  virtual void viewer_detached(Viewer& viewer, Detached why) = 0;

 protected:
  ~ViewerEvents() = default;
};

class Viewer {
 public:
  static constexpr std::uint64_t kSmallestWindow = 16 * 1024;

  // Attaches. The terminal takes the viewer's size, if it may control it.
  Viewer(std::shared_ptr<Terminal> terminal, ViewerOptions options, ViewerEvents& events);
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  // Appends the next slice to `out`, at most `most` bytes if it is output. None: nothing to send
  // now; `viewer_ready` follows.
  [[nodiscard]] std::optional<Slice> next(std::string& out, std::size_t most);
  // The client has dealt with everything up to `offset`.
  void acknowledge(journal::Offset offset);

  // The client changed its window, or typed or was focused: the terminal takes its size, if it may
  // control it.
  void resize(vt::Size size);
  // Nobody looks at it now: the client shows it in some size that does not count, until it says
  // another.
  void out_of_sight() {
    options_.size.reset();
    astray_ = true;
  }
  void became_active();
  void set_role(Role role);

  [[nodiscard]] Terminal& terminal() const { return *terminal_; }
  [[nodiscard]] Role role() const { return options_.role; }
  [[nodiscard]] Loss loss() const { return options_.loss; }
  [[nodiscard]] std::uint64_t window() const { return options_.window; }
  [[nodiscard]] const std::optional<vt::Size>& size() const { return options_.size; }
  [[nodiscard]] journal::Offset offset() const { return offset_; }
  // Whether it goes on where the client left off, unless the next slice is a snapshot.
  [[nodiscard]] bool resumed() const { return resumed_; }
  [[nodiscard]] std::uint64_t activity() const { return activity_; }

 private:
  friend class Terminal;

  [[nodiscard]] bool can_resume(journal::Offset since) const;
  [[nodiscard]] bool fell_behind() const;
  [[nodiscard]] bool is_back_in_step() const;
  [[nodiscard]] Slice resized_to(vt::Size size);
  [[nodiscard]] std::optional<Slice> resize_or_snapshot(std::string& out);
  [[nodiscard]] std::optional<Slice> take_snapshot(std::string& out);
  [[nodiscard]] std::optional<Slice> take_output(std::string& out, std::size_t most);
  [[nodiscard]] bool may_take_snapshot() const;
  [[nodiscard]] std::size_t room() const;

  std::shared_ptr<Terminal> terminal_;
  ViewerOptions options_;
  ViewerEvents& events_;

  journal::Offset offset_ = 0;
  std::uint64_t resizes_seen_ = 0;
  bool wants_snapshot_ = true;
  bool resumed_ = false;
  bool exit_told_ = false;
  bool astray_ = false;  // Keeps its own size, and was sent something for another one.
  bool detached_ = false;
  std::uint64_t activity_ = 0;  // When it last did something, counted by the terminal.
  journal::Offset acknowledged_ = 0;
};

}  // namespace terminal
