// Searches for the output that takes the screen the most time per byte, by mutating sequences and
// keeping the slow ones. Usage:
//   slowest [SECONDS [COLUMNS ROWS]]
// Prints what it found, slowest first. vt/test_slow_inputs.h keeps the worst of them.

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "vt/screen.h"
#include "vt/test_streams.h"

namespace {

using Pieces = std::vector<std::string>;

constexpr std::size_t kBytes = 16 * 1024;
constexpr std::size_t kKept = 32;
constexpr std::size_t kMostPieces = 8;
constexpr std::size_t kShown = 12;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string joined(const Pieces& pieces) {
  return std::accumulate(pieces.begin(), pieces.end(), std::string());
}

// Output that comes once, and output that is then repeated.
struct Candidate {
  Pieces setup;
  Pieces unit;
  double nanoseconds = 0;  // per byte
  double work = 0;         // per byte

  [[nodiscard]] std::string shown() const {
    return "\"" + vt::printable(joined(setup)) + "\" \"" + vt::printable(joined(unit)) + "\"";
  }
};

// What random_piece rarely or never makes: large counts, long strings, many combining characters.
std::string costly_piece(vt::Random& random, vt::Size size) {
  static constexpr std::string_view kTexts[] = {"x", "é", "日", "e\u0301", "日\u0301", "\u0301"};
  static constexpr std::string_view kFinals[] = {"@", "P", "X", "L", "M", "S",  "T",  "b",  "I",
                                                 "Z", "J", "K", "A", "B", " @", " A", "'}", "'~"};
  switch (random.below(10)) {
    case 0:
      return std::string(random.pick(kTexts)) + "\x1b[999b";
    case 1:
      return "\x1b[" + std::to_string(random.between(1, size.rows)) +
             std::string(random.pick(kFinals));
    case 2:
      return "\x1b[?" + std::to_string(random.below(3)) + (random.one_in(2) ? "J" : "K");
    case 3: {
      std::string deep = "e";
      for (int i = random.between(1, 31); i > 0; --i)
        deep += random.one_in(2) ? "\u0301" : "\u0308";
      return deep;
    }
    case 4:
      return "\x1b]8;;http://" + std::to_string(random.below(100000)) + "/\x07";
    case 5:
      return "\x1b]2;" + std::string(static_cast<std::size_t>(random.between(0, 8000)), 't') +
             "\x07";
    case 6:
      return "\x1b[38;2;" + std::to_string(random.below(256)) + ";" +
             std::to_string(random.below(256)) + ";3m";
    case 7:
      return "\x1b[" + std::to_string(size.rows) + ";" + std::to_string(size.cols) + "H";
    case 8:
      return std::string(static_cast<std::size_t>(random.between(1, size.cols)), 'x');
    default:
      return "\x1b[2;" + std::to_string(size.rows) + "r\x1b[" + std::to_string(size.rows) + "H";
  }
}

class Search {
 public:
  Search(vt::Size size, std::uint64_t seed) : size_(size), random_(seed) {}

  void run(double seconds) {
    for (const double end = cpu_seconds() + seconds; cpu_seconds() < end;) {
      Candidate candidate = kept_.size() < kKept || random_.one_in(8) ? fresh() : offspring();
      if (candidate.unit.empty()) continue;
      measure(candidate, 1);
      if (!is_worth_keeping(candidate)) continue;
      measure(candidate, 4);
      if (is_worth_keeping(candidate)) keep(std::move(candidate));
    }
  }

  // Keeps one of each kind. Outputs that differ only in digits are the same kind.
  [[nodiscard]] std::vector<Candidate> findings() {
    std::vector<Candidate> found;
    std::vector<std::string> kinds;
    const auto is_new = [&kinds](const Candidate& candidate) {
      std::string kind = joined(candidate.unit);
      std::erase_if(kind, [](char c) { return c >= '0' && c <= '9'; });
      if (std::ranges::find(kinds, kind) != kinds.end()) return false;
      kinds.push_back(kind);
      return true;
    };
    for (Candidate candidate : kept_) {
      shrink(candidate);
      if (is_new(candidate)) found.push_back(std::move(candidate));
    }
    std::ranges::sort(found, std::greater(), &Candidate::nanoseconds);
    return found;
  }

