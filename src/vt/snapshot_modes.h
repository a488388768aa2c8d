// What a snapshot contains besides rows and cursors. Only origin mode moves the cursor; it comes
// last.

#pragma once

#include "vt/snapshot_writer.h"
#include "vt/state.h"

namespace vt {

void write_titles(const Titles& titles, SnapshotWriter& out);
void write_colors(const Palette& palette, SnapshotWriter& out);
void write_keyboard(const KeyboardFlags& keyboard, SnapshotWriter& out);
void write_modes(const State& state, SnapshotWriter& out);

}  // namespace vt
