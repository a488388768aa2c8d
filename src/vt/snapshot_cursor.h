// The part of a snapshot that is about cursors: the saved cursor, and how a snapshot ends: with the
// cursor in its place, its pen and character sets, and the character that a mark could still join.

#pragma once

#include "vt/screen.h"
#include "vt/snapshot_writer.h"

namespace vt {

class SnapshotCursor {
 public:
  SnapshotCursor(const State& state, SnapshotWriter& out) : state_(state), out_(out) {}

  [[nodiscard]] Cursor place() const;
  [[nodiscard]] bool has_restored_charset() const;

  void saved_cursor(const Buffer& buffer);
  void saved_cursor_from(Cursor at);
  // Either of them ends a snapshot.
  void cursor_charsets_and_pen();
  void charsets_and_pen_in_place();

 private:
  [[nodiscard]] int reprinted() const;
  void save(const SavedCursor& saved);
  void designate(char slot, Charset charset);
  void charsets();
  void go_to(int x, int y);
  void reprint_last(Charset charset);
  void final_pen();
  void joinable_cursor();
  void joinable_character();
  void pending_wrap();

  const State& state_;
  SnapshotWriter& out_;
};

}  // namespace vt
