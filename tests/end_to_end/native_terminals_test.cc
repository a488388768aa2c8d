// The native protocol: terminals are made, attached and detached (docs/protocol.md).

#include <atomic>
#include <set>
#include <thread>

#include "end_to_end/native_fixture.h"

namespace e2e {
namespace {

class NativeTerminalsTest : public NativeTest {};

// --- welcome, list, create

TEST_F(NativeTerminalsTest, TheWelcomeComesFirstAndSaysWhoIsServed) {
  serve();
  const auto client = native();
  client->send_text(R"({"type":"ping"})");
  const auto first = client->receive();
  ASSERT_TRUE(first);
  const auto welcome = first->object();
  EXPECT_EQ(string_at(welcome, "type"), "welcome");
  EXPECT_EQ(data_text(welcome, "protocol"), "holdfast.v1");
  EXPECT_EQ(data_text(welcome, "user"), "default");
  EXPECT_EQ(data_text(welcome, "session"), "main");
  EXPECT_NE(data_text(welcome, "version"), "");
  client->expect("pong");
  NativePeer other = native_peer(token_of("ada"));
  EXPECT_TRUE(terminal_ids(other).empty());
}

TEST_F(NativeTerminalsTest, CreateTakesEverythingThatIsAskedFor) {
  serve();
  NativePeer peer = native_peer();
  auto request = script("t1", "pwd; echo \"[$CI]\"; stty size; read x");
  request["name"] = "build";
  request["rows"] = 31;
  request["cols"] = 99;
  request["workDir"] = dir().string();
  request["env"] = json::object{{"CI", "a b"}};
  const auto created = peer.ask("create", request);
  ASSERT_EQ(string_at(created, "type"), "created") << json::serialize(created);
  const auto& info = created.at("data").at("terminal").as_object();
  EXPECT_EQ(string_at(info, "terminalId"), "t1");
  EXPECT_EQ(string_at(info, "session"), "main");
  EXPECT_EQ(string_at(info, "name"), "build");
  EXPECT_EQ(string_at(info, "status"), "running");
  EXPECT_EQ(info.at("rows").as_int64(), 31);
  EXPECT_EQ(info.at("cols").as_int64(), 99);
  EXPECT_EQ(info.at("viewers").as_int64(), 0) << "create does not attach";
  EXPECT_EQ(info.at("command").as_array().size(), 3U);
  EXPECT_TRUE(is_time(string_at(info, "createdAt")));
  EXPECT_TRUE(is_time(string_at(info, "lastActivityAt")));

  const auto channel = peer.attach("t1", {{"since", 0}});
  const std::string text = peer.output_until(channel, "31 99");
  EXPECT_NE(text.find(dir().string()), std::string::npos);
  EXPECT_NE(text.find("[a b]"), std::string::npos);
  const auto listed = peer.ask("list").at("data").at("terminals").as_array();
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].at("viewers").as_int64(), 1);
  EXPECT_EQ(string_at(listed[0].as_object(), "workingDirectory"), dir());
}

TEST_F(NativeTerminalsTest, CreateWithoutAnythingGivesTheShellAndAnId) {
  serve();
  NativePeer peer = native_peer();
  const auto created = peer.ask("create");
  const auto& info = created.at("data").at("terminal").as_object();
  EXPECT_EQ(info.at("rows").as_int64(), 24);
  EXPECT_EQ(info.at("cols").as_int64(), 80);
  EXPECT_EQ(info.at("command"), json::array{"/bin/sh"});
  const std::string id = string_at(info, "terminalId");
  ASSERT_NE(id, "");
  const auto channel = peer.attach(id);
  peer.type(channel, "echo $((6*7))\r");
  (void)peer.output_until(channel, "42");
}

TEST_F(NativeTerminalsTest, ManyCreatesAtOnceAreAllToldToEveryConnection) {
  serve();
  // Each connection creates while the other's creations are under way, and must not miss them for
  // its own.
  NativePeer first = native_peer();
  NativePeer second = native_peer();
  constexpr int kEach = 15;
  for (int i = 0; i < kEach; ++i) {
    first.tell("create", script("a" + std::to_string(i), "read x"));
    second.tell("create", script("b" + std::to_string(i), "read x"));
  }
  for (NativePeer* peer : {&first, &second}) {
    std::set<std::string> seen;
    while (seen.size() < 2 * kEach) {
      const auto created = peer->event("created", seconds(10));
      seen.insert(string_at(created.at("data").at("terminal").as_object(), "terminalId"));
    }
  }
}

