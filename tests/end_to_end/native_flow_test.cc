// The native protocol: roles, sizes, windows and lossless viewers (docs/protocol.md).

#include "end_to_end/native_fixture.h"
#include "programs/sequence.h"

namespace e2e {
namespace {

class NativeFlowTest : public NativeTest {};

// --- roles, sizes

TEST_F(NativeFlowTest, WhoOnlyViewsChangesNothing) {
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

TEST_F(NativeFlowTest, AResizeStandsBetweenTheFramesWhereItHappened) {
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

TEST_F(NativeFlowTest, WhoIsFocusedDecidesTheSize) {
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

constexpr std::uint64_t kLargestFrame = 64 * 1024;

TEST_F(NativeFlowTest, WithoutAcksNoMoreThanTheWindowIsSent) {
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
    bool is_over_window = false;
    // What is on its way, or most of it: the rest comes in the next round.
    while (const auto piece = peer.next(channel, milliseconds(reached == acked ? 5000 : 20))) {
      EXPECT_FALSE(is_over_window) << "what follows a snapshot over the window waits for an ack";
      if (piece->kind == 2) is_over_window = piece->offset > acked + kWindow;
      if (piece->kind == 1) {
        EXPECT_LE(piece->offset, acked + kWindow);
      }
      reached = piece->offset;
    }
    ASSERT_GT(reached, acked) << "after an ack it goes on";
    peer.ack(channel, reached);
    peer.ack(channel, reached / 2);  // One that goes back is ignored.
  }
  peer.ack(channel, reached + 1'000'000'000);  // One beyond counts as what was sent.
  EXPECT_TRUE(peer.next(channel, seconds(5)));
}

// A client need not ack more often than each half of the window (docs/protocol.md). The server
// used to wait with a snapshot until everything was acked, and counted the first snapshot against
// the window although `attached` acks its offset: such a client then waited for the server, and the
// server for it.
TEST_F(NativeFlowTest, AcksOfEachHalfWindowAreEnough) {
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
  constexpr std::uint64_t kWindow = 16384;
  const auto channel = peer.attach("t1", {{"window", kWindow}});
  std::uint64_t acked = attached_offset(peer);
  // The snapshot, too: the flood went on between the answer and it.
  const auto ack_half_windows = [&](const NativePeer::Piece& piece) {
    if (piece.offset < acked + kWindow / 2) return;
    acked = piece.offset;
    peer.ack(channel, acked);
  };
  std::uint64_t taken = 0;
  const auto first = peer.next(channel);
  ASSERT_TRUE(first && first->kind == 2);
  EXPECT_GT(first->bytes.size(), kWindow) << "the case in question";
  ack_half_windows(*first);
  for (int pieces = 0; pieces < 400; ++pieces) {
    const auto piece = peer.next(channel, seconds(10));
    ASSERT_TRUE(piece) << "stuck after " << taken << " bytes, " << pieces << " frames";
    taken += piece->bytes.size();
    ack_half_windows(*piece);
  }
}

TEST_F(NativeFlowTest, CtrlCActsAtOnceOnAFloodIntoASlowClient) {
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

TEST_F(NativeFlowTest, ALosslessViewerGetsEveryByteHoweverSlowItIs) {
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

TEST_F(NativeFlowTest, ALosslessViewerThatIsGoneHoldsNobodyUp) {
  serve();
  NativePeer other = native_peer();
  other.ask("create", script("t1", "read x; head -c 20000000 /dev/zero | tr '\\0' x; exit 0"));
  NativePeer peer = native_peer();
  const auto channel = peer.attach("t1", {{"lossless", true}, {"window", 65536}});
  peer.type(channel, "\r");
  while (const auto piece = peer.next(channel, milliseconds(100))) {
  }  // It acks nothing, so the program waits.
  EXPECT_EQ(std::ranges::count(event_types(other), "exited"), 0);
  peer.socket().drop();
  EXPECT_EQ(data_number(other.event("exited"), "exitCode"), 0);
}

}  // namespace
}  // namespace e2e
