// What programs ask their terminal is answered once, by the daemon, whoever looks; and no viewer
// ever receives the question.

#include <signal.h>

#include <fstream>

#include "end_to_end/protocol_fixture.h"
#include "vt/test_difference.h"
#include "vt/test_edits.h"

namespace e2e {
namespace {

class QueriesTest : public ProtocolTest {
 protected:
  // What viewers get of what the program writes.
  static constexpr std::string_view kSent = "before\x1b\\after";

  // A program that asks when the file `go` appears, and puts whatever it is answered into another.
  [[nodiscard]] std::string asker() const {
    const std::string path = dir().string();
    return "stty raw -echo; echo ready; "
           "while [ ! -e " +
           path +
           "/go ]; do sleep 0.01; done; "
           "printf 'before\\033[5n\\033[c\\033[6n\\033]11;?\\007after'; "
           "exec cat >" +
           path + "/answers";
  }
  void go() { std::ofstream(dir() / "go") << "go"; }
  [[nodiscard]] std::string answers() const {
    std::ifstream file(dir() / "answers");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::size_t times(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
  }
  // Each question has its answer, and none has two.
  void expect_answered_once() {
    ASSERT_TRUE(eventually([&] { return times(answers(), "]11;rgb:") >= 1; })) << answers();
    EXPECT_EQ(times(answers(), "\x1b[0n"), 1U) << answers();
    EXPECT_EQ(times(answers(), "\x1b[?"), 1U) << answers();
    EXPECT_EQ(times(answers(), "R"), 1U) << answers();
    EXPECT_EQ(times(answers(), "]11;rgb:"), 1U) << answers();
  }
  static void expect_no_question(const std::string& text) {
    for (const char* question : {"\x1b[5n", "\x1b[c", "\x1b[6n", "]11;?"})
      EXPECT_EQ(text.find(question), std::string::npos) << json::serialize(json::string(text));
  }
  void create_asker(NativePeer& peer) {
    const auto created = peer.ask(
        "create", {{"terminalId", "t1"}, {"command", json::array{"/bin/sh", "-c", asker()}}});
    ASSERT_EQ(string_at(created, "type"), "created");
  }
};

TEST_F(QueriesTest, WithNobodyAttached) {
  serve();
  {
    NativePeer peer = native_peer();
    create_asker(peer);
  }
  go();
  expect_answered_once();
  NativePeer late = native_peer();
  const auto channel = late.attach("t1");
  const auto snapshot = late.next(channel);
  ASSERT_TRUE(snapshot);
  EXPECT_NE(plain(snapshot->bytes).find("beforeafter"), std::string::npos);
  expect_no_question(snapshot->bytes);
  const auto replay = late.attach("t1", {{"since", 0}});
  const std::string text = late.output_until(replay, "after");
  EXPECT_NE(text.find(kSent), std::string::npos);
  expect_no_question(text);
  late.ask("ping");
  expect_answered_once();
}

TEST_F(QueriesTest, WithANativeViewer) {
  serve();
  NativePeer peer = native_peer();
  create_asker(peer);
  const auto channel = peer.attach("t1", {{"since", 0}});
  (void)peer.output_until(channel, "ready");
  go();
  const std::string text = peer.output_until(channel, "after");
  EXPECT_NE(text.find(kSent), std::string::npos);
  expect_no_question(text);
  expect_answered_once();
}

TEST_F(QueriesTest, WithACompatibleViewer) {
  serve();
  NativePeer peer = native_peer();
  create_asker(peer);
  const auto client = compatible();
  reattached(*client, reattach("t1"));
  go();
  const std::string text = output_until(*client, "after");
  EXPECT_NE(text.find(kSent), std::string::npos);
  expect_no_question(text);
  expect_answered_once();
}

TEST_F(QueriesTest, WithSeveralViewers) {
  serve();
  NativePeer first = native_peer();
  create_asker(first);
  const auto one = first.attach("t1", {{"since", 0}});
  (void)first.output_until(one, "ready");
  NativePeer second = native_peer();
  const auto two = second.attach("t1");
  const auto third = compatible();
  reattached(*third, reattach("t1"));
  go();
  for (const std::string& text :
       {first.output_until(one, "after"), second.output_until(two, "after"),
        output_until(*third, "after")}) {
    EXPECT_NE(text.find(kSent), std::string::npos);
    expect_no_question(text);
  }
  expect_answered_once();
}

// The question was asked and answered; the next daemon reads the same bytes, and keeps silent.
TEST_F(QueriesTest, TheNextDaemonDoesNotAnswerAgain) {
  serve();
  NativePeer peer = native_peer();
  create_asker(peer);
  go();
  expect_answered_once();
  for (int i = 0; i < 3; ++i) {
    kill_daemon();
    serve();
    NativePeer again = native_peer();
    const auto channel = again.attach("t1", {{"since", 0}});
    const std::string text = again.output_until(channel, "after");
    EXPECT_NE(text.find(kSent), std::string::npos);
    expect_no_question(text);
    // Typed after whatever the daemon would have answered.
    again.type(channel, "typed" + std::to_string(i));
    ASSERT_TRUE(eventually(
        [&] { return answers().find("typed" + std::to_string(i)) != std::string::npos; }));
    expect_answered_once();
  }
}

// The question was asked while no daemon was there: the next one answers, once.
TEST_F(QueriesTest, AskedWhileNoDaemonWasThere) {
  serve();
  {
    NativePeer peer = native_peer();
    create_asker(peer);
    const auto channel = peer.attach("t1", {{"since", 0}});
    (void)peer.output_until(channel, "ready");
  }
  kill_daemon();
  go();
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(dir() / "answers"); }));
  serve();
  expect_answered_once();
  kill_daemon();
  serve();
  NativePeer again = native_peer();
  const auto channel = again.attach("t1");
  again.type(channel, "typed");
  ASSERT_TRUE(eventually([&] { return answers().find("typed") != std::string::npos; }));
  expect_answered_once();
}

