#include "cli/outer_view.h"

#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "vt/snapshot.h"

namespace cli {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr char kEnquiry = '\x05';
// Of output under a cover: some minutes of a build's.
constexpr std::size_t kMostWaiting = std::size_t{1} << 20;

}  // namespace

OuterView::OuterView(OuterTerminal& outer, const asio::any_io_executor& executor)
    : outer_(outer), output_(executor), written_(executor) {}

base::Status OuterView::start() {
  auto output = base::duplicate(outer_.output());
  if (!output) return base::fail(output.error());
  output_.assign(output->release());
  return {};
}

awaitable<void> OuterView::show_snapshot(vt::Size size, std::string_view bytes) {
  snapshot_ = Snapshot{.size = size, .bytes = std::string(bytes)};
  waiting_.clear();
  is_behind_ = false;
  co_await flush();
}

awaitable<void> OuterView::show_output(std::string_view bytes) {
  waiting_ += bytes;
  // No screen does anything with ENQ, but terminals may answer it, with any text.
  if (bytes.contains(kEnquiry)) std::erase(waiting_, kEnquiry);
  if (cover_ && (is_behind_ || waiting_.size() > kMostWaiting)) fall_behind();
  co_await flush();
}

awaitable<void> OuterView::flush() {
  while (is_writing_) (void)co_await written_.wait();
  is_writing_ = true;
  while (has_more() && !cover_ && !is_gone_) {
    const std::string bytes = next_bytes();
    outer_.was_drawn_on();
    const auto [error, size] = co_await asio::async_write(output_, asio::buffer(bytes), kNoThrow);
    if (error) is_gone_ = true;
  }
  is_writing_ = false;
  written_.notify();
  if (cover_ && !is_drawn_over_) draw_cover();
}

void OuterView::resize(vt::Size size) {
  if (snapshot_ || !waiting_.empty()) fall_behind();
  if (screen_) screen_->resize(size);
}

void OuterView::cover(Cover cover) {
  cover_ = std::move(cover);
  if (!is_writing_) draw_cover();
}

bool OuterView::fits() const {
  const OuterSize size = outer_.size();
  return !screen_ || (screen_->size().cols == size.cols && screen_->size().rows == size.rows);
}

void OuterView::forget() {
  cover_.reset();
  fall_behind();
}

void OuterView::finish() {
  cover_.reset();
  if (has_more() && !is_gone_) outer_.write_now(next_bytes());
}

bool OuterView::has_more() const {
  return snapshot_ || !waiting_.empty() || (is_drawn_over_ && screen_);
}

std::string OuterView::next_bytes() {
  std::string bytes;
  const bool stays = !snapshot_ || is_first_;
  if (std::exchange(is_drawn_over_, false) && screen_ && stays)
    bytes = cli::uncover(outer_.size(), vt::snapshot(*screen_));
  if (snapshot_) {
    const bool is_first = std::exchange(is_first_, false);
    bytes += (is_first ? first_picture : next_picture)(outer_.size(), snapshot_->bytes);
    follow_snapshot();
  }
  if (screen_) screen_->feed(waiting_);
  const std::string output = std::exchange(waiting_, {});
  return bytes.empty() ? output : bytes + output;
}

void OuterView::follow_snapshot() {
  screen_.emplace(snapshot_->size);
  screen_->feed(snapshot_->bytes);
  snapshot_.reset();
}

// What is not written any more is followed at least, so the newest screen can be shown.
void OuterView::fall_behind() {
  if (snapshot_) follow_snapshot();
  if (screen_) screen_->feed(waiting_);
  waiting_.clear();
  is_behind_ = true;
}

void OuterView::draw_cover() {
  outer_.was_drawn_on();
  outer_.write_now(cli::cover(outer_.size(), *cover_));
  is_drawn_over_ = true;
}

}  // namespace cli
