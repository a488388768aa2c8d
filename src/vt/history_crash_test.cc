// A daemon killed at any instant: its last checkpoint, the history ring as it left it, and the
// output and resizes after the checkpoint give the screen that it would have had.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "vt/screen.h"
#include "vt/snapshot.h"
#include "vt/test_difference.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

// A piece of output or a new size, and whether a checkpoint is written after it.
struct Step {
  std::string output;
  std::optional<Size> size;
  bool checkpoint = false;

  void apply(Screen& screen) const {
    if (size) screen.resize(*size);
    screen.feed(output);
  }
};

// What a daemon keeps beside the ring.
struct Saved {
  std::size_t step = 0;  // the next one
  std::uint64_t position = 0;
  std::uint64_t history_end = 0;
  Size size;
  std::size_t length = 0;
  char screen[40'000];
};

// Shared memory, like a journal. Of the two checkpoint slots, the one with the number is whole.
struct Memory {
  static constexpr std::size_t kMaxRing = 1 << 19;

  std::atomic<std::uint64_t> begin;
  std::atomic<std::uint64_t> end;
  std::atomic<std::uint64_t> checkpoints;
  std::atomic<std::size_t> steps;
  Saved saved[2];
  std::byte ring[kMaxRing];
  std::uint64_t store[1024];
};

class Shared {
 public:
  Shared()
      : memory_(static_cast<Memory*>(::mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE,
                                            MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~Shared() { ::munmap(memory_, sizeof(Memory)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  Memory& operator*() { return *memory_; }
  Memory* operator->() { return memory_; }

 private:
  Memory* memory_;
};

// Small rows, so that many fit in a small ring.
constexpr std::size_t kFrozenPage = 128;

void fill_with_garbage(std::span<std::byte> page) {
  std::ranges::fill(page, std::byte{0xdd});
}

struct Case {
  std::size_t ring_size = 0;
  // For frozen pages; holds as many as there can be. 0 means that nothing is frozen.
  std::size_t store_size = 0;
  Size size;
  std::vector<Step> steps;
};

enum class Checkpoints : bool { after_resizes, at_random };

Case freezing(Case c) {
  c.ring_size = (c.ring_size / kFrozenPage + 8) * kFrozenPage;
  c.store_size = c.ring_size / 8 * 12;
  return c;
}

Step random_step(Random& random, Size size) {
  if (random.one_in(8)) return {.output = "", .size = random_size(random)};
  // A change of height alone takes another code path.
  if (random.one_in(8))
    return {.output = "", .size = Size{.cols = size.cols, .rows = random.between(1, 12)}};
  std::string output;
  for (int n = random.between(1, 6); n > 0; --n) {
    output += random_piece(random, size);
    if (random.one_in(2))
      output += "line " + std::to_string(random.below(1000)) + std::string(random.below(20), '-') +
                "\r\n";
  }
  return {.output = output, .size = {}};
}

Case random_case(std::uint64_t seed, int steps, Checkpoints when) {
  Random random(seed);
  Case c;
  c.size = random_size(random);
  // Cases that need every row need a large ring.
  c.ring_size = when == Checkpoints::at_random
                    ? Memory::kMaxRing
                    : static_cast<std::size_t>(random.between(100, 3000));
  Size size = c.size;
  for (int n = 0; n < steps; ++n) {
    c.steps.push_back(random_step(random, size));
    Step& step = c.steps.back();
    size = step.size.value_or(size);
    step.checkpoint =
        random.one_in(10) || (step.size.has_value() && when == Checkpoints::after_resizes);
  }
  return c;
}

History open(const Case& c, Memory& memory, HistoryPosition position) {
  const auto ring = std::span(memory.ring).first(c.ring_size);
  const auto store = std::as_writable_bytes(std::span(memory.store)).first(c.store_size);
  History history(ring, store, position, fill_with_garbage, kFrozenPage);
  history.publish(memory.begin, memory.end);
  return history;
}

void save(const Screen& screen, std::size_t step, Memory& memory) {
  const std::uint64_t number = memory.checkpoints.load(std::memory_order_relaxed) + 1;
  Saved& saved = memory.saved[number % 2];
  const std::string bytes = snapshot(screen, {.history_rows = 0});
  if (bytes.size() > sizeof saved.screen) return;
  saved = {.step = step,
           .position = screen.position(),
           .history_end = screen.state().history.position().end,
           .size = screen.size(),
           .length = bytes.size(),
           .screen = {}};
  std::memcpy(saved.screen, bytes.data(), bytes.size());
  memory.checkpoints.store(number, std::memory_order_release);
}

// What the daemon does, starting with a new terminal.
void run(const Case& c, std::size_t steps, Memory& memory) {
  std::ranges::fill(memory.store, 0);
  Screen screen(c.size);
  screen.attach_history(open(c, memory, {}));
  save(screen, 0, memory);
  for (std::size_t i = 0; i < steps; ++i) {
    c.steps[i].apply(screen);
    if (c.steps[i].checkpoint && i + 1 < steps) save(screen, i + 1, memory);
    // In the middle of it, about half of the time.
    screen.freeze_history(memory.saved[memory.checkpoints % 2].history_end, 1 + i % 5);
    memory.steps.store(i + 1, std::memory_order_relaxed);
  }
}

// The daemon's successor, and an uninterrupted screen: the same up to `steps` and at the end.
std::string recover_and_compare(const Case& c, std::size_t steps, Memory& memory) {
  const Saved& saved = memory.saved[memory.checkpoints.load() % 2];
  Screen after(saved.size, std::as_bytes(std::span(saved.screen, saved.length)), saved.position,
               open(c, memory, {memory.begin, saved.history_end}));
  std::vector<std::byte> ring(c.ring_size);
  Screen whole(c.size);
  whole.attach_history(History(ring));
  for (std::size_t i = 0; i < c.steps.size(); ++i) {
    c.steps[i].apply(whole);
    if (i >= saved.step) c.steps[i].apply(after);
    after.freeze_history(saved.history_end, 1);
    if (i + 1 < steps) continue;
    const std::string what = describe_difference(whole.state(), after.state());
    if (!what.empty())
      return what + " after step " + std::to_string(i) + ", killed at " + std::to_string(steps) +
             ", checkpoint at " + std::to_string(saved.step);
    if (whole.state().history.position().end != after.state().history.position().end)
      return "history position";
  }
  return "";
}

#if defined(HOLDFAST_SANITIZED)
constexpr int kCases = 300;
constexpr int kKills = 60;
#else
constexpr int kCases = 4000;
constexpr int kKills = 600;
#endif

// Killed after some step and, after a resize, before its checkpoint. The ring is so small that it
// has wrapped around many times.
TEST(HistoryCrashTest, BetweenTwoSteps) {
  Shared memory;
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const Case c = random_case(seed, 120, Checkpoints::after_resizes);
    const std::size_t steps = 1 + seed % (c.steps.size() - 1);
    run(c, steps, *memory);
    ASSERT_EQ(recover_and_compare(c, steps, *memory), "") << "seed " << seed;
  }
}

TEST(HistoryCrashTest, BetweenTwoStepsWithFrozenPages) {
  Shared memory;
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const Case c = freezing(random_case(seed, 120, Checkpoints::after_resizes));
    const std::size_t steps = 1 + seed % (c.steps.size() - 1);
    run(c, steps, *memory);
    ASSERT_EQ(recover_and_compare(c, steps, *memory), "") << "seed " << seed;
  }
}

// Any number of resizes since the checkpoint, as long as the ring has not wrapped around.
TEST(HistoryCrashTest, ManyResizesAfterTheCheckpoint) {
  Shared memory;
  for (std::uint64_t seed = 0; seed < kCases / 4; ++seed) {
    const Case c = random_case(seed, 60, Checkpoints::at_random);
    const std::size_t steps = 1 + seed % (c.steps.size() - 1);
    run(c, steps, *memory);
    ASSERT_LT(memory->end, c.ring_size) << "seed " << seed;
    ASSERT_EQ(recover_and_compare(c, steps, *memory), "") << "seed " << seed;
  }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A separate process that is killed while it works, at any instruction.
TEST(HistoryCrashTest, AtAnyInstruction) {
  Shared memory;
  int in_the_middle = 0;
  for (std::uint64_t seed = 0; seed < kKills; ++seed) {
    Case c = random_case(seed, 400, Checkpoints::after_resizes);
    if (seed % 2 == 0) c = freezing(std::move(c));
    const auto start = std::chrono::steady_clock::now();
    run(c, c.steps.size(), *memory);
    const double duration = seconds_since(start);

    memory->steps = 0;
    memory->checkpoints = 0;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      run(c, c.steps.size(), *memory);
      while (true) ::pause();
    }
    while (memory->steps == 0) ::usleep(10);
    Random random(seed);
    const double wait = duration * random.below(1000) / 1000;
    for (const auto from = std::chrono::steady_clock::now(); seconds_since(from) < wait;) {
    }
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    // It had started one more, or ended.
    const std::size_t steps = std::min(memory->steps + 1, c.steps.size());
    in_the_middle += steps < c.steps.size() ? 1 : 0;
    ASSERT_EQ(recover_and_compare(c, steps, *memory), "") << "seed " << seed;
  }
  EXPECT_GT(in_the_middle, kKills / 4);
}

// The instants that a kill is unlikely to hit: the ring is read-only, and the fault handler for its
// first changed byte sees what a successor would see.
Shared* watched = nullptr;
HistoryPosition at_first_write;

void on_write(int /*signal*/) {
  at_first_write = {(*watched)->begin.load(), (*watched)->end.load()};
  ::mprotect(&**watched, sizeof(Memory), PROT_READ | PROT_WRITE);
}

TEST(HistoryCrashTest, BeginMovesBeforeBytesAreOverwrittenAndEndAfter) {
  Shared memory;
  watched = &memory;
  // Starts on a page of its own.
  constexpr std::size_t kPage = 4096;
  const auto ring = std::span(memory->ring + kPage - offsetof(Memory, ring) % kPage, kPage);
  struct sigaction action{};
  struct sigaction old_action{};
  action.sa_handler = on_write;
  ::sigaction(SIGSEGV, &action, &old_action);
  Tables tables;
  Row row;
  row.set(9, Cell::character('x', Width::one, 0), 10);
  History history(ring);
  history.publish(memory->begin, memory->end);
  for (int i = 0; i < 1000; ++i) {
    const HistoryPosition before = history.position();
    ::mprotect(ring.data(), kPage, PROT_READ);
    if (i % 50 == 0) {
      history.clear();
    } else {
      history.push(row, 10, tables);
    }
    ASSERT_EQ(at_first_write.end, before.end);
    ASSERT_EQ(at_first_write.begin, history.position().begin);
    ASSERT_EQ(memory->end, history.position().end);
  }
  ::sigaction(SIGSEGV, &old_action, nullptr);
}

}  // namespace
}  // namespace vt