// --- attach, detach

TEST_F(NativeTerminalsTest, AttachBeginsWithASnapshotTrueAtItsOffset) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", script("t1", "printf '\\033]2;the title\\007'; echo 'hello'; read x"));
  ASSERT_TRUE(eventually([&] {
    const auto channel = peer.attach("t1", {{"rows", 24}, {"cols", 80}});
    const auto piece = peer.next(channel);
    EXPECT_EQ(piece->kind, 2);
    EXPECT_GE(piece->offset, attached_offset(peer));
    EXPECT_TRUE(piece->bytes.starts_with(kReset));
    peer.ask("detach", {{"channel", channel}});
    // The title is told as it is at the attach, the snapshot as it is when it is sent.
    return piece->bytes.find("hello") != std::string::npos &&
           peer.attached().at("data").as_object().contains("title");
  }));
  const auto& data = peer.attached().at("data").as_object();
  EXPECT_EQ(string_at(data, "terminalId"), "t1");
  EXPECT_EQ(string_at(data, "role"), "control");
  EXPECT_EQ(string_at(data, "status"), "running");
  EXPECT_EQ(string_at(data, "title"), "the title");
  EXPECT_FALSE(data.at("resumed").as_bool());
  EXPECT_FALSE(data.at("lossless").as_bool());
  EXPECT_EQ(data.at("window").as_int64(), 0);
}

TEST_F(NativeTerminalsTest, AChannelEndsWithDetachedAndItsNumberIsNotUsedAgain) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", terminal("t1"));
  const auto first = peer.attach("t1");
  peer.type(first, "yes\r");
  (void)peer.output_until(first, "y\r\ny\r\n");
  const auto answer = peer.ask("detach", {{"channel", first}});
  EXPECT_EQ(string_at(answer, "type"), "detached");
  EXPECT_EQ(data_text(answer, "terminalId"), "t1");
  EXPECT_EQ(data_text(answer, "reason"), "requested");
  while (peer.next(first, milliseconds(0))) {
  }  // What came before the answer.
  peer.ask("ping");
  EXPECT_FALSE(peer.next(first, milliseconds(0))) << "a frame after `detached`";
  EXPECT_EQ(peer.refused("detach", {{"channel", first}}), "not_found");
  const auto second = peer.attach("t1");
  EXPECT_NE(second, first);
  peer.type(second, "\x03");
}

TEST_F(NativeTerminalsTest, SinceResumesWithJustTheMissingBytes) {
  serve();
  NativePeer staying = native_peer();
  staying.ask("create", script("t1",
                               "read x; i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo $i; "
                               "done; echo end; read x"));
  const auto whole = staying.attach("t1", {{"since", 0}});
  NativePeer peer = native_peer();
  auto channel = peer.attach("t1", {{"since", 0}});
  EXPECT_TRUE(peer.attached().at("data").at("resumed").as_bool());
  staying.type(whole, "\r");
  std::string pieces;
  for (int broken = 0; pieces.find("end\r\n") == std::string::npos; ++broken) {
    const auto piece = peer.next(channel);
    ASSERT_TRUE(piece);
    ASSERT_EQ(piece->kind, 1);
    pieces += piece->bytes;
    if (broken >= 10) continue;
    peer.socket().drop();
    peer = native_peer();
    channel = peer.attach("t1", {{"since", piece->offset}});
    ASSERT_TRUE(peer.attached().at("data").at("resumed").as_bool());
    ASSERT_EQ(attached_offset(peer), piece->offset);
  }
  EXPECT_EQ(staying.output_until(whole, "end\r\n"), pieces);
  const auto late = peer.attach("t1", {{"since", 1 << 30}});
  EXPECT_FALSE(peer.attached().at("data").at("resumed").as_bool());
  EXPECT_EQ(peer.next(late)->kind, 2);
}

