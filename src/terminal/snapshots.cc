#include "terminal/snapshots.h"

#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "terminal/viewer.h"

namespace terminal {

namespace asio = boost::asio;

namespace {

// As many rows as clients keep. More would only take longer to send.
constexpr int kHistoryRows = 10'000;
// Writing this much takes a few tenths of a millisecond.
constexpr std::size_t kTurn = 64 * 1024;

}  // namespace

void InTurns::start(vt::SnapshotInSteps steps, std::function<void(vt::Checkpoint)> made) {
  steps_ = std::move(steps);
  made_ = std::move(made);
  ++number_;
  if (!step()) tasks_.spawn([this, number = number_] { return go_on(number); });
}

// True if it is made.
bool InTurns::step() {
  if (!steps_->step(kTurn)) return false;
  vt::Checkpoint made = steps_->take();
  steps_.reset();
  std::exchange(made_, {})(std::move(made));
  return true;
}

asio::awaitable<void> InTurns::go_on(std::uint64_t number) {
  do {
    co_await asio::post(executor_, asio::use_awaitable);
    if (!is_at_work() || number != number_) co_return;
  } while (!step());
}

std::shared_ptr<const Snapshot> Snapshots::make(const vt::Screen& screen, Viewer& viewer) {
  if (!is_at_work()) {
    const vt::SnapshotOptions options{.history_rows = kHistoryRows,
                                      .unfinished = vt::Unfinished::resend};
    in_turns_.start(vt::SnapshotInSteps(screen, options), [this, &screen](vt::Checkpoint made) {
      hand_out(std::make_shared<const Snapshot>(Snapshot{
          .bytes = std::move(made.bytes), .offset = screen.settled(), .size = screen.size()}));
    });
    if (!is_at_work()) return std::exchange(at_once_, nullptr);
  }
  waiting_.push_back(&viewer);
  return nullptr;
}

// Nobody waits yet if it took one turn.
void Snapshots::hand_out(const std::shared_ptr<const Snapshot>& made) {
  if (waiting_.empty()) at_once_ = made;
  for (Viewer* viewer : std::exchange(waiting_, {})) viewer->take_made(made);
}

void Snapshots::abandon() {
  in_turns_.abandon();
  hand_out(nullptr);
}

void Snapshots::forget(const Viewer& viewer) {
  std::erase(waiting_, &viewer);
  if (waiting_.empty()) in_turns_.abandon();
}

}  // namespace terminal
