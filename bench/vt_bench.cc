// How fast the screen processes output, compared with libvterm and @xterm/headless on the same
// bytes in the same run, and what snapshots cost. make_corpora.mjs makes the corpora once. Run
// vt_bench in a build folder, or set HOLDFAST_CORPORA to the corpora's folder. Usage:
//   vt_bench [Google Benchmark's options]

#include <benchmark/benchmark.h>
#include <vterm.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vt/screen.h"
#include "vt/snapshot.h"
#include "vt/test_slow_inputs.h"

namespace {

constexpr vt::Size kSize{.cols = 80, .rows = 24};
constexpr std::size_t kWriteSize = 64 * 1024;  // what the daemon takes at a time
constexpr std::size_t kRingSize = 4 << 20;     // about the 10,000 lines that xterm.js keeps here
constexpr std::array kCorpora{"ascii_log", "coloured_build", "full_screen", "unicode"};

const std::filesystem::path kScripts = HOLDFAST_BENCH_SCRIPTS;

std::filesystem::path corpora_folder() {
  const char* const folder = std::getenv("HOLDFAST_CORPORA");
  return folder != nullptr ? folder : "corpora";
}

std::string corpus_path(const std::string& name) {
  return corpora_folder() / (name + ".txt");
}

const std::string& corpus(const std::string& name) {
  static std::map<std::string, std::string> loaded;
  std::string& bytes = loaded[name];
  if (bytes.empty()) {
    std::ifstream file(corpus_path(name), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  return bytes;
}

template <class F>
void in_writes(const std::string& bytes, F feed) {
  for (std::size_t at = 0; at < bytes.size(); at += kWriteSize)
    feed(std::string_view(bytes).substr(at, kWriteSize));
}

void count_bytes(benchmark::State& state, const std::string& bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}

void holdfast_screen(benchmark::State& state, const std::string& name) {
  const std::string& bytes = corpus(name);
  std::vector<std::byte> ring(kRingSize);
  vt::Screen screen(kSize);
  screen.attach_history(vt::History(ring));
  for (auto _ : state) in_writes(bytes, [&](std::string_view part) { screen.feed(part); });
  count_bytes(state, bytes);
}

// The slowest known output.
void slow_input(benchmark::State& state, const vt::SlowInput& input) {
  std::vector<std::byte> ring(256 * 1024);
  vt::Screen screen(kSize);
  screen.attach_history(vt::History(ring));
  screen.feed(input.once);
  std::string bytes;
  while (bytes.size() < kWriteSize) bytes += input.again;
  for (auto _ : state) screen.feed(bytes);
  count_bytes(state, bytes);
}

using VTermPtr = std::unique_ptr<VTerm, decltype(&vterm_free)>;

VTermPtr new_vterm() {
  VTermPtr term(vterm_new(kSize.rows, kSize.cols), vterm_free);
  vterm_set_utf8(term.get(), 1);
  return term;
}

// Keeps lines as a terminal emulator would: one copy each, up to a limit.
struct Scrollback {
  static constexpr std::size_t kLines = 10'000;
  std::vector<std::vector<VTermScreenCell>> lines;
  std::size_t next = 0;

  static int push(int cols, const VTermScreenCell* cells, void* user) {
    auto& self = *static_cast<Scrollback*>(user);
    if (self.lines.size() < kLines) self.lines.emplace_back();
    self.lines[self.next].assign(cells, cells + cols);
    self.next = (self.next + 1) % kLines;
    return 1;
  }
};

void libvterm_screen(benchmark::State& state, const std::string& name) {
  const std::string& bytes = corpus(name);
  const VTermPtr term = new_vterm();
  Scrollback scrollback;
  VTermScreenCallbacks callbacks{};
  callbacks.sb_pushline = Scrollback::push;
  VTermScreen* screen = vterm_obtain_screen(term.get());
  vterm_screen_set_callbacks(screen, &callbacks, &scrollback);
  vterm_screen_enable_altscreen(screen, 1);
  vterm_screen_reset(screen, 1);
  for (auto _ : state)
    in_writes(bytes, [&](std::string_view part) {
      vterm_input_write(term.get(), part.data(), part.size());
    });
  count_bytes(state, bytes);
}

// libvterm's parser alone, with callbacks that do nothing.
void libvterm_parser(benchmark::State& state, const std::string& name) {
  const std::string& bytes = corpus(name);
  const VTermPtr term = new_vterm();
  VTermParserCallbacks callbacks{};
  // It gets all remaining bytes and returns how many of them are text.
  callbacks.text = [](const char* bytes, std::size_t length, void* /*user*/) {
    std::size_t end = 0;
    while (end < length && static_cast<unsigned char>(bytes[end]) >= 0x20 && bytes[end] != 0x7f)
      ++end;
    return static_cast<int>(end);
  };
  callbacks.control = [](unsigned char /*control*/, void* /*user*/) { return 1; };
  callbacks.escape = [](const char* /*bytes*/, std::size_t length, void* /*user*/) {
    return static_cast<int>(length);
  };
  callbacks.csi = [](const char*, const long*, int, const char*, char, void*) { return 1; };
  callbacks.osc = [](const char*, std::size_t, void*) { return 1; };
  callbacks.dcs = [](const char*, std::size_t, void*) { return 1; };
  vterm_parser_set_callbacks(term.get(), &callbacks, nullptr);
  for (auto _ : state)
    in_writes(bytes, [&](std::string_view part) {
      vterm_input_write(term.get(), part.data(), part.size());
    });
  count_bytes(state, bytes);
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string out;
  std::array<char, 256> chunk;
  while (pipe && fgets(chunk.data(), chunk.size(), pipe.get()) != nullptr) out += chunk.data();
  return out;
}

// The Node program measures itself and prints MB/s.
void xterm_headless(benchmark::State& state, const std::string& name) {
  const std::string& bytes = corpus(name);
  for (auto _ : state) {
    const double speed = std::atof(output_of("node '" + (kScripts / "xterm_headless.mjs").string() +
                                             "' '" + corpus_path(name) + "'")
                                       .c_str());
    if (speed <= 0)
      return state.SkipWithError("xterm_headless.mjs did not run. Run npm ci in tests/oracle.");
    state.SetIterationTime(static_cast<double>(bytes.size()) / 1e6 / speed);
  }
  count_bytes(state, bytes);
}

// A screen of 200x50 full of coloured text, with 256 KB of history.
struct LargeScreen {
  std::vector<std::byte> ring = std::vector<std::byte>(256 * 1024);
  vt::Screen screen{{.cols = 200, .rows = 50}};

  LargeScreen() {
    screen.attach_history(vt::History(ring));
    in_writes(corpus("coloured_build"), [this](std::string_view part) { screen.feed(part); });
  }
};

void snapshot_with_history(benchmark::State& state) {
  const LargeScreen large;
  std::size_t size = 0;
  for (auto _ : state) size = vt::snapshot(large.screen).size();
  state.counters["bytes"] = static_cast<double>(size);
  state.counters["history_rows"] = large.screen.state().history.rows();
}

// The longest of the steps in which a viewer's snapshot of 10,000 lines is made.
void snapshot_step(benchmark::State& state) {
  vt::Screen screen({.cols = 100, .rows = 24});
  std::vector<std::byte> ring(2 * 1024 * 1024);
  screen.attach_history(vt::History(ring));
  for (int i = 0; i < 10'000; ++i)
    screen.feed("[" + std::to_string(i) +
                "/10000] Building CXX object src/part/CMakeFiles/part.dir/source.cc.o\r\n");
  for (auto _ : state) {
    std::chrono::duration<double> longest{};
    vt::SnapshotInSteps steps(screen);
    for (bool made = false; !made;) {
      const auto begin = std::chrono::steady_clock::now();
      made = steps.step(64 * 1024);
      longest = std::max<std::chrono::duration<double>>(longest,
                                                        std::chrono::steady_clock::now() - begin);
    }
    state.SetIterationTime(longest.count());
  }
}

void checkpoint(benchmark::State& state) {
  const LargeScreen large;
  std::size_t size = 0;
  for (auto _ : state) size = vt::snapshot(large.screen, {.history_rows = 0}).size();
  state.counters["bytes"] = static_cast<double>(size);
}

// A window that becomes narrow and wide again, with a full history.
void resize(benchmark::State& state) {
  std::vector<std::byte> ring(static_cast<std::size_t>(state.range(0)));
  vt::Screen screen({.cols = 107, .rows = 24});
  screen.attach_history(vt::History(ring));
  for (std::size_t fed = 0; fed < ring.size() + ring.size() / 4; fed += 100)
    screen.feed(std::string(60 + fed % 47, 'x') + "\r\n");
  for (auto _ : state) {
    screen.resize({.cols = 10, .rows = 24});
    screen.resize({.cols = 107, .rows = 24});
  }
}

bool have_corpora() {
  const auto exists = [](const char* name) { return std::filesystem::exists(corpus_path(name)); };
  if (std::ranges::all_of(kCorpora, exists)) return true;
  output_of("node '" + (kScripts / "make_corpora.mjs").string() + "' '" +
            corpora_folder().string() + "'");
  return std::ranges::all_of(kCorpora, exists);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (!have_corpora()) {
    std::cerr << "vt_bench: make_corpora.mjs could not make the corpora in " << corpora_folder()
              << "\n";
    return 1;
  }
  for (const std::string name : kCorpora) {
    benchmark::RegisterBenchmark(("holdfast/" + name).c_str(),
                                 [name](auto& state) { holdfast_screen(state, name); });
    benchmark::RegisterBenchmark(("libvterm_screen/" + name).c_str(),
                                 [name](auto& state) { libvterm_screen(state, name); });
    benchmark::RegisterBenchmark(("libvterm_parser/" + name).c_str(),
                                 [name](auto& state) { libvterm_parser(state, name); });
    benchmark::RegisterBenchmark(("xterm_headless/" + name).c_str(),
                                 [name](auto& state) { xterm_headless(state, name); })
        ->UseManualTime()
        ->Iterations(1);
  }
  for (const vt::SlowInput& input : vt::kSlowInputs)
    benchmark::RegisterBenchmark(("slow/" + std::string(input.name)).c_str(),
                                 [input](auto& state) { slow_input(state, input); });
  benchmark::RegisterBenchmark("snapshot_with_history/200x50", snapshot_with_history)
      ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("snapshot_step/100x24", snapshot_step)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("checkpoint/200x50", checkpoint)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("resize/107x24", resize)
      ->Unit(benchmark::kMicrosecond)
      ->Arg(256 << 10)
      ->Arg(4 << 20)
      ->Arg(64 << 20);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
