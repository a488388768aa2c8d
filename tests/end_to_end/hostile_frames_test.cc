// Frames that no honest client sends: each ends its own connection, with a reason, and nothing
// else.

#include "end_to_end/hostile_fixture.h"

namespace e2e {
namespace {

const std::vector<std::string> kPaths{"/terminal/ws/multi", "/terminal/ws", "/ws"};

class HostileFramesTest : public HostileTest {
 protected:
  // Sends that to each protocol; the connection must end with a goodbye that has that code.
  void expect_code(const std::string& bytes, int code, const std::string& what) {
    for (const std::string& path : kPaths) {
      RawConnection connection = upgraded(path);
      connection.send(bytes);
      EXPECT_TRUE(connection.is_ended()) << what << " " << path;
      const std::string goodbye{static_cast<char>(code >> 8), static_cast<char>(code & 0xff)};
      const std::string& received = connection.receive_until("");
      const auto close = received.rfind('\x88');
      ASSERT_NE(close, std::string::npos) << what << " " << path;
      EXPECT_EQ(received.substr(close + 2, 2), goodbye) << what << " " << path;
    }
  }
};

TEST_F(HostileFramesTest, MalformedFramesEndTheirConnectionWith1002) {
  serve();
  begin_bystander();
  const std::string ping = R"({"type":"ping"})";
  expect_code(RawFrame{.payload = ping, .is_masked = false}.bytes(), 1002, "not masked");
  for (int reserved = 1; reserved < 8; ++reserved)
    expect_code(RawFrame{.payload = ping, .reserved = reserved}.bytes(), 1002, "reserved bits");
  for (const int opcode : {3, 7, 11, 15})
    expect_code(RawFrame{.opcode = opcode, .payload = ping}.bytes(), 1002, "unknown opcode");
  expect_code(RawFrame{.opcode = 9, .payload = "x", .is_last = false}.bytes(), 1002,
              "a ping in pieces");
  expect_code(RawFrame{.opcode = 9, .payload = std::string(126, 'x')}.bytes(), 1002, "a long ping");
  expect_code(RawFrame{.opcode = 0, .payload = ping}.bytes(), 1002, "the rest of nothing");
  expect_code(RawFrame{.payload = "{", .is_last = false}.bytes() + RawFrame{.payload = "}"}.bytes(),
              1002, "a message within a message");
  expect_code(RawFrame{.opcode = 8, .payload = "x"}.bytes(), 1002, "half a close code");
  expect_untouched();
}

TEST_F(HostileFramesTest, ALengthThatIsClaimedTakesNoMemory) {
  serve();
  begin_bystander();
  const long before = resident_kib();
  std::vector<std::string> lengths;
  for (const unsigned char first : {0x00, 0x00, 0x00, 0x7f}) {
    std::string frame = "\x82\xff";
    frame += static_cast<char>(first);
    frame += lengths.size() == 1 ? std::string("\x00\x00\x01\x00\x00\x00\x00", 7)
                                 : std::string(7, '\x7f');
    lengths.push_back(frame + "mask");
  }
  for (const std::string& frame : lengths) expect_code(frame, 1009, "a huge length");
  expect_growth_below(20'000, before);
  expect_untouched();
}

TEST_F(HostileFramesTest, OversizedMessagesInManyPieces) {
  serve();
  begin_bystander();
  std::string pieces = RawFrame{.payload = std::string(65536, 'x'), .is_last = false}.bytes();
  for (int i = 0; i < 17; ++i)
    pieces += RawFrame{.opcode = 0, .payload = std::string(65536, 'x'), .is_last = false}.bytes();
  expect_code(pieces, 1009, "a message over a mebibyte in pieces");
  expect_untouched();
}

// A message may come a byte at a time, with pings between.
TEST_F(HostileFramesTest, FragmentsAreOneMessage) {
  serve();
  const std::string text = R"({"type":"ping","sessionId":"fragmented"})";
  RawConnection connection = upgraded();
  for (std::size_t i = 0; i < text.size(); ++i) {
    connection.send(RawFrame{
        .opcode = i == 0 ? 1 : 0, .payload = text.substr(i, 1), .is_last = i + 1 == text.size()}
                        .bytes());
    connection.send(RawFrame{.opcode = 9, .payload = "p"}.bytes());
  }
  EXPECT_NE(connection.receive_until("fragmented").find(R"({"type":"pong")"), std::string::npos);
}

// A bomb of a few kilobytes that unpacks to megabytes needs an extension that is not offered.
TEST_F(HostileFramesTest, CompressionIsNeverAgreedTo) {
  serve();
  begin_bystander();
  for (const std::string& path : kPaths) {
    RawConnection connection(port());
    connection.send(upgrade_request(
        port(), path, token(),
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"));
    EXPECT_EQ(connection.status(), 101) << path;
    const std::string& answer = connection.receive_until("\r\n\r\n");
    EXPECT_EQ(answer.find("permessage-deflate"), std::string::npos) << path;
  }
  expect_code(RawFrame{.payload = std::string(1000, '\xaa'), .reserved = 4}.bytes(), 1002,
              "a compressed frame");
  expect_untouched();
}

TEST_F(HostileFramesTest, PingsAreCountedAsMessages) {
  serve({"--message-rate-limit", "10", "--message-burst-limit", "100"});
  RawConnection connection = upgraded();
  std::string pings;
  for (int i = 0; i < 1000; ++i) pings += RawFrame{.opcode = 9, .payload = "p"}.bytes();
  connection.send(pings);
  EXPECT_NE(connection.receive_until("too many messages").find("too many messages"),
            std::string::npos);
  EXPECT_TRUE(connection.is_ended());
}

}  // namespace
}  // namespace e2e
