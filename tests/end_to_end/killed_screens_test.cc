// The daemon is killed while many kinds of programs have drawn on their screens; its successor
// shows every one of them as it was.

#include <signal.h>

#include <cstdio>
#include <fstream>
#include <thread>

#include "end_to_end/survival_fixture.h"

namespace e2e {
namespace {

// A program, and what its screen shows once it has drawn everything and waits.
struct Kind {
  std::string name;
  std::string script;  // For /bin/sh.
  vt::Size size;
  std::string drawn;  // In the title or the text.
  int history = 0;    // Rows that must have been kept, at least.
};

const std::string kWait = "; printf '\\033]2;drawn\\007'; exec cat";

std::vector<Kind> kinds(const std::string& file) {
  return {
      {"colours",
       "for i in $(seq 600); do printf '\\033[38;5;%dmline %d\\033[0m\\n' $((i % 256)) $i; done" +
           kWait,
       {.cols = 80, .rows = 24},
       "drawn",
       500},
      {"vim",
       "exec vim -n -u NONE -N -c 'set title titlestring=drawn mouse=a' " + file,
       {.cols = 100, .rows = 30},
       "drawn"},
      {"htop", "TERM=xterm-256color exec htop -d 50", {.cols = 120, .rows = 40}, "F10"},
      {"mouse",
       "printf '\\033[?1003h\\033[?1006h\\033[?2004h\\033[?1004h\\033[5 q'; seq 200000" + kWait,
       {.cols = 60, .rows = 20},
       "drawn",
       1000},
      {"regions",
       "printf '\\033[5;15r\\033[?6h'; seq 100; printf '\\033[3;7Hhere\\033[?7l\\033[4h'" + kWait,
       {.cols = 80, .rows = 24},
       "drawn"},
      {"wide",
       "for i in $(seq 200); do printf '\\033]8;id=%d;http://example.org/\\033\\\\漢字 e\\314\\201 "
       "\\360\\237\\230\\200 %d\\033]8;;\\033\\\\\\n' $i $i; done" +
           kWait,
       {.cols = 132, .rows = 50},
       "drawn",
       100},
      // Long links by turns, which a checkpoint had no room for.
      {"links",
       "u=$(printf %08000d 0); for i in $(seq 2500); do printf "
       "'\\033]8;;http://%d/%s\\033\\\\x' $((i % 100)) $u; done" +
           kWait,
       {.cols = 100, .rows = 47},
       "drawn"},
      {"less", "exec less -R " + file, {.cols = 72, .rows = 18}, "number 16"},
      {"wrapped",
       "for i in $(seq 100); do printf '%d %0200d\\n' $i 0; done" + kWait,
       {.cols = 40, .rows = 10},
       "drawn",
       400},
      {"progress",
       "for i in $(seq 20000); do printf '\\rprogress %d' $i; done" + kWait,
       {.cols = 80, .rows = 24},
       "drawn"},
      {"unfinished",
       "printf "
       "'\\033]0;first\\007\\033[22;0t\\033]2;drawn\\007\\033(0lqk\\016text\\033[1;3;4:3;38;2;1;2;"
       "3m\\0337\\033[48;5'; exec cat",
       {.cols = 80, .rows = 24},
       "drawn"},
  };
}

class KilledScreensTest : public SurvivalTest {
 protected:
  void SetUp() override {
    SurvivalTest::SetUp();
    file_ = dir() / "file.txt";
    std::ofstream out(file_);
    for (int i = 0; i < 500; ++i) out << "number " << i << "\n";
    out.close();
    start();
  }

  std::string id_of(const Kind& kind, int copy) const {
    return kind.name + "-" + std::to_string(copy);
  }

  // A program that draws again by itself is stopped, so that before and after can be compared.
  void settle(const std::string& id, const Kind& kind) {
    const auto shows = [&](Seat& seat) {
      const vt::Screen& screen = seat.mirror().screen();
      return screen.state().titles.title.find(kind.drawn) != std::string::npos ||
             vt::text(screen).find(kind.drawn) != std::string::npos;
    };
    const auto seat = look_at(id, shows);
    if (kind.name != "htop") return;
    for (const pid_t child : children_of(keeper_pid()))
      if (proc_file(child, "environ").find("HOLDFAST_TERMINAL=" + id + '\0') != std::string::npos)
        ::kill(child, SIGSTOP);
    int unchanged = 0;
    std::uint64_t last = 0;
    ASSERT_TRUE(eventually([&] {
      seat->pull();
      unchanged = seat->offset() == last ? unchanged + 1 : 0;
      last = seat->offset();
      return unchanged == 100;
    }));
  }

  std::filesystem::path file_;
};

TEST_F(KilledScreensTest, ComeBackWithEveryModeTitleAndLine) {
  const auto all = kinds(file_);
  const int copies = a_tenth_unless_soaking(10);
  for (int copy = 0; copy < copies; ++copy)
    for (const Kind& kind : all)
      create(id_of(kind, copy), {"/bin/sh", "-c", kind.script}, kind.size);
  std::map<std::string, std::unique_ptr<Seat>> before;
  for (int copy = 0; copy < copies; ++copy)
    for (const Kind& kind : all) settle(id_of(kind, copy), kind);
  for (int copy = 0; copy < copies; ++copy)
    for (const Kind& kind : all) {
      const std::string id = id_of(kind, copy);
      before[id] = look_at(id);
      const vt::State& state = before[id]->mirror().screen().state();
      EXPECT_EQ(state.size, kind.size) << id;
      EXPECT_GE(state.history.rows(), kind.history) << id;
    }
  EXPECT_TRUE(before["vim-0"]->mirror().screen().state().alternate_active);
  EXPECT_TRUE(before["htop-0"]->mirror().screen().state().alternate_active);
  EXPECT_EQ(before["mouse-0"]->mirror().screen().state().mouse_protocol, vt::MouseProtocol::any);

  for (int round = 0; round < 3; ++round) {
    kill_daemon();
    // This client waits in the queue of the listening socket, which nobody closed.
    const auto begin = std::chrono::steady_clock::now();
    std::chrono::duration<double, std::milli> served{};
    std::thread impatient([&] {
      const auto client = compatible();
      client->send(reattach("colours-0"));
      client->expect("scrollback");
      served = std::chrono::steady_clock::now() - begin;
    });
    start();
    impatient.join();
    std::printf("%zu terminals: served %.0f ms after the start\n", before.size(), served.count());
    EXPECT_LT(served, seconds(3));
    for (const auto& [id, seat] : before)
      EXPECT_EQ(difference(seat->mirror(), look_at(id)->mirror()), "") << id;
  }
}

}  // namespace
}  // namespace e2e