// What a viewer's terminal emulator would answer is typed by nobody: a question in a snapshot, or
// one that is cut in two by a break of the connection, is no exception.
TEST_F(QueriesTest, AHalfQuestionIsHeldBack) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create",
           {{"terminalId", "t1"},
            {"command", json::array{"/bin/sh", "-c",
                                    "stty raw -echo; printf 'one\\033['; head -c 1 >/dev/null; "
                                    "printf '6ntwo'; head -c 1 >/dev/null"}}});
  const auto channel = peer.attach("t1", {{"since", 0}});
  (void)peer.output_until(channel, "one");
  NativePeer late = native_peer();
  const auto other = late.attach("t1", {{"since", 0}});
  peer.type(channel, "x");
  for (auto [each, on] : {std::pair(&peer, channel), std::pair(&late, other)}) {
    const std::string text = each->output_until(on, "two");
    EXPECT_EQ(text.find("\x1b["), std::string::npos) << json::serialize(json::string(text));
  }
}

// Of queries that stand within other sequences, once something was left that became another; counts
// and an erase that only our screen survived went to browsers as they were; what is no UTF-8 was
// shown live, and was gone after a refresh.
class EditsTest : public QueriesTest {
 protected:
  static constexpr vt::Size kSize{.cols = 80, .rows = 24};

  static std::string stream() {
    return "abc\x1b\x1b[6nc"
           "def\x1b]2;title\x1b[ctext\r\n\x1b[1;\x1b[6n5H\xe2\x1b[6n\x82\xac\x1b[6\nndef"
           "\x1b\x1b[6n[6n\x1b]4;1;?;2;#123456\x07"
           "caf\xe9 |x"
           "\x1b[999;999H\x1b[1J\x1b[99999999S\x1b[99999999Ty\x1b[99999999b\x1b[7;7Hend";
  }
  void create_shower(NativePeer& peer) {
    std::ofstream(dir() / "stream", std::ios::binary) << stream();
    const std::string command =
        "stty raw -echo; cat " + (dir() / "stream").string() + "; exec cat >/dev/null";
    const auto created = peer.ask("create", {{"terminalId", "t1"},
                                             {"rows", kSize.rows},
                                             {"cols", kSize.cols},
                                             {"command", json::array{"/bin/sh", "-c", command}}});
    ASSERT_EQ(string_at(created, "type"), "created");
  }
  // A client's terminal that was sent this is as if it had been sent all, and was asked nothing.
  static void expect_as_if_sent_all(const std::string& sent) {
    vt::Screen whole(kSize);
    whole.feed(stream());
    vt::EditedStream asked;
    vt::Screen viewer(kSize, &asked);
    viewer.feed(sent);
    EXPECT_EQ(vt::describe_difference(whole.state(), viewer.state()), "")
        << json::serialize(json::string(sent));
    EXPECT_EQ(asked.queries(), 0U);
    EXPECT_TRUE(asked.edits().empty());
  }
};

