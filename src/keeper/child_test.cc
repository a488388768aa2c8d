// A child's output and exit, and what happens when it cannot be started.

#include "keeper/child.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "keeper/test_child.h"

namespace keeper {
namespace {

using std::chrono::milliseconds;
using Happened = std::vector<std::string>;

TEST(ChildTest, ItsExitIsToldAfterItsOutput) {
  for (const Kind kind : {Kind::terminal, Kind::process}) {
    TestChild child(script("printf hello; exit 3", kind));
    EXPECT_EQ(child->state(), State::starting);
    ASSERT_TRUE(child.run_until_told("exited"));
    EXPECT_EQ(child.happened, (Happened{"started", "exited"}));
    EXPECT_EQ(child.read(), "hello");
    EXPECT_EQ(child->exit(), (Exit{.code = 3}));
    EXPECT_EQ(child.described().number(Field::offset), 5U);
    EXPECT_EQ(child->state(), State::exited);
    EXPECT_TRUE(child.run_until([&] { return child.is_reaped(); }, TestChild::kSecond));
  }
}

TEST(ChildTest, ASignalIsToldAsOne) {
  TestChild child("kill -KILL $$");
  ASSERT_TRUE(child.run_until_told("exited"));
  EXPECT_EQ(child->exit(), (Exit{.signal = SIGKILL}));
}

// The signal of its end may come before anything else of the child was looked at.
TEST(ChildTest, TheStartAndTheOutputComeBeforeTheExitThoughItIsNoticedFirst) {
  TestChild child("printf hello");
  ASSERT_TRUE(child.process_ends());
  child->check_exit();
  EXPECT_EQ(child.happened, (Happened{"started", "exited"}));
  EXPECT_EQ(child.read(), "hello");
  child->check_exit();
  child.loop.run_once();
  EXPECT_EQ(child.happened.size(), 2U) << "once";
}

TEST(ChildTest, OneThatCannotBeStartedSaysWhyInEitherOrder) {
  SpawnSpec nowhere = script("true");
  nowhere.cwd = "/no/such/directory";
  const std::pair<SpawnSpec, std::string> cases[] = {
      {command({"/no/such/program"}), "/no/such/program"}, {nowhere, "/no/such/directory"}};
  for (const auto& [spec, named] : cases) {
    for (const bool exit_first : {false, true}) {
      TestChild child(spec);
      const pid_t pid = child.pid();
      ASSERT_TRUE(child.process_ends());
      if (exit_first) child->check_exit();
      ASSERT_TRUE(child.run_until_told("failed"));
      EXPECT_EQ(child.outcome.error().code, base::Code::not_found);
      EXPECT_NE(child.outcome.error().what.find(named), std::string::npos);
      child->check_exit();
      EXPECT_EQ(child.happened, Happened{"failed"}) << "it has not exited: it never ran";
      EXPECT_FALSE(base::stat_of(pid)) << "and no zombie stays";
    }
  }
}

TEST(ChildTest, WhatIsNoProgramOrNoJournalIsRefusedAtOnce) {
  TestChild child;
  SpawnSpec here = script("true");
  here.cwd = "here";
  for (const SpawnSpec& spec : {command({}), here})
    EXPECT_EQ(child.start(spec).error().code, base::Code::invalid_argument);
  journal::Shape shape = journal::kSmallShape;
  shape.slack = 0;
  EXPECT_EQ(child.start(script("true"), shape).error().code, base::Code::invalid_argument);
  EXPECT_EQ(child.happened, Happened{});
}

TEST(ChildTest, LimitsThatNeedACgroupAreNotLeftOut) {
  TestChild child;
  SpawnSpec limited = script("true");
  limited.confinement.limits.processes = 100;
  EXPECT_EQ(child.start(limited).error().code, base::Code::unsupported) << "there is none";
  child.host.cgroup = "/no/such/cgroup";
  EXPECT_EQ(child.start(limited).error().code, base::Code::not_found);
  EXPECT_TRUE(child.start(script("printf hello"))) << "without limits it can do without";
  EXPECT_EQ(child.read(5), "hello");
}

TEST(ChildTest, OutputWithoutRoomWaitsAndSoDoesTheExit) {
  for (const Kind kind : {Kind::terminal, Kind::process}) {
    TestChild child(script(std::string(kPrintMuch) + "exit 3", kind));
    const std::size_t slack = journal::kSmallShape.slack;
    ASSERT_TRUE(child.run_until([&] { return child.unread().size() == slack; }));
    ASSERT_TRUE(child.process_ends());
    for (std::size_t read = 0; read + slack < kMuch; read += child.read().size()) {
      child->check_exit();
      child.loop.run_once();
      EXPECT_FALSE(child.has("exited")) << "after " << read << " bytes";
      EXPECT_LE(child.unread().size(), slack);
      ASSERT_TRUE(child.run_until([&] { return child.unread().size() == slack; }));
    }
    ASSERT_TRUE(child.run_until_told("exited"));
    EXPECT_EQ(child.described().number(Field::offset), kMuch);
    EXPECT_EQ(child->exit(), (Exit{.code = 3}));
  }
}

// Nothing more is to be read then, so no event of the terminal tells to look again.
TEST(ChildTest, TheExitIsToldThoughItsLastByteFilledTheJournal) {
  TestChild child("trap '' HUP; sleep 1000 & printf %4096s");
  ASSERT_EQ(journal::kSmallShape.slack, 4096U);
  ASSERT_TRUE(child.process_ends());
  ASSERT_TRUE(child.run_until([&] { return child.unread().size() == 4096 && child->exit(); }));
  EXPECT_FALSE(child.has("exited")) << "there may be more";
  child.read();
  ASSERT_TRUE(child.run_until_told("exited"));
  EXPECT_EQ(child.described().number(Field::offset), 4096U);
}

// No daemon has been there for long: the program must not wait for one.
TEST(ChildTest, FreeOutputNeedsNoRoom) {
  for (const bool is_free_before : {false, true}) {
    TestChild child(kPrintMuch);
    if (is_free_before) child->set_limit(journal::Limit::free);
    ASSERT_TRUE(child.process_ends());
    if (!is_free_before) {
      ASSERT_TRUE(child.run_until([&] { return !child.unread().empty() && child->exit(); }));
      EXPECT_FALSE(child.has("exited"));
      child->set_limit(journal::Limit::free);
    }
    ASSERT_TRUE(child.run_until_told("exited"));
    EXPECT_EQ(child.described().number(Field::offset), kMuch);
  }
}

// A process that the leader started goes on without it, in the same terminal.
TEST(ChildTest, OutputAfterTheExitIsReadUntilTheLastOneEnds) {
  const auto file =
      std::filesystem::path(testing::TempDir()) / ("holdfast-go-on-" + std::to_string(::getpid()));
  std::filesystem::remove(file);
  const std::string wait = "while [ ! -e " + file.native() + " ]; do sleep 0.01; done";
  TestChild child("trap '' HUP; (" + wait + "; printf later) & printf first");
  ASSERT_TRUE(child.run_until_told("exited"));
  EXPECT_EQ(child.described().number(Field::offset), 5U);
  EXPECT_FALSE(child.is_reaped()) << "its pid is the session's name";
  EXPECT_EQ(child->descriptors().size(), 4U);
  std::ofstream(file).put('x');
  EXPECT_EQ(child.read(10), "firstlater");
  EXPECT_TRUE(child.run_until([&] { return child.consumer->ended(); }));
  EXPECT_EQ(child->descriptors().size(), 3U) << "the terminal has hung up";
  EXPECT_TRUE(child.run_until([&] { return child.is_reaped(); }, TestChild::kSecond));
  EXPECT_EQ(child.happened, (Happened{"started", "exited"}));
  std::filesystem::remove(file);
}

// No event tells when a process ends that has closed the terminal.
TEST(ChildTest, TheLeaderIsReapedWhenASilentMemberOfItsSessionHasEnded) {
  TestChild child("trap '' HUP; sleep 1000 </dev/null >/dev/null 2>&1 & echo $!");
  ASSERT_TRUE(child.run_until_told("exited"));
  ASSERT_TRUE(child.run_until([&] { return child.consumer->ended(); }));
  const auto member = static_cast<pid_t>(std::stoi(child.read()));
  child.loop.pass(milliseconds(60'000));
  EXPECT_FALSE(child.is_reaped());
  ::kill(member, SIGKILL);
  EXPECT_TRUE(child.run_until([&] { return child.is_reaped(); }, TestChild::kSecond));
}

TEST(ChildTest, MemoryBeyondTheReplayIsReleasedWhenItIsQuiet) {
  TestChild child(script("printf %150000s; read line", Kind::terminal));
  child.read(150'000);
  const int memory = child->descriptors()[0];
  const auto blocks = [memory] {
    struct stat status{};
    EXPECT_EQ(::fstat(memory, &status), 0);
    return status.st_blocks;
  };
  const auto before = blocks();
  ASSERT_TRUE(child.consumer->sleep(150'000));
  child.loop.pass(milliseconds(999));
  EXPECT_EQ(blocks(), before);
  // The first look finds that there was output since the last one.
  child.loop.pass(milliseconds(1));
  child.loop.pass(milliseconds(1000));
  EXPECT_LT(blocks(), before);
  EXPECT_LE(child.consumer->tail(), 150'000 - journal::kSmallShape.replay);
}

// The pages of the ring are allocated as they are written, which fails when there is no memory.
TEST(ChildTest, OutputThatCannotBeReadNowIsReadLater) {
  TestChild child;
  ASSERT_TRUE(child.start(script("printf hello", Kind::process)));
  child.consumer.reset();
  struct stat journal{};
  ASSERT_EQ(::fstat(child->descriptors()[0], &journal), 0);
  std::ifstream maps("/proc/self/maps");
  char* header = nullptr;
  for (std::string line; header == nullptr && std::getline(maps, line);) {
    std::istringstream words(line);
    std::string range, skipped;
    ino_t inode = 0;
    words >> range >> skipped >> skipped >> skipped >> inode;
    if (inode == journal.st_ino)
      header = reinterpret_cast<char*>(std::stoull(range, nullptr, 16));  // NOLINT
  }
  ASSERT_NE(header, nullptr);
  char* const ring = header + journal::kPage;
  ASSERT_EQ(::mprotect(ring, journal::kPage, PROT_READ), 0);
  ASSERT_TRUE(child.process_ends());
  child->check_exit();
  child.loop.pass(milliseconds(499));
  EXPECT_FALSE(child.has("exited")) << "not before its output";
  child.loop.pass(milliseconds(1));
  EXPECT_FALSE(child.has("exited")) << "it still cannot be read";
  ASSERT_EQ(::mprotect(ring, journal::kPage, PROT_READ | PROT_WRITE), 0);
  child.loop.pass(milliseconds(500));
  EXPECT_TRUE(child.has("exited"));
  EXPECT_EQ(std::string(ring, 5), "hello");
  EXPECT_EQ(child.described().number(Field::offset), 5U);
}

TEST(ChildTest, ItIsDescribedAsItIs) {
  SpawnSpec spec = script("read line");
  spec.argv.insert(spec.argv.end(), {"", std::string(2000, 'a'), "left out"});
  spec.label = "a note";
  spec.rows = 30;
  spec.cols = 90;
  TestChild child(spec);
  ASSERT_TRUE(child.run_until_told("started"));
  const winsize larger{.ws_row = 31, .ws_col = 91, .ws_xpixel = 0, .ws_ypixel = 0};
  ASSERT_EQ(::ioctl(child->descriptors().at(3), TIOCSWINSZ, &larger), 0);
  const Message message = child.described();
  EXPECT_EQ(message.text(Field::id), child->id().str());
  EXPECT_EQ(message.number(Field::kind), static_cast<std::uint64_t>(Kind::terminal));
  EXPECT_EQ(message.number(Field::state), static_cast<std::uint64_t>(State::running));
  EXPECT_EQ(message.number(Field::rows), 31U);
  EXPECT_EQ(message.number(Field::cols), 91U);
  EXPECT_EQ(message.text(Field::label), "a note");
  EXPECT_EQ(message.number(Field::uid), std::nullopt) << "it is the keeper's";
  EXPECT_EQ(message.number(Field::code), std::nullopt) << "it runs";
  const auto argv = message.texts(Field::argv);
  ASSERT_EQ(argv.size(), 4U) << "a command line is shortened";
  std::size_t length = 0;
  for (const std::string& argument : argv) length += argument.size();
  EXPECT_EQ(length, 1024U);
}

}  // namespace
}  // namespace keeper
