#include "terminal/viewer.h"

#include <algorithm>
#include <utility>

#include "terminal/audience.h"
#include "terminal/stream.h"
#include "terminal/terminal.h"

namespace terminal {

Viewer::Viewer(std::shared_ptr<Terminal> terminal, ViewerOptions options, ViewerEvents& events)
    : terminal_(std::move(terminal)),
      stream_(terminal_->stream()),
      audience_(terminal_->audience()),
      options_(std::move(options)),
      events_(events) {
  if (options_.window != 0) options_.window = std::max(options_.window, kSmallestWindow);
  terminal_->attach(*this);
  offset_ = stream_.end();
  resizes_seen_ = stream_.resizes();
  resumed_ = options_.since && stream_.can_resume(*options_.since);
  if (resumed_) {
    offset_ = *options_.since;
    wants_snapshot_ = false;
    // The client may not have been told of what is marked just there.
    if (offset_ > 0) marked_to_ = offset_ - 1;
  }
  acknowledged_ = offset_;
  glanced_to_ = std::min(options_.since.value_or(offset_), stream_.end());
  title_ = terminal_->screen().state().titles.title;
  astray_ = options_.size != stream_.screen().size();
}

Viewer::~Viewer() {
  if (!detached_) leave();
}

void Viewer::leave() {
  detached_ = true;
  stream_.snapshots().forget(*this);
  audience_.detach(*this);
}

void Viewer::let_go(Detached why) {
  leave();
  events_.viewer_detached(*this, why);
}

bool Viewer::fell_behind() const {
  // Output that is lost will not come back, so nobody can wait for it.
  if (offset_ < stream_.begin()) return true;
  if (options_.loss == Loss::never) return false;
  if (resizes_seen_ < stream_.forgotten_resizes()) return true;
  return options_.window != 0 && stream_.end() - offset_ > options_.window;
}

bool Viewer::is_back_in_step() const {
  return options_.sizing == Sizing::own && astray_ && options_.size == stream_.screen().size();
}

Slice Viewer::resized_to(vt::Size size) {
  if (options_.size != size) astray_ = true;
  return {.kind = Slice::Kind::resized, .offset = offset_, .size = size};
}

std::optional<Slice> Viewer::next(std::string& out, std::size_t most) {
  if (detached_) return std::nullopt;
  if (options_.hidden) return glance();
  if (!wants_snapshot_ && (fell_behind() || is_back_in_step())) wants_snapshot_ = true;
  if (wants_snapshot_) return may_take_snapshot() ? resize_or_snapshot(out) : std::nullopt;

  if (auto slice = take_resize()) return slice;
  if (auto slice = take_mark()) return slice;
  if (auto slice = take_output(out, most)) return slice;
  // There may have been only queries before it.
  if (auto slice = take_mark()) return slice;
  return offset_ < stream_.end() ? std::nullopt : take_exit();
}

std::optional<Slice> Viewer::take_resize() {
  // A lossless viewer continues with the resizes that are known.
  resizes_seen_ = std::max(resizes_seen_, stream_.forgotten_resizes());
  const Stream::Resize* const resize = stream_.resize(resizes_seen_);
  if (resize == nullptr || resize->offset > offset_) return std::nullopt;
  ++resizes_seen_;
  if (resize->uncovers && options_.loss != Loss::never) wants_snapshot_ = true;
  return resized_to(resize->size);
}

std::optional<Commands::Boundary> Viewer::next_mark() const {
  const Commands& commands = terminal_->commands();
  if (!options_.marks || !commands.is_integrated()) return std::nullopt;
  return commands.boundary_after(marked_to_);
}

std::optional<Slice> Viewer::take_mark() {
  const auto next = next_mark();
  if (wants_snapshot_ || !next || next->offset > offset_) return std::nullopt;
  marked_to_ = next->offset;
  return Slice{.kind = Slice::Kind::marked,
               .offset = next->offset,
               .size = stream_.screen().size(),
               .command = *next->command};
}

std::optional<Slice> Viewer::take_exit() {
  if (!terminal_->exit() || exit_told_) return std::nullopt;
  exit_told_ = true;
  return Slice{.kind = Slice::Kind::exited, .offset = offset_, .size = stream_.screen().size()};
}

std::optional<Slice> Viewer::glance() {
  if (stream_.end() <= glanced_to_ || !std::exchange(may_glance_, false)) return take_exit();
  const std::string title = terminal_->screen().state().titles.title;
  const Slice slice{.kind = Slice::Kind::activity,
                    .offset = stream_.end(),
                    .size = stream_.screen().size(),
                    .rang = stream_.rang_after(glanced_to_),
                    .titled = title_ != title};
  glanced_to_ = stream_.end();
  title_ = title;
  return slice;
}

// A snapshot is for the screen's current size, so tell the client that size first.
std::optional<Slice> Viewer::resize_or_snapshot(std::string& out) {
  if (resizes_seen_ == stream_.resizes()) return take_snapshot(out);
  resizes_seen_ = stream_.resizes();
  made_.reset();
  return resized_to(stream_.screen().size());
}

std::optional<Slice> Viewer::take_snapshot(std::string& out) {
  if (waits_for_snapshot_) return std::nullopt;
  if (!made_) made_ = stream_.snapshots().make(stream_.screen(), *this);
  waits_for_snapshot_ = made_ == nullptr;
  if (waits_for_snapshot_) return std::nullopt;
  const auto made = std::exchange(made_, nullptr);
  out += made->bytes;
  wants_snapshot_ = false;
  astray_ = options_.size != made->size;
  offset_ = marked_to_ = made->offset;
  return Slice{.kind = Slice::Kind::snapshot, .offset = offset_, .size = made->size};
}

void Viewer::take_made(std::shared_ptr<const Snapshot> snapshot) {
  waits_for_snapshot_ = false;
  made_ = std::move(snapshot);
  wake();
}

// A snapshot replaces everything before it, so wait until the client has processed that. Clients
// may leave up to half a window unacknowledged.
bool Viewer::may_take_snapshot() const {
  return options_.window == 0 || offset_ - acknowledged_ <= options_.window / 2;
}

std::size_t Viewer::room() const {
  if (options_.window == 0) return static_cast<std::size_t>(-1);
  const journal::Offset in_flight = offset_ - acknowledged_;
  return options_.window > in_flight ? options_.window - in_flight : 0;
}

std::optional<Slice> Viewer::take_output(std::string& out, std::size_t most) {
  journal::Offset end = stream_.end();
  if (const Stream::Resize* next = stream_.resize(resizes_seen_)) end = std::min(end, next->offset);
  if (const auto next = next_mark()) end = std::min(end, next->offset);
  const std::size_t before = out.size();
  // A stretch of queries alone gives no slice; skip it.
  while (offset_ < end && out.size() == before) {
    const auto [reached, is_intact] = stream_.read(out, offset_, end, std::min(most, room()));
    if (!is_intact) {
      wants_snapshot_ = true;
      return resize_or_snapshot(out);
    }
    if (reached == offset_) break;
    offset_ = reached;
  }
  if (options_.loss == Loss::never) audience_.lossless_moved();
  if (out.size() == before) return std::nullopt;
  return Slice{.kind = Slice::Kind::output, .offset = offset_, .size = stream_.screen().size()};
}

void Viewer::acknowledge(journal::Offset offset) {
  acknowledged_ = std::max(acknowledged_, std::min(offset, offset_));
  if (!detached_ && !options_.hidden) wake();
}

void Viewer::resize(vt::Size size) {
  options_.size = size;
  became_active();
  if (!detached_ && !options_.hidden && is_back_in_step()) wake();
}

void Viewer::hide() {
  if (detached_ || std::exchange(options_.hidden, true)) return;
  stream_.snapshots().forget(*this);
  waits_for_snapshot_ = false;
  made_.reset();
  glanced_to_ = offset_;
  title_.reset();
  audience_.step_back(*this);
}

void Viewer::show() {
  if (detached_) return;
  options_.hidden = false;
  terminal_->show(*this);
  wake();
}

void Viewer::set_role(Role role) {
  options_.role = role;
  became_active();
}

void Viewer::set_theme(const vt::Theme& theme) {
  options_.theme = theme;
  if (!detached_) audience_.theme_changed(*this);
}

void Viewer::became_active() {
  if (!detached_ && !options_.hidden) audience_.take_control(*this);
}

}  // namespace terminal
