#include "terminal/snapshot_maker.h"

#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "terminal/viewer.h"

namespace terminal {

namespace asio = boost::asio;

namespace {

// As many rows as clients keep: more would only take longer to arrive.
constexpr int kHistoryRows = 10'000;
// What a turn writes takes it a few tenths of a millisecond.
constexpr std::size_t kTurn = 128 * 1024;

}  // namespace

std::shared_ptr<const Snapshot> SnapshotMaker::make(const vt::Screen& screen, Viewer& viewer) {
  if (!is_at_work()) {
    screen_ = &screen;
    steps_.emplace(screen, vt::SnapshotOptions{.history_rows = kHistoryRows,
                                               .unfinished = vt::Unfinished::resend});
    if (steps_->step(kTurn)) return finish();
    tasks_.spawn([this, number = ++number_] { return go_on(number); });
  }
  waiting_.push_back(&viewer);
  return nullptr;
}

std::shared_ptr<const Snapshot> SnapshotMaker::finish() {
  auto made = std::make_shared<const Snapshot>(
      Snapshot{.bytes = steps_->take(), .offset = screen_->settled(), .size = screen_->size()});
  steps_.reset();
  return made;
}

asio::awaitable<void> SnapshotMaker::go_on(std::uint64_t number) {
  for (;;) {
    co_await asio::post(executor_, asio::use_awaitable);
    if (!is_at_work() || number != number_) co_return;
    if (steps_->step(kTurn)) break;
  }
  const auto made = finish();
  for (Viewer* viewer : std::exchange(waiting_, {})) viewer->take_made(made);
}

void SnapshotMaker::abandon() {
  steps_.reset();
  for (Viewer* viewer : std::exchange(waiting_, {})) viewer->take_made(nullptr);
}

void SnapshotMaker::forget(const Viewer& viewer) {
  std::erase(waiting_, &viewer);
  if (waiting_.empty()) steps_.reset();
}

}  // namespace terminal
