// What the outer terminal shows: a terminal's snapshots and output as they come, and at times lines
// over it (a menu, a notice).
//
// Invariants
// 1. Every byte is written once, in order. What comes while the terminal is covered waits and is
//    written after the cover is gone, so it gets into the scrollback too.
// 2. `screen_` is the screen that the written bytes made, so that what is under a cover can be
//    brought back. Where that is not possible, because too much came meanwhile or the size changed,
//    the view is behind: only another snapshot helps.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include "base/event.h"
#include "cli/outer_terminal.h"
#include "vt/screen.h"

namespace cli {

class OuterView {
 public:
  OuterView(OuterTerminal& outer, const boost::asio::any_io_executor& executor);

  [[nodiscard]] base::Status start();

  // A snapshot of a terminal of this size. It replaces what is shown.
  [[nodiscard]] boost::asio::awaitable<void> show_snapshot(vt::Size size, std::string_view bytes);
  // These return when everything is written that does not wait for a cover to go.
  [[nodiscard]] boost::asio::awaitable<void> show_output(std::string_view bytes);
  [[nodiscard]] boost::asio::awaitable<void> flush();
  // The terminal has another size from here on.
  void resize(vt::Size size);
  // The next snapshot is another terminal's: what is shown now stays, in the scrollback.
  void begin_another() { is_first_ = true; }

  // Draws over what is shown, also over another cover.
  void cover(Cover cover);
  // `flush` brings back what was under it, and a snapshot has to follow if the view is behind.
  void uncover() { cover_.reset(); }
  [[nodiscard]] bool is_covered() const { return cover_.has_value(); }
  [[nodiscard]] bool is_behind() const { return is_behind_; }
  // Whether the shown terminal has the size of the outer one.
  [[nodiscard]] bool fits() const;
  // Somebody else has drawn on the outer terminal.
  void forget();
  // For the end: brings back what was under a cover, and shows what waited, at once.
  void finish();

  // Whether a write has failed: the terminal is gone.
  [[nodiscard]] bool is_gone() const { return is_gone_; }

 private:
  struct Snapshot {
    vt::Size size;
    std::string bytes;
  };

  [[nodiscard]] bool has_more() const;
  [[nodiscard]] std::string next_bytes();
  void follow_snapshot();
  void fall_behind();
  void draw_cover();

  OuterTerminal& outer_;
  boost::asio::posix::stream_descriptor output_;
  base::Event written_;
  std::optional<vt::Screen> screen_;
  std::optional<Snapshot> snapshot_;  // Not written yet; before the output that waits.
  std::string waiting_;               // Output that is not written yet.
  std::optional<Cover> cover_;
  bool is_first_ = true;        // The next snapshot is the first of its terminal.
  bool is_drawn_over_ = false;  // By a cover that is there, or was until now.
  bool is_writing_ = false;
  bool is_behind_ = false;
  bool is_gone_ = false;
};

}  // namespace cli