TEST_F(EditsTest, ViewersAreAsIfTheyHadBeenSentEverything) {
  serve();
  NativePeer peer = native_peer();
  create_shower(peer);
  const auto channel = peer.attach("t1", {{"since", 0}});
  const std::string live = peer.output_until(channel, "end");
  expect_as_if_sent_all(live);
  // The browser's terminal and a program's get the same characters, in text and in bytes.
  EXPECT_NE(live.find("caf\ufffd |x"), std::string::npos);
  const auto client = compatible();

  kill_daemon();
  serve();
  NativePeer again = native_peer();
  const auto replay = again.attach("t1", {{"since", 0}});
  expect_as_if_sent_all(again.output_until(replay, "end"));
}

TEST_F(EditsTest, WhatIsNoUtf8LooksTheSameLiveAndAfterwards) {
  serve();
  NativePeer peer = native_peer();
  const auto created = peer.ask(
      "create", {{"terminalId", "t1"},
                 {"command", json::array{"/bin/sh", "-c",
                                         "stty raw -echo; echo ready; head -c 1 >/dev/null; "
                                         "printf 'caf\\351 |x\\r\\n$ '; exec cat >/dev/null"}}});
  ASSERT_EQ(string_at(created, "type"), "created");
  const auto channel = peer.attach("t1", {{"since", 0}});
  (void)peer.output_until(channel, "ready");
  const auto client = compatible();
  reattached(*client, reattach("t1"));
  peer.type(channel, "x");
  EXPECT_NE(peer.output_until(channel, "|x").find("caf\ufffd |x"), std::string::npos);
  EXPECT_NE(output_until(*client, "|x").find("caf\ufffd |x"), std::string::npos);

  NativePeer late = native_peer();
  EXPECT_NE(late.output_until(late.attach("t1"), "|x").find("caf\ufffd |x"), std::string::npos);
  const auto other = compatible();
  const auto scrollback = reattached(*other, reattach("t1"));
  EXPECT_NE(json::serialize(scrollback).find("caf\ufffd |x"), std::string::npos);
}

// A program that asks without reading once filled the queue with what nobody read, and Ctrl-C was
// refused.
class FloodOfQueriesTest : public QueriesTest, public testing::WithParamInterface<const char*> {};

TEST_P(FloodOfQueriesTest, CtrlCEndsIt) {
  serve();
  NativePeer peer = native_peer();
  const std::string command =
      std::string("stty ") + GetParam() + "; exec yes \"$(printf '\\033[6n\\033[c')\"";
  const auto created = peer.ask(
      "create", {{"terminalId", "t1"}, {"command", json::array{"/bin/sh", "-c", command}}});
  ASSERT_EQ(string_at(created, "type"), "created");
  ASSERT_TRUE(logged("does not read the answers"));
  const auto channel = peer.attach("t1");
  peer.type(channel, "\x03");
  EXPECT_EQ(data_number(peer.event("exited"), "exitCode"), 130);
  EXPECT_EQ(times(log(), "does not read the answers"), 1U);
}

INSTANTIATE_TEST_SUITE_P(Modes, FloodOfQueriesTest,
                         testing::Values("echo", "-echo", "-icanon", "-icanon -echo"),
                         [](const auto& info) {
                           std::string name;
                           for (const char c : std::string(info.param))
                             name += c == '-' ? "not" : c == ' ' ? "And" : std::string(1, c);
                           return name;
                         });

}  // namespace
}  // namespace e2e
