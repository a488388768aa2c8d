// One client's attachment to one terminal. Its owner pulls the next slice when the connection is
// writable, so a slow client costs nothing but an offset.
//
// Invariants
// 1. Slices have no gaps and no repeats: output, each resize exactly where it happened, the exit
//    after the last output.
// 2. A viewer that falls behind the journal, or further than its window, gets a snapshot and
//    continues from there. The program waits for a lossless one instead, which gets a snapshot only
//    if the keeper had to overwrite output, and of very many unread resizes only the latest.
// 3. Slices are the output with its edits. The client's terminal looks as if it had got all of the
//    output, but never sees a query.
// 4. A viewer that keeps its own size, and was sent output for another size, gets a snapshot as
//    soon as the sizes match.
// 5. A hidden viewer stays where it is. Its slices only say that there was output, and that the
//    program has exited. Shown again, it continues as if it had been slow.
//    Where a command's output begins or ends, and the client asked for marks, there is a slice that
//    says so, between the output before it and the output after it. A snapshot has its own marks.
// 6. `viewer_detached` is the last call. After it there are no more slices.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "journal/format.h"
#include "terminal/commands.h"
#include "vt/screen.h"

namespace terminal {

class Audience;
class Stream;
class Terminal;
class Viewer;
struct Snapshot;

enum class Role { control, view };
enum class Loss { resync, never };
enum class Detached { takeover, closed };
// Whether the client takes on the terminal's size, or always keeps its own.
enum class Sizing { follows, own };

struct ViewerOptions {
  Role role = Role::control;
  Loss loss = Loss::resync;
  Sizing sizing = Sizing::follows;
  std::optional<vt::Size> size{};          // The client's size. None: the terminal's.
  std::optional<journal::Offset> since{};  // The client has the output up to here.
  std::optional<vt::Theme> theme{};        // The colours it shows, which programs may ask for.
  std::uint64_t window = 0;                // Maximum of unacknowledged bytes; 0: no limit.
  bool hidden = false;                     // Not together with `Loss::never`.
  bool marks = false;                      // Where commands' output begins and ends.
};

struct Slice {
  enum class Kind { output, snapshot, resized, exited, activity, marked };
  Kind kind = Kind::output;
  journal::Offset offset = 0;        // Reached after this slice.
  vt::Size size;                     // The terminal's size from here on.
  bool rang = false;                 // Activity: the bell rang.
  bool titled = false;               // Activity: the title is another one.
  std::optional<Command> command{};  // Marked: whose output begins or ends at `offset`.
};

class ViewerEvents {
 public:
  // There may be something to pull. Called in the middle of the terminal's work: only take note.
  virtual void viewer_ready(Viewer& viewer) = 0;
  virtual void viewer_detached(Viewer& viewer, Detached why) = 0;

 protected:
  ~ViewerEvents() = default;
};

class Viewer {
 public:
  static constexpr std::uint64_t kSmallestWindow = 16 * 1024;

  // Attaches. The terminal takes the viewer's size if the viewer's role is `control`.
  Viewer(std::shared_ptr<Terminal> terminal, ViewerOptions options, ViewerEvents& events);
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  // Appends the next slice to `out`; output is at most `most` bytes. None if there is nothing to
  // send now; then `viewer_ready` will be called.
  [[nodiscard]] std::optional<Slice> next(std::string& out, std::size_t most);
  // The client has processed everything up to `offset`.
  void acknowledge(journal::Offset offset);

  // The client's window has a new size. In role `control` the terminal takes it, also when the
  // client types or gets the focus (`became_active`).
  void resize(vt::Size size);
  // The client hides the terminal. Its size does not count until it sends another one.
  void out_of_sight() {
    options_.size.reset();
    astray_ = true;
  }
  void became_active();
  // The client does not show the terminal for now: no output, and its size does not count.
  void hide();
  void show();
  void set_role(Role role);
  void set_theme(const vt::Theme& theme);

  // --- for the terminal

  // There may be something to pull.
  void wake() {
    may_glance_ = true;
    events_.viewer_ready(*this);
  }
  // The snapshot that it waited for; null: it has to ask again.
  void take_made(std::shared_ptr<const Snapshot> snapshot);
  void let_go(Detached why);

  [[nodiscard]] Terminal& terminal() const { return *terminal_; }
  [[nodiscard]] Role role() const { return options_.role; }
  [[nodiscard]] Loss loss() const { return options_.loss; }
  [[nodiscard]] bool is_hidden() const { return options_.hidden; }
  [[nodiscard]] std::uint64_t window() const { return options_.window; }
  [[nodiscard]] const std::optional<vt::Size>& size() const { return options_.size; }
  [[nodiscard]] const std::optional<vt::Theme>& theme() const { return options_.theme; }
  [[nodiscard]] journal::Offset offset() const { return offset_; }
  // Whether it continues where the client left off, unless the next slice is a snapshot.
  [[nodiscard]] bool resumed() const { return resumed_; }
  // Whether the next slice is a snapshot that is still being made.
  [[nodiscard]] bool waits_for_snapshot() const { return waits_for_snapshot_; }

 private:
  void leave();
  [[nodiscard]] bool fell_behind() const;
  [[nodiscard]] bool is_back_in_step() const;
  [[nodiscard]] std::optional<Slice> glance();
  [[nodiscard]] std::optional<Slice> take_exit();
  [[nodiscard]] Slice resized_to(vt::Size size);
  [[nodiscard]] std::optional<Slice> take_resize();
  // Where a command of an integrated shell next begins or ends, if the client asked for marks.
  [[nodiscard]] std::optional<Commands::Boundary> next_mark() const;
  [[nodiscard]] std::optional<Slice> take_mark();
  [[nodiscard]] std::optional<Slice> resize_or_snapshot(std::string& out);
  [[nodiscard]] std::optional<Slice> take_snapshot(std::string& out);
  [[nodiscard]] std::optional<Slice> take_output(std::string& out, std::size_t most);
  [[nodiscard]] bool may_take_snapshot() const;
  [[nodiscard]] std::size_t room() const;

  std::shared_ptr<Terminal> terminal_;
  Stream& stream_;
  Audience& audience_;
  ViewerOptions options_;
  ViewerEvents& events_;

  journal::Offset offset_ = 0;
  std::uint64_t resizes_seen_ = 0;
  journal::Offset marked_to_ = 0;  // The client knows of what begins and ends up to here.
  bool wants_snapshot_ = true;
  bool waits_for_snapshot_ = false;
  std::shared_ptr<const Snapshot> made_;  // Until it is pulled.
  bool resumed_ = false;
  bool exit_told_ = false;
  bool astray_ = false;  // Was sent something for a size other than its own.
  bool detached_ = false;
  journal::Offset acknowledged_ = 0;

  // While hidden: what the client knows of.
  journal::Offset glanced_to_ = 0;
  bool may_glance_ = true;            // Clients also look for slices when others have some.
  std::optional<std::string> title_;  // None: the one that its offset had.
};

}  // namespace terminal