TEST_F(NativeTerminalsTest, AnExitedTerminalShowsItsLastScreen) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", script("t1", "echo last words; exit 4"));
  EXPECT_EQ(data_number(peer.event("exited"), "exitCode"), 4);
  const auto channel = peer.attach("t1");
  EXPECT_EQ(data_text(peer.attached(), "status"), "exited");
  EXPECT_EQ(data_number(peer.attached(), "exitCode"), 4);
  EXPECT_NE(peer.next(channel)->bytes.find("last words"), std::string::npos);
  peer.type(channel, "x");
  EXPECT_EQ(data_text(peer.event("error"), "code"), "unavailable");
}

TEST_F(NativeTerminalsTest, TheExitComesAfterTheLastByte) {
  serve();
  const auto client = native();
  client->expect("welcome");
  NativePeer other = native_peer();
  other.ask("create", script("t1", "read x; seq 1 20000; exit 6"));
  client->send_text(R"({"type":"attach","data":{"terminalId":"t1","since":0}})");
  const auto attached = client->expect("attached");
  const auto channel = static_cast<std::uint32_t>(data_number(attached, "channel"));
  client->send_binary(input_frame(channel, "\r"));
  std::string text;
  int exits = 0;
  while (exits == 0) {
    const auto frame = client->receive();
    ASSERT_TRUE(frame);
    if (frame->binary)
      text += native_frame(frame->data).payload;
    else if (string_at(frame->object(), "type") == "exited")
      ++exits;
  }
  EXPECT_TRUE(text.ends_with("20000\r\n"));
  EXPECT_EQ(data_number(other.event("exited"), "exitCode"), 6);
  client->send_text(R"({"type":"ping"})");
  client->expect([&](const json::object& each) {
    EXPECT_NE(string_at(each, "type"), "exited") << "it is told once";
    return string_at(each, "type") == "pong";
  });
}

TEST_F(NativeTerminalsTest, ATakeoverDetachesAllOthers) {
  serve();
  NativePeer first = native_peer();
  first.ask("create", terminal("t1"));
  const auto channel = first.attach("t1");
  const auto compatible_viewer = compatible();
  reattached(*compatible_viewer, reattach("t1"));
  NativePeer second = native_peer();
  second.attach("t1", {{"takeover", true}});
  const auto detached = first.event("detached");
  EXPECT_EQ(data_number(detached, "channel"), channel);
  EXPECT_EQ(data_text(detached, "reason"), "takeover");
  EXPECT_EQ(data_text(compatible_viewer->expect("session_detached"), "reason"), "takeover");
}

// Long lists are made in turns; what happens between them is told before the list, and is in it.
TEST_F(NativeTerminalsTest, AListIsNeverOlderThanTheEventsBeforeIt) {
  serve({"--message-rate-limit", "100000", "--message-burst-limit", "100000"});
  NativePeer busy = native_peer();
  for (int i = 0; i < 200; ++i) busy.ask("create", terminal("t" + std::to_string(i), {"/bin/cat"}));
  const auto watching = native();
  std::atomic<bool> is_done = false;
  const std::jthread changing([&] {
    for (int i = 0; i < 200; ++i) {
      busy.ask("close", {{"terminalId", "t" + std::to_string(i)}});
      busy.ask("create", terminal("u" + std::to_string(i), {"/bin/cat"}));
    }
    is_done = true;
  });
  std::set<std::string> made;
  std::set<std::string> gone;
  watching->send(message("list"));
  for (int lists = 0; !is_done || lists < 2;) {
    const json::object told = watching->receive()->object();
    const std::string type = string_at(told, "type");
    if (type == "created")
      made.insert(string_at(told.at("data").at("terminal").as_object(), "terminalId"));
    if (type == "closed") gone.insert(data_text(told, "terminalId"));
    if (type != "terminals") continue;
    ++lists;
    std::set<std::string> listed;
    for (const json::value& each : told.at("data").at("terminals").as_array())
      listed.insert(string_at(each.as_object(), "terminalId"));
    for (const std::string& id : gone) EXPECT_FALSE(listed.contains(id)) << id << " is gone";
    for (const std::string& id : made) EXPECT_TRUE(listed.contains(id)) << id << " was made";
    if (HasFailure()) break;
    watching->send(message("list"));
  }
}

}  // namespace
}  // namespace e2e