 private:
  void measure(Candidate& candidate, int runs) {
    const std::string setup = joined(candidate.setup);
    const std::string unit = joined(candidate.unit);
    std::string bytes;
    while (bytes.size() < kBytes) bytes += unit;
    candidate.nanoseconds = std::numeric_limits<double>::max();
    for (int run = 0; run < runs; ++run) {
      vt::Screen screen(size_);
      screen.attach_history(vt::History(ring_));
      screen.feed(setup);
      screen.feed(unit);
      const std::int64_t work = screen.work();
      const double start = cpu_seconds();
      // Stop early if it is slow.
      std::size_t fed = 0;
      while (fed < bytes.size() && cpu_seconds() - start < 0.05)
        fed += screen.feed(std::as_bytes(std::span(bytes)).subspan(fed), 1'000'000);
      const double took = cpu_seconds() - start;
      candidate.nanoseconds =
          std::min(candidate.nanoseconds, took * 1e9 / static_cast<double>(fed));
      candidate.work = static_cast<double>(screen.work() - work) / static_cast<double>(fed);
    }
  }

  [[nodiscard]] bool is_worth_keeping(const Candidate& candidate) const {
    return kept_.size() < kKept || candidate.nanoseconds > kept_.back().nanoseconds;
  }

  void keep(Candidate candidate) {
    const auto at = std::ranges::upper_bound(kept_, candidate.nanoseconds, std::greater(),
                                             &Candidate::nanoseconds);
    kept_.insert(at, std::move(candidate));
    if (kept_.size() > kKept) kept_.pop_back();
  }

  std::string piece() {
    return random_.one_in(2) ? costly_piece(random_, size_) : vt::random_piece(random_, size_);
  }

  Candidate fresh() {
    Candidate candidate;
    for (int i = random_.below(4); i > 0; --i) candidate.setup.push_back(piece());
    for (int i = random_.between(1, 3); i > 0; --i) candidate.unit.push_back(piece());
    return candidate;
  }

  Candidate offspring() {
    Candidate child = kept_[static_cast<std::size_t>(random_.below(static_cast<int>(kKept)))];
    for (int i = random_.between(1, 3); i > 0; --i)
      mutate(random_.one_in(2) ? child.setup : child.unit);
    return child;
  }

  void mutate(Pieces& pieces) {
    const auto place = [&] {
      return pieces.begin() + random_.below(static_cast<int>(pieces.size()) + 1);
    };
    const auto any = [&] {
      return pieces.begin() + random_.below(static_cast<int>(pieces.size()));
    };
    switch (pieces.empty() ? 0 : random_.below(4)) {
      case 0:
        if (pieces.size() < kMostPieces) pieces.insert(place(), piece());
        return;
      case 1:
        pieces.erase(any());
        return;
      case 2:
        *any() = piece();
        return;
      default:
        std::swap(*any(), *any());
    }
  }

  // Drops every piece that does not make it slower.
  void shrink(Candidate& candidate) {
    measure(candidate, 4);
    for (Pieces* pieces : {&candidate.setup, &candidate.unit}) {
      for (std::size_t i = pieces->size(); i-- > 0;) {
        if (pieces == &candidate.unit && pieces->size() == 1) break;
        const Candidate before = candidate;
        pieces->erase(pieces->begin() + static_cast<std::ptrdiff_t>(i));
        measure(candidate, 4);
        if (candidate.nanoseconds < 0.97 * before.nanoseconds) candidate = before;
      }
    }
  }

  vt::Size size_;
  vt::Random random_;
  std::vector<std::byte> ring_ = std::vector<std::byte>(256 * 1024);
  std::vector<Candidate> kept_;  // the slowest first
};

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  const vt::Size size = argc > 3 ? vt::Size{.cols = std::atoi(argv[2]), .rows = std::atoi(argv[3])}
                                 : vt::Size{.cols = 80, .rows = 24};
  Search search(size, static_cast<std::uint64_t>(time(nullptr)));
  search.run(seconds);
  std::cout << "MB/s    work a byte   once, again and again; " << size.cols << "x" << size.rows
            << "\n";
  std::size_t shown = 0;
  for (const Candidate& found : search.findings()) {
    if (++shown > kShown) break;
    std::cout << std::left << std::setw(8) << std::setprecision(4) << 1000 / found.nanoseconds
              << std::setw(14) << found.work << found.shown() << "\n";
  }
  return 0;
}
