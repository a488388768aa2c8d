#include "terminal/past_screen.h"

#include <algorithm>
#include <optional>

namespace terminal {

using journal::Offset;

namespace {

constexpr std::size_t kAtOnce = 16 * 1024;
constexpr std::int64_t kTurnWork = 100'000;

vt::Size size_of(int rows, int cols) {
  return {.cols = cols, .rows = rows};
}

// A resize brings lines back from the history, which a past screen does not have if it starts from
// a checkpoint.
bool is_resized_between(const std::vector<journal::Resize>& resizes, Offset from, Offset to) {
  return std::ranges::any_of(resizes, [&](const journal::Resize& each) {
    return each.offset > from && each.offset <= to;
  });
}

base::Error gone(Offset offset, Offset first) {
  return {.code = base::Code::not_found,
          .what = "the screen at offset " + std::to_string(offset) + " is no longer known",
          .advice = "The oldest available offset is " + std::to_string(first) + "."};
}

}  // namespace

base::Result<PastScreen> PastScreen::at(journal::Consumer& journal, Offset offset,
                                        bool had_preamble) {
  PastScreen past(journal, offset);
  const auto resizes = journal.resizes().since(0);
  const bool has_beginning =
      journal.tail() == 0 && !had_preamble && resizes.size() == journal.resizes().count();
  if (has_beginning) {
    const journal::Constants& constants = journal.constants();
    past.ring_.resize(journal.history().ring().size());
    past.screen_ = std::make_unique<vt::Screen>(size_of(constants.rows, constants.cols));
    past.screen_->attach_history(vt::History(past.ring_));
    past.resizes_.assign(resizes.begin(), resizes.end());
    return past;
  }
  std::optional<journal::Checkpoint> base;
  Offset first = journal.produced();
  for (auto& checkpoint : journal.checkpoints().all()) {
    if (checkpoint.offset < journal.tail()) continue;
    first = std::min(first, checkpoint.offset);
    if (checkpoint.offset <= offset && !is_resized_between(resizes, checkpoint.offset, offset))
      base = std::move(checkpoint);
  }
  if (!base) return base::fail(gone(offset, first));
  past.screen_ = std::make_unique<vt::Screen>(size_of(base->rows, base->cols), base->screen,
                                              base->offset, vt::History());
  return past;
}

base::Result<bool> PastScreen::step() {
  while (!resizes_.empty() && resizes_.front().offset <= screen_->position() &&
         resizes_.front().offset <= offset_) {
    screen_->resize(size_of(resizes_.front().rows, resizes_.front().cols));
    resizes_.pop_front();
  }
  const Offset from = screen_->position();
  if (from >= offset_) return true;
  Offset until = offset_;
  if (!resizes_.empty()) until = std::min(until, resizes_.front().offset);
  const auto bytes = journal_->copy(from, std::min<std::size_t>(kAtOnce, until - from));
  if (!bytes) return base::fail(gone(offset_, journal_->tail()));
  (void)screen_->feed(*bytes, kTurnWork);
  return false;
}

}  // namespace terminal
