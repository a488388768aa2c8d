#include "terminal/viewer.h"

#include <algorithm>
#include <utility>

#include "terminal/terminal.h"
#include "vt/parser.h"

namespace terminal {
namespace {

// Without an incomplete UTF-8 character at the end.
std::span<const std::byte> without_partial_character(std::span<const std::byte> bytes) {
  const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  return bytes.first(bytes.size() - vt::unfinished_suffix(text));
}

}  // namespace

Viewer::Viewer(std::shared_ptr<Terminal> terminal, ViewerOptions options, ViewerEvents& events)
    : terminal_(std::move(terminal)), options_(options), events_(events) {
  if (options_.window != 0) options_.window = std::max(options_.window, kSmallestWindow);
  terminal_->attach(*this);
  offset_ = terminal_->screen().settled();
  resizes_seen_ = terminal_->resizes_begin_ + terminal_->resizes_.size();
  resumed_ = options_.since && can_resume(*options_.since);
  if (resumed_) {
    offset_ = *options_.since;
    wants_snapshot_ = false;
  }
  acknowledged_ = offset_;
  astray_ = options_.size != terminal_->screen().size();
}

Viewer::~Viewer() {
  if (!detached_) terminal_->detach(*this);
}

bool Viewer::can_resume(journal::Offset since) const {
  const auto& resizes = terminal_->resizes_;
  if (since > offset_ || since < terminal_->child_.journal.tail()) return false;
  // A client that has seen no output has not seen the preamble either.
  if (since == 0 && terminal_->has_preamble_) return false;
  // Output for another size would be shown at this one.
  if (!resizes.empty() && resizes.back().offset >= since) return false;
  if (since < terminal_->edits_known_from_) terminal_->learn_older_edits();
  return since >= terminal_->edits_known_from_;
}

bool Viewer::fell_behind() const {
  if (options_.loss == Loss::never) return false;
  if (offset_ < terminal_->child_.journal.tail() || resizes_seen_ < terminal_->resizes_begin_)
    return true;
  return options_.window != 0 && terminal_->screen().settled() - offset_ > options_.window;
}

bool Viewer::is_back_in_step() const {
  return options_.sizing == Sizing::own && astray_ && options_.size == terminal_->screen().size();
}

Slice Viewer::resized_to(vt::Size size) {
  if (options_.size != size) astray_ = true;
  return {.kind = Slice::Kind::resized, .offset = offset_, .size = size};
}

std::optional<Slice> Viewer::next(std::string& out, std::size_t most) {
  if (detached_) return std::nullopt;
  if (!wants_snapshot_ && (fell_behind() || is_back_in_step())) wants_snapshot_ = true;
  if (wants_snapshot_) return may_take_snapshot() ? resize_or_snapshot(out) : std::nullopt;

  const auto resize = resizes_seen_ - terminal_->resizes_begin_;
  if (resize < terminal_->resizes_.size() && terminal_->resizes_[resize].offset <= offset_) {
    ++resizes_seen_;
    if (terminal_->resizes_[resize].uncovers && options_.loss != Loss::never)
      wants_snapshot_ = true;
    return resized_to(terminal_->resizes_[resize].size);
  }
  if (auto slice = take_output(out, most)) return slice;

  const auto& exit = terminal_->exit_;
  if (!exit || exit_told_ || offset_ < terminal_->screen().settled()) return std::nullopt;
  exit_told_ = true;
  return Slice{.kind = Slice::Kind::exited, .offset = offset_, .size = terminal_->screen().size()};
}

// A snapshot is for the screen's current size, so tell the client that size first.
std::optional<Slice> Viewer::resize_or_snapshot(std::string& out) {
  const auto resizes = terminal_->resizes_begin_ + terminal_->resizes_.size();
  if (resizes_seen_ == resizes) return take_snapshot(out);
  resizes_seen_ = resizes;
  made_.reset();
  return resized_to(terminal_->screen().size());
}

std::optional<Slice> Viewer::take_snapshot(std::string& out) {
  if (waits_for_snapshot_) return std::nullopt;
  if (!made_) made_ = terminal_->snapshots_.make(terminal_->screen(), *this);
  waits_for_snapshot_ = made_ == nullptr;
  if (waits_for_snapshot_) return std::nullopt;
  const auto made = std::exchange(made_, nullptr);
  out += made->bytes;
  wants_snapshot_ = false;
  astray_ = options_.size != made->size;
  offset_ = made->offset;
  return Slice{.kind = Slice::Kind::snapshot, .offset = offset_, .size = made->size};
}

void Viewer::take_made(std::shared_ptr<const Snapshot> snapshot) {
  waits_for_snapshot_ = false;
  made_ = std::move(snapshot);
  events_.viewer_ready(*this);
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
  journal::Offset end = terminal_->screen().settled();
  const auto resize = resizes_seen_ - terminal_->resizes_begin_;
  if (resize < terminal_->resizes_.size()) end = std::min(end, terminal_->resizes_[resize].offset);
  const journal::Consumer& journal = terminal_->child_.journal;
  const std::size_t before = out.size();
  // Output that is nothing but queries makes no slice. Skip it.
  while (offset_ < end && out.size() == before) {
    const std::size_t wanted = std::min({most, room(), static_cast<std::size_t>(end - offset_)});
    if (wanted == 0) break;
    const auto bytes = journal.view(offset_, wanted);
    if (!bytes) break;
    const auto whole = wanted < end - offset_ ? without_partial_character(*bytes) : *bytes;
    if (whole.empty()) break;
    const journal::Offset reached = terminal_->edits_.append_edited(out, offset_, whole);
    if (!journal.intact(offset_)) {
      out.resize(before);
      wants_snapshot_ = true;
      return resize_or_snapshot(out);
    }
    offset_ = reached;
  }
  if (options_.loss == Loss::never) terminal_->consume();
  if (out.size() == before) return std::nullopt;
  return Slice{.kind = Slice::Kind::output, .offset = offset_, .size = terminal_->screen().size()};
}

void Viewer::acknowledge(journal::Offset offset) {
  acknowledged_ = std::max(acknowledged_, std::min(offset, offset_));
  if (!detached_) events_.viewer_ready(*this);
}

void Viewer::resize(vt::Size size) {
  options_.size = size;
  became_active();
  if (!detached_ && is_back_in_step()) events_.viewer_ready(*this);
}

void Viewer::set_role(Role role) {
  options_.role = role;
  became_active();
}

void Viewer::became_active() {
  if (detached_) return;
  activity_ = ++terminal_->activity_;
  terminal_->choose_size();
}

}  // namespace terminal
