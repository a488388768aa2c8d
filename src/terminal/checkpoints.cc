#include "terminal/checkpoints.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace terminal {

using journal::Offset;

namespace {

constexpr Offset kEvery = 64 * 1024;

}  // namespace

void Checkpoints::recovered(Offset offset, std::uint64_t history, std::uint64_t resizes) {
  offset_ = offset;
  history_ = history;
  resizes_ = resizes;
}

bool Checkpoints::is_overdue(const vt::Screen& screen) const {
  // Write large checkpoints less often, as far as the journal allows.
  const Offset every = std::max<Offset>(kEvery, 2 * size_);
  const Offset since = screen.settled() - offset_;
  return since > 0 && since >= std::min(every, most_after());
}

Offset Checkpoints::most_after() const {
  const journal::Constants& constants = journal_.constants();
  return constants.output_capacity - constants.slack - constants.write_window;
}

void Checkpoints::write(const vt::Screen& screen) {
  abandon();
  const std::string front = front_();
  store(screen, front, vt::checkpoint(screen, room_beside(front)));
}

void Checkpoints::write_in_turns(const vt::Screen& screen, std::function<void()> written) {
  std::string front = front_();
  const std::size_t room = room_beside(front);
  in_turns_.start(vt::SnapshotInSteps::checkpoint(screen, room),
                  [this, &screen, front = std::move(front),
                   written = std::move(written)](const vt::Checkpoint& made) {
                    store(screen, front, made);
                    written();
                  });
}

std::size_t Checkpoints::room_beside(const std::string& front) const {
  const std::size_t room = journal_.checkpoints().room();
  return room - std::min(room, front.size());
}

// The front comes first: what follows the screen's bytes could continue it.
void Checkpoints::store(const vt::Screen& screen, const std::string& front,
                        const vt::Checkpoint& made) {
  is_due_ = false;
  // Log it once, until a checkpoint is whole again.
  if (!made.is_whole && !std::exchange(is_cut_, true))
    base::log(base::Level::warning,
              "A terminal's screen is too large for its checkpoint; leaving out colours and links",
              {{"terminal", terminal_}});
  if (made.is_whole) is_cut_ = false;
  const std::string all = front + made.bytes;
  size_ = all.size();
  history_ = screen.state().history.position().end;
  const auto* bytes = reinterpret_cast<const std::byte*>(all.data());
  auto written =
      journal_.checkpoints().write({.offset = screen.settled(),
                                    .history = history_,
                                    .rows = static_cast<std::uint16_t>(screen.size().rows),
                                    .cols = static_cast<std::uint16_t>(screen.size().cols),
                                    .resizes = journal_.resizes().count(),
                                    .screen = {bytes, bytes + all.size()}});
  if (!written)
    base::log(base::Level::error, "cannot write a checkpoint",
              {{"terminal", terminal_}, {"error", written.error()}});
  // After a failure, too: the program's output must not wait for a checkpoint that never fits.
  offset_ = screen.settled();
  resizes_ = journal_.resizes().count();
}

}  // namespace terminal
