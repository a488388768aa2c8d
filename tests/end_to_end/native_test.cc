// The native protocol: every message, every error, windows, lossless viewers (docs/protocol.md).

#include <array>
#include <cstdlib>
#include <set>

#include "end_to_end/protocol_fixture.h"
#include "programs/sequence.h"

namespace e2e {
namespace {

class NativeTest : public ProtocolTest {
 protected:
  static bool soaking() { return std::getenv("HOLDFAST_SOAK") != nullptr; }
};

using Strings = std::vector<std::string>;

json::object terminal(std::string_view id, std::vector<std::string> command = {"/bin/sh"}) {
  json::array argv;
  for (const std::string& each : command) argv.emplace_back(each);
  return {{"terminalId", json::string_view(id.data(), id.size())}, {"command", std::move(argv)}};
}

json::object script(std::string_view id, const std::string& text) {
  return terminal(id, {"/bin/sh", "-c", text});
}

Strings terminal_ids(NativePeer& peer) {
  Strings ids;
  const auto answer = peer.ask("list");
  for (const json::value& each : answer.at("data").at("terminals").as_array())
    ids.emplace_back(each.at("terminalId").as_string());
  return ids;
}

Strings event_types(NativePeer& peer) {
  Strings types;
  for (const json::object& each : peer.events()) types.push_back(string_at(each, "type"));
  return types;
}

std::uint64_t attached_offset(const NativePeer& peer) {
  return static_cast<std::uint64_t>(data_number(peer.attached(), "offset"));
}

// --- welcome, list, create
// -------------------------------------------------------------------------------------------

TEST_F(NativeTest, TheWelcomeComesFirstAndSaysWhoIsServed) {
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

TEST_F(NativeTest, CreateTakesEverythingThatIsAskedFor) {
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

TEST_F(NativeTest, CreateWithoutAnythingGivesTheShellAndAnId) {
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

TEST_F(NativeTest, ManyCreatesAtOnceAreAllToldToEveryConnection) {
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
// --------------------------------------------------------------------------------------------------

TEST_F(NativeTest, AttachBeginsWithASnapshotTrueAtItsOffset) {
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

TEST_F(NativeTest, AChannelEndsWithDetachedAndItsNumberIsNotUsedAgain) {
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

TEST_F(NativeTest, SinceResumesWithJustTheMissingBytes) {
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

TEST_F(NativeTest, AnExitedTerminalShowsItsLastScreen) {
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

TEST_F(NativeTest, TheExitComesAfterTheLastByte) {
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

TEST_F(NativeTest, ATakeoverDetachesAllOthers) {
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

// --- roles, sizes
// ----------------------------------------------------------------------------------------------------

TEST_F(NativeTest, WhoOnlyViewsChangesNothing) {
  serve();
  NativePeer controller = native_peer();
  controller.ask("create", terminal("t1"));
  const auto control = controller.attach("t1", {{"rows", 24}, {"cols", 80}});
  NativePeer viewer = native_peer();
  const auto view = viewer.attach("t1", {{"role", "view"}, {"rows", 40}, {"cols", 120}});
  EXPECT_EQ(data_text(viewer.attached(), "role"), "view");
  EXPECT_EQ(data_number(viewer.attached(), "rows"), 24) << "it is told the terminal's size";
  viewer.type(view, "echo $((6*7))\r");
  EXPECT_EQ(data_text(viewer.event("error"), "code"), "permission_denied");
  viewer.tell("resize", {{"channel", view}, {"rows", 50}, {"cols", 150}});
  viewer.tell("focus", {{"channel", view}});
  viewer.ask("ping");
  controller.type(control, "stty size\r");
  const std::string text = viewer.output_until(view, "24 80");
  EXPECT_EQ(text.find("42"), std::string::npos);

  const auto changed = viewer.ask("role", {{"channel", view}, {"role", "control"}});
  EXPECT_EQ(string_at(changed, "type"), "role");
  EXPECT_EQ(data_text(changed, "role"), "control");
  viewer.type(view, "stty size\r");
  (void)viewer.output_until(view, "50 150");
  viewer.ask("role", {{"channel", view}, {"role", "view"}});
  viewer.type(view, "x");
  EXPECT_EQ(data_text(viewer.event("error"), "code"), "permission_denied");
}

TEST_F(NativeTest, AResizeStandsBetweenTheFramesWhereItHappened) {
  serve();
  NativePeer first = native_peer();
  first.ask("create", script("t1",
                             "trap 'stty size' WINCH; stty -echo; echo ready; "
                             "while :; do read x && echo $x; done"));
  const auto channel = first.attach("t1", {{"rows", 24}, {"cols", 80}});
  (void)first.output_until(channel, "ready");
  NativePeer second = native_peer();
  const auto other = second.attach("t1", {{"role", "view"}});
  for (int rows = 30; rows < 40; ++rows) {
    first.type(channel, "before" + std::to_string(rows) + "\r");
    (void)first.output_until(channel, "before" + std::to_string(rows) + "\r\n");
    first.tell("resize", {{"channel", channel}, {"rows", rows}, {"cols", 100}});
    const std::string size = std::to_string(rows) + " 100";
    for (auto [peer, on] : {std::pair(&first, channel), std::pair(&second, other)}) {
      std::string before;
      std::uint64_t offset = 0;
      auto piece = peer->next(on);
      for (; piece && piece->kind != 0; piece = peer->next(on)) {
        before += piece->bytes;
        offset = piece->offset;
      }
      ASSERT_TRUE(piece);
      EXPECT_EQ(piece->resized.at("rows").as_int64(), rows);
      EXPECT_EQ(piece->resized.at("cols").as_int64(), 100);
      EXPECT_EQ(before.find(size), std::string::npos) << "it was written at the new size";
      if (offset != 0) {
        EXPECT_EQ(piece->offset, offset);
      }
      (void)peer->output_until(on, size);
    }
  }
}

TEST_F(NativeTest, WhoIsFocusedDecidesTheSize) {
  serve();
  NativePeer first = native_peer();
  first.ask("create", terminal("t1"));
  const auto small = first.attach("t1", {{"rows", 20}, {"cols", 60}});
  NativePeer second = native_peer();
  const auto large = second.attach("t1", {{"rows", 50}, {"cols", 150}});
  (void)second.next(large);
  first.tell("focus", {{"channel", small}});
  auto piece = second.next(large);
  while (piece && piece->kind != 0) piece = second.next(large);
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->resized.at("rows").as_int64(), 20);
  second.tell("focus", {{"channel", large}});
  do piece = second.next(large);
  while (piece && piece->kind != 0);
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->resized.at("rows").as_int64(), 50);
}

// --- windows
// ---------------------------------------------------------------------------------------------------------

constexpr std::uint64_t kLargestFrame = 64 * 1024;

TEST_F(NativeTest, WithoutAcksNoMoreThanTheWindowIsSent) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", terminal("t1", {"/usr/bin/yes"}));
  constexpr std::uint64_t kWindow = 32768;
  const auto channel = peer.attach("t1", {{"window", kWindow}});
  EXPECT_EQ(data_number(peer.attached(), "window"), kWindow);
  const auto snapshot = peer.next(channel);
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(snapshot->kind, 2);
  // By now it may be larger than the window, and then nothing follows before it is acked.
  std::uint64_t reached = snapshot->offset;
  peer.ack(channel, reached);
  for (int round = 0; round < 20; ++round) {
    const std::uint64_t acked = reached;
    std::uint64_t bytes = 0;
    int snapshots = 0;
    // Everything that is on its way, and a little patience for what should not be.
    while (const auto piece = peer.next(channel, milliseconds(reached == acked ? 5000 : 20))) {
      EXPECT_EQ(snapshots, 0) << "what follows a snapshot over the window waits for an ack";
      if (piece->kind == 2) ++snapshots;
      if (piece->kind == 1) bytes += piece->bytes.size();
      reached = piece->offset;
    }
    EXPECT_LE(bytes, kWindow);
    ASSERT_GT(reached, acked) << "after an ack it goes on";
    peer.ack(channel, acked / 2);                // One that goes back is ignored,
    peer.ack(channel, reached + 1'000'000'000);  // one beyond counts as what was sent.
  }
}

// A client need not ack more often than each half of the window (docs/protocol.md). The server
// used to wait with a snapshot until everything was acked, and counted the first snapshot against
// the window although `attached` acks its offset: such a client then waited for the server, and the
// server for it.
TEST_F(NativeTest, AcksOfEachHalfWindowAreEnough) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", script("t1", "seq 1 60000; echo ready; read x; yes"));
  {
    NativePeer waiting = native_peer();
    const auto channel = waiting.attach("t1", {{"since", 0}});
    (void)waiting.output_until(channel, "ready");
    waiting.type(channel, "\r");
    (void)waiting.output_until(channel, "y\r\n");
  }
  constexpr std::uint64_t kWindow = 32768;
  const auto channel = peer.attach("t1", {{"window", kWindow}});
  std::uint64_t acked = attached_offset(peer);
  std::uint64_t taken = 0;
  const auto first = peer.next(channel);
  ASSERT_TRUE(first && first->kind == 2);
  EXPECT_GT(first->bytes.size(), kWindow) << "the case in question";
  for (int pieces = 0; pieces < 400; ++pieces) {
    const auto piece = peer.next(channel, seconds(10));
    ASSERT_TRUE(piece) << "stuck after " << taken << " bytes, " << pieces << " frames";
    taken += piece->bytes.size();
    if (piece->offset < acked + kWindow / 2) continue;
    acked = piece->offset;
    peer.ack(channel, acked);
  }
}

TEST_F(NativeTest, CtrlCActsAtOnceOnAFloodIntoASlowClient) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", terminal("t1"));
  constexpr std::uint64_t kWindow = 131072;
  const auto channel = peer.attach("t1", {{"window", kWindow}});
  peer.type(channel, "stty -echo; yes\r");
  std::uint64_t reached = 0;
  for (std::uint64_t taken = 0; taken < 1'000'000;) {
    const auto piece = peer.next(channel);
    ASSERT_TRUE(piece);
    taken += piece->bytes.size();
    peer.ack(channel, reached = piece->offset);
  }
  // It stops taking anything in; the flood goes on meanwhile.
  while (const auto piece = peer.next(channel, milliseconds(50))) reached = piece->offset;
  const auto typed = std::chrono::steady_clock::now();
  peer.type(channel, "\x03");
  peer.type(channel, "echo sto''pped\r");
  peer.ack(channel, reached);
  std::uint64_t bytes = 0;
  std::string text;
  while (text.find("stopped") == std::string::npos) {
    const auto piece = peer.next(channel);
    ASSERT_TRUE(piece);
    bytes += piece->bytes.size();
    peer.ack(channel, piece->offset);
    text = piece->bytes;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - typed, seconds(2));
  // The most that can come: what stood in the window, and a snapshot with its whole history.
  EXPECT_LT(bytes, kWindow + kLargestFrame + 2 * 1024 * 1024);
}

TEST_F(NativeTest, ALosslessViewerGetsEveryByteHoweverSlowItIs) {
  serve();
  const std::uint64_t size = (soaking() ? 150'000'000 : 15'000'000) / 24 * 24;
  NativePeer peer = native_peer();
  // As text, so that nothing in it is a query, which viewers do not get.
  peer.ask("create",
           script("t1", "stty raw -echo; echo ready; head -c 1 >/dev/null; '" SEQUENCE_WRITER "' " +
                            std::to_string(size) + " | base64 -w 0; printf '\\nend'"));
  const auto channel = peer.attach("t1", {{"since", 0}, {"lossless", true}, {"window", 1 << 20}});
  EXPECT_TRUE(peer.attached().at("data").at("lossless").as_bool());
  ASSERT_EQ(peer.output_until(channel, "ready\n"), "ready\n");
  peer.type(channel, "x");
  std::array<int, 256> digit{};
  for (int i = 0; i < 64; ++i)
    digit[static_cast<unsigned char>(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[i])] = i;
  std::string text;
  std::uint64_t checked = 0;
  const auto check = [&] {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 4 <= text.size() && checked + bytes.size() < size; i += 4) {
      unsigned value = 0;
      for (std::size_t k = 0; k < 4; ++k)
        value = value << 6 | static_cast<unsigned>(digit[static_cast<unsigned char>(text[i + k])]);
      for (int shift = 16; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<std::byte>(value >> shift));
    }
    ASSERT_EQ(sequence::mismatch(bytes, checked), bytes.size()) << "after " << checked;
    checked += bytes.size();
    text.erase(0, bytes.size() / 3 * 4);
  };
  std::uint64_t unacked = 0;
  for (int count = 0; checked < size; ++count) {
    // At times it takes nothing in until the window is full.
    const bool pausing = count % 100 > 80;
    if (!pausing && unacked != 0) peer.ack(channel, unacked);
    const auto piece = peer.next(channel, pausing ? milliseconds(20) : seconds(60));
    ASSERT_TRUE(piece || pausing) << "nothing more after " << checked << " bytes";
    if (piece) {
      ASSERT_EQ(piece->kind, 1) << "a snapshot in place of output";
      text += piece->bytes;
      unacked = piece->offset;
      check();
      if (HasFailure()) return;
    }
  }
  if (HasFailure()) return;
  while (text.find("\nend") == std::string::npos) {
    const auto piece = peer.next(channel);
    ASSERT_TRUE(piece);
    text += piece->bytes;
  }
}

TEST_F(NativeTest, ALosslessViewerThatIsGoneHoldsNobodyUp) {
  serve();
  NativePeer other = native_peer();
  other.ask("create", script("t1", "read x; head -c 20000000 /dev/zero | tr '\\0' x; exit 0"));
  NativePeer peer = native_peer();
  const auto channel = peer.attach("t1", {{"lossless", true}, {"window", 65536}});
  peer.type(channel, "\r");
  while (const auto piece = peer.next(channel, milliseconds(100))) {
  }  // It acks nothing, so the program waits.
  EXPECT_TRUE(event_types(other).empty());
  peer.socket().drop();
  EXPECT_EQ(data_number(other.event("exited"), "exitCode"), 0);
}

// --- events
// ----------------------------------------------------------------------------------------------------------

TEST_F(NativeTest, OtherConnectionsOfTheUserHearOfEverything) {
  serve();
  NativePeer actor = native_peer();
  NativePeer other = native_peer();
  actor.ask("create", script("t1", "read x; exit 3"));
  EXPECT_EQ(string_at(other.event("created").at("data").at("terminal").as_object(), "terminalId"),
            "t1");
  actor.ask("create", script("t2", "read x"));
  other.event("created");

  auto answer = actor.ask("rename", {{"terminalId", "t1"}, {"name", "deploy"}});
  EXPECT_EQ(string_at(answer, "type"), "renamed");
  EXPECT_EQ(data_text(other.event("renamed"), "name"), "deploy");

  answer = actor.ask("reorder", {{"terminalIds", json::array{"t2"}}});
  EXPECT_EQ(answer.at("data").at("terminalIds"), (json::array{"t2", "t1"}));
  EXPECT_EQ(other.event("reordered").at("data").at("terminalIds"), (json::array{"t2", "t1"}));
  EXPECT_EQ(terminal_ids(other), (Strings{"t2", "t1"}));

  const auto channel = actor.attach("t1");
  actor.type(channel, "\r");
  EXPECT_EQ(data_number(other.event("exited"), "exitCode"), 3);
  EXPECT_EQ(data_text(actor.event("exited"), "terminalId"), "t1");

  answer = actor.ask("close", {{"terminalId", "t1"}});
  EXPECT_EQ(string_at(answer, "type"), "closed");
  EXPECT_EQ(data_text(answer, "reason"), "user_requested");
  EXPECT_EQ(data_number(answer, "exitCode"), 3);
  EXPECT_EQ(data_text(actor.event("detached"), "reason"), "closed");
  EXPECT_EQ(data_text(other.event("closed"), "terminalId"), "t1");
  EXPECT_TRUE(event_types(actor).empty()) << "who asked gets the answer, not the event too";
  EXPECT_TRUE(event_types(other).empty()) << "everything is told once";
}

TEST_F(NativeTest, WhatOtherProtocolsDoIsToldToo) {
  serve();
  NativePeer peer = native_peer();
  const auto client = compatible();
  create(*client, "a1");
  peer.event("created");
  client->send(message("rename_session", {{"sessionId", "a1"}, {"name", "x"}}));
  peer.event("renamed");
  client->send(message("close_session", {{"sessionId", "a1"}}));
  EXPECT_EQ(data_text(peer.event("closed"), "reason"), "user_requested");
}

// A terminal of the single protocol is its connection's own affair. Its end used to be told to all
// the user's connections, which had never heard of it.
TEST_F(NativeTest, ATerminalThatEndsWithItsConnectionIsNobodyElsesNews) {
  serve();
  NativePeer peer = native_peer();
  {
    const auto alone = single();
    alone->expect("session");
    ASSERT_EQ(health().at("terminals").at("active").as_int64(), 1);
    EXPECT_TRUE(terminal_ids(peer).empty());
  }
  ASSERT_TRUE(eventually([&] { return health().at("viewers").as_int64() == 0; }));
  ASSERT_TRUE(eventually([&] { return children_of(keeper_pid()).empty(); }));
  EXPECT_TRUE(event_types(peer).empty());
}

TEST_F(NativeTest, TheOrderOutlivesTheDaemon) {
  serve();
  {
    NativePeer peer = native_peer();
    for (const char* id : {"a", "b", "c"}) peer.ask("create", script(id, "read x"));
    peer.ask("reorder", {{"terminalIds", json::array{"c", "a"}}});
    peer.ask("rename", {{"terminalId", "b"}, {"name", "second"}});
  }
  kill_daemon();
  serve();
  NativePeer peer = native_peer();
  EXPECT_EQ(terminal_ids(peer), (Strings{"c", "a", "b"}));
  const auto answer = peer.ask("list");
  EXPECT_EQ(answer.at("data").at("terminals").as_array()[2].at("name").as_string(), "second");
}

// --- themes
// ----------------------------------------------------------------------------------------------------------

// Asks the terminal for a colour and prints the answer, readable.
const std::string kAsk =
    "stty raw -echo; while :; do c=$(head -c 2); printf '\\033]%s;?\\033\\\\' \"$c\"; "
    "a=$(head -c 25); printf '<%s>' \"$(printf %s \"$a\" | tr -d '\\033\\\\')\"; done";

TEST_F(NativeTest, ProgramsAreToldTheColoursOfWhoControlsTheirTerminal) {
  serve();
  NativePeer first = native_peer();
  first.tell("theme", {{"foreground", "#112233"}, {"background", "#445566"}});
  first.ask("create", script("t1", kAsk));
  const auto channel = first.attach("t1", {{"since", 0}});
  first.type(channel, "10");
  (void)first.output_until(channel, "<]10;rgb:1111/2222/3333>");
  first.type(channel, "11");
  (void)first.output_until(channel, "<]11;rgb:4444/5555/6666>");

  // Who only looks has no say.
  NativePeer second = native_peer();
  second.tell("theme", {{"foreground", "#aabbcc"}});
  const auto view = second.attach("t1", {{"role", "view"}});
  first.type(channel, "10");
  (void)first.output_until(channel, "<]10;rgb:1111/2222/3333>");
  // Who comes to control has.
  second.ask("role", {{"channel", view}, {"role", "control"}});
  second.type(view, "10");
  (void)second.output_until(view, "<]10;rgb:aaaa/bbbb/cccc>");
  // And the first again once it types.
  first.type(channel, "10");
  (void)first.output_until(channel, "<]10;rgb:1111/2222/3333>");
}

// --- errors
// ----------------------------------------------------------------------------------------------------------

TEST_F(NativeTest, EveryMistakeIsAnsweredWithItsCodeAndTheConnectionGoesOn) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", terminal("t1"));
  const auto channel = peer.attach("t1");
  const struct {
    const char* sent;
    const char* code;
  } cases[] = {
      {"", "malformed"},
      {"{", "malformed"},
      {"[]", "malformed"},
      {"{}", "malformed"},
      {R"({"type":1})", "malformed"},
      {R"({"type":"ping","data":7})", "malformed"},
      {R"({"type":"ping","request":{}})", "malformed"},
      {R"({"type":"ping","request":1.5})", "malformed"},
      {R"({"type":"frobnicate"})", "unsupported"},
      {R"({"type":"session_open"})", "unsupported"},
      {R"({"type":"ui_answer"})", "unsupported"},
      {R"({"type":"create","data":{"terminalId":"t1"}})", "already_exists"},
      {R"({"type":"create","data":{"terminalId":"-"}})", "invalid_argument"},
      {R"({"type":"create","data":{"rows":0}})", "invalid_argument"},
      {R"({"type":"create","data":{"rows":501}})", "invalid_argument"},
      {R"({"type":"create","data":{"cols":"80"}})", "invalid_argument"},
      {R"({"type":"create","data":{"command":"ls"}})", "invalid_argument"},
      {R"({"type":"create","data":{"command":[7]}})", "invalid_argument"},
      {R"({"type":"create","data":{"env":{"A-B":"x"}}})", "invalid_argument"},
      {R"({"type":"create","data":{"env":{"A":7}}})", "invalid_argument"},
      {R"({"type":"create","data":{"name":"a\nb"}})", "invalid_argument"},
      {R"({"type":"attach"})", "invalid_argument"},
      {R"({"type":"attach","data":{"terminalId":"none"}})", "not_found"},
      {R"({"type":"attach","data":{"terminalId":"t1","role":"boss"}})", "invalid_argument"},
      {R"({"type":"attach","data":{"terminalId":"t1","window":7}})", "invalid_argument"},
      {R"({"type":"attach","data":{"terminalId":"t1","window":67108865}})", "invalid_argument"},
      {R"({"type":"attach","data":{"terminalId":"t1","lossless":"yes"}})", "invalid_argument"},
      {R"({"type":"attach","data":{"terminalId":"t1","since":-4}})", "invalid_argument"},
      {R"({"type":"detach","data":{"channel":77}})", "not_found"},
      {R"({"type":"detach","data":{"channel":0}})", "invalid_argument"},
      {R"({"type":"detach"})", "invalid_argument"},
      {R"({"type":"resize","data":{"channel":77,"rows":3,"cols":3}})", "not_found"},
      {R"({"type":"resize","data":{"channel":1,"rows":3}})", "invalid_argument"},
      {R"({"type":"resize","data":{"channel":1,"rows":3,"cols":501}})", "invalid_argument"},
      {R"({"type":"focus","data":{"channel":77}})", "not_found"},
      {R"({"type":"role","data":{"channel":77,"role":"view"}})", "not_found"},
      {R"({"type":"role","data":{"channel":1}})", "invalid_argument"},
      {R"({"type":"theme","data":{"foreground":"red"}})", "invalid_argument"},
      {R"({"type":"theme","data":{"palette":["#000000"]}})", "invalid_argument"},
      {R"({"type":"rename","data":{"terminalId":"none","name":"x"}})", "not_found"},
      {R"({"type":"rename","data":{"terminalId":"t1"}})", "invalid_argument"},
      {R"({"type":"reorder","data":{"terminalIds":["t1","t1"]}})", "invalid_argument"},
      {R"({"type":"reorder","data":{"terminalIds":["none"]}})", "not_found"},
      {R"({"type":"reorder"})", "invalid_argument"},
      {R"({"type":"close","data":{"terminalId":"none"}})", "not_found"},
      {R"({"type":"close"})", "invalid_argument"},
  };
  for (const auto& each : cases) {
    peer.socket().send_text(each.sent);
    peer.ask("ping");
    const auto said = peer.events();
    // `close` is answered when it is done.
    const auto error = said.empty() ? peer.event("error") : said.front();
    EXPECT_EQ(data_text(error, "code"), each.code) << each.sent << json::serialize(error);
    EXPECT_NE(data_text(error, "error"), "") << each.sent;
  }
  peer.type(channel, "echo $((6*7))\r");
  (void)peer.output_until(channel, "42");
}

TEST_F(NativeTest, FramesThatCannotBeAreAnsweredAndTheConnectionGoesOn) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", terminal("t1"));
  const auto channel = peer.attach("t1");
  const auto frame = [&](char kind, std::uint32_t on) {
    std::string bytes = input_frame(on, "x");
    bytes[0] = kind;
    return bytes;
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "malformed"},
      {input_frame(channel, "").substr(0, 12), "malformed"},
      {frame(0, channel), "unsupported"},
      {frame(5, channel), "unsupported"},
      {frame(9, channel), "unsupported"},
      {input_frame(77, "x"), "not_found"},
      {ack_frame(77, 1), "not_found"},
  };
  for (const auto& [bytes, code] : cases) {
    peer.socket().send_binary(bytes);
    EXPECT_EQ(data_text(peer.event("error"), "code"), code);
  }
  for (const char kind : {1, 2}) {
    peer.socket().send_binary(frame(kind, channel));
    EXPECT_NE(data_text(peer.event("error"), "code"), "") << "a server's kind";
  }
  peer.type(channel, "echo $((6*7))\r");
  (void)peer.output_until(channel, "42");
}

TEST_F(NativeTest, ARequestIsRepeatedAsItWasGiven) {
  serve();
  const auto client = native();
  client->expect("welcome");
  client->send_text(R"({"type":"ping","request":"r-1\u00e4"})");
  EXPECT_EQ(string_at(client->expect("pong"), "request"), "r-1ä");
  client->send_text(R"({"type":"ping","request":-7})");
  EXPECT_EQ(client->expect("pong").at("request").as_int64(), -7);
  client->send_text(R"({"type":"close","request":"c","data":{"terminalId":"none"}})");
  EXPECT_EQ(string_at(client->expect("error"), "request"), "c");
}

TEST_F(NativeTest, AProgramThatCannotBeRunCreatesNothing) {
  serve();
  NativePeer peer = native_peer();
  for (json::object request :
       {terminal("t1", {"/no/such/program"}), json::object{{"workDir", "/no/such/place"}}}) {
    const auto answer = peer.ask("create", request);
    EXPECT_EQ(string_at(answer, "type"), "error");
    EXPECT_NE(data_text(answer, "error").find("/no/such"), std::string::npos)
        << json::serialize(answer);
  }
  EXPECT_TRUE(terminal_ids(peer).empty());
}

TEST_F(NativeTest, BytesAreCarriedAsTheyAre) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", script("t1",
                            "stty raw -echo; printf 'a\\377\\303(\\200b'; head -c 4 | od "
                            "-An -tx1; read x"));
  const auto channel = peer.attach("t1", {{"since", 0}});
  (void)peer.output_until(channel,
                          "a\xff\xc3(\x80"
                          "b");
  peer.type(channel, std::string("\x00\xff\xc3(", 4));
  (void)peer.output_until(channel, "00 ff c3 28");
}

}  // namespace
}  // namespace e2e
