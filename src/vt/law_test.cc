// The law of snapshots: a new screen that is fed snapshot(s) equals s in its whole state, and
// continues as s would. The number of cases is for a bounded run; HOLDFAST_SOAK=1 runs ten times as
// many.

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "vt/screen.h"
#include "vt/snapshot.h"
#include "vt/test_difference.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

// Rings with room for every row, including those of a copy, which are folded. Created once.
std::vector<std::byte> original_ring(1 << 18);
std::vector<std::byte> copy_ring(1 << 23);

struct Terminal {
  Terminal(Size size, std::span<std::byte> ring) : screen(size) {
    screen.attach_history(History(ring));
  }
  Screen screen;
};

// A piece of output, or a new size.
struct Step {
  std::string output;
  std::optional<Size> size;

  void apply(Screen& screen) const {
    if (size) screen.resize(*size);
    screen.feed(output);
  }
  [[nodiscard]] std::string text() const {
    if (size) return " <" + std::to_string(size->cols) + "x" + std::to_string(size->rows) + "> ";
    return printable(output);
  }
};

Step random_step(Random& random, Size size) {
  if (random.one_in(25)) return {.output = "", .size = random_size(random)};
  std::string piece = random_piece(random, size);
  if (random.one_in(30))
    piece.resize(static_cast<std::size_t>(random.below(static_cast<int>(piece.size()) + 1)));
  return {.output = std::move(piece), .size = std::nullopt};
}

std::string difference(const Screen& a, const Screen& b) {
  if (a.parser().unfinished() != b.parser().unfinished())
    return "unfinished: " + printable(a.parser().unfinished()) + " and " +
           printable(b.parser().unfinished());
  return describe_difference(a.state(), b.state());
}

// What went wrong in this seed's case, or nothing.
std::string check_case(std::uint64_t seed) {
  Random random(seed);
  const Size size = random_size(random);
  Terminal original(size, original_ring);
  std::vector<Step> steps;
  bool has_other_widths = false;
  for (int n = random.between(1, 40); n > 0; --n) {
    const int cols = original.screen.size().cols;
    steps.push_back(random_step(random, original.screen.size()));
    steps.back().apply(original.screen);
    if (original.screen.size().cols != cols) has_other_widths = true;
  }
  const std::string bytes = snapshot(original.screen);
  Terminal copy(original.screen.size(), copy_ring);
  copy.screen.feed(bytes);
  std::string what = difference(original.screen, copy.screen);
  for (int n = 0; n < 3 && what.empty(); ++n) {
    const int cols = original.screen.size().cols;
    steps.push_back(random_step(random, original.screen.size()));
    steps.back().apply(original.screen);
    steps.back().apply(copy.screen);
    // A copy has the history only at the snapshot's width. If the original has rows of another
    // width, the next change may fold them differently.
    if (has_other_widths && original.screen.size().cols != cols) break;
    what = difference(original.screen, copy.screen);
    if (!what.empty()) what = "after " + std::to_string(n + 1) + " more steps: " + what;
  }
  if (what.empty()) return "";
  what += "\nseed " + std::to_string(seed) + ", " + Step{.output = "", .size = size}.text() + ": ";
  for (const Step& step : steps) what += step.text();
  return what + "\nsnapshot: " + printable(bytes);
}

int number_of_cases() {
#if defined(HOLDFAST_SANITIZED)
  constexpr int kCases = 20'000;
#else
  constexpr int kCases = 1'000'000;
#endif
  return std::getenv("HOLDFAST_SOAK") != nullptr ? 10 * kCases : kCases;
}

TEST(LawTest, AFreshScreenFedASnapshotIsTheSameScreen) {
  const int count = number_of_cases();
  for (int i = 0; i < count; ++i) ASSERT_EQ(check_case(static_cast<std::uint64_t>(i)), "");
}

}  // namespace
}  // namespace vt
