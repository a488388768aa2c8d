// The compatible protocol: input, text, and what is no message (docs/protocol.md).

#include <fstream>

#include "end_to_end/protocol_fixture.h"

namespace e2e {
namespace {

class CompatibleMessagesTest : public ProtocolTest {};

// --- input, resize

TEST_F(CompatibleMessagesTest, WithoutAnIdTheOnlyAttachedTerminalIsMeant) {
  serve();
  const auto client = compatible();
  EXPECT_EQ(refused(*client, message("input", {{"data", "x"}})).error, "session id required");
  EXPECT_EQ(refused(*client, message("resize", {{"rows", 30}})).error, "session id required");
  create(*client, "a1");
  client->send(message("resize", {{"rows", 33}, {"cols", 99}}));
  client->send(message("input", {{"data", "stty size\r"}}));
  (void)output_until(*client, "33 99");
  create(*client, "a2");
  const auto refusal = refused(*client, message("input", {{"data", "x"}}));
  EXPECT_EQ(refusal.error, "session id required");
  EXPECT_NE(refusal.details.find('2'), std::string::npos);
  EXPECT_EQ(refused(*client, message("resize", {{"rows", 30}})).error, "session id required");
}

TEST_F(CompatibleMessagesTest, WithAnIdAnyTerminalOfTheUserIsReached) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  const auto other = compatible();
  other->send(message("resize", {{"rows", 35}, {"cols", 120}}, "a1"));
  other->send(input("a1", "stty size\r"));
  (void)output_until(*client, "35 120");
  // In `data` it is understood, too.
  other->send(message("input", {{"sessionId", "a1"}, {"data", "echo $((6*7))\r"}}));
  (void)output_until(*client, "42");
  EXPECT_TRUE(until_pong(*other).empty()) << "neither is answered";
  EXPECT_EQ(refused(*other, input("none", "x")), (Refusal{"session not found", ""}));
  other->send(message("resize", {{"rows", 3}}, "none"));
  EXPECT_TRUE(until_pong(*other).empty()) << "a size of what is not there is ignored";
}

TEST_F(CompatibleMessagesTest, InputIsUtf8AndMayBeLarge) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  // What is typed before the mode is raw would be edited as a line.
  type(*client, "a1",
       "stty raw -echo; echo re''ady; head -c 800000 | md5sum; stty sane; echo d''one", "ready");
  std::string text;
  while (text.size() < 400000) text += "äöü€𝄞\x01\x7f\r";
  std::ofstream(dir() / "sent") << text << text;
  client->send(input("a1", text));
  client->send(input("a1", text));
  const std::string seen = output_until(*client, "done\r\n");
  const auto wanted = Process({"md5sum", dir() / "sent"}).wait().output.substr(0, 32);
  EXPECT_NE(seen.find(wanted), std::string::npos) << seen;
}

// --- ping, and what is no message

TEST_F(CompatibleMessagesTest, APingIsAnsweredWithItsId) {
  serve();
  const auto client = compatible();
  client->send_text(R"({"type":"ping","sessionId":"any.id_1"})");
  EXPECT_EQ(string_at(client->expect("pong"), "sessionId"), "any.id_1");
  client->send_text(R"({"type":"ping"})");
  EXPECT_FALSE(client->expect("pong").contains("sessionId"));
}

TEST_F(CompatibleMessagesTest, WhateverIsSentIsAnsweredAndTheConnectionGoesOn) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  const std::string deep(33, '[');
  std::string many = R"({"type":"ping","data":{"x":[0)";
  for (int i = 0; i < 10001; ++i) many += ",0";
  many += "]}}";
  const struct {
    std::string sent;
    const char* error;
  } cases[] = {
      {"", "malformed JSON"},
      {"{", "malformed JSON"},
      {"{} {}", "malformed JSON"},
      {"nonsense", "malformed JSON"},
      {R"({"type":)" + deep, "malformed JSON"},
      {many, "malformed JSON"},
      {"[]", "invalid message"},
      {"42", "invalid message"},
      {"null", "invalid message"},
      {"{}", "invalid message"},
      {R"({"type":7})", "invalid message"},
      {R"({"type":"ping","data":[]})", "invalid message"},
      {R"({"type":"frobnicate"})", "unknown message type"},
      {R"({"type":""})", "unknown message type"},
      {R"({"type":"session_created"})", "unknown message type"},
      {R"({"type":"create_session"})", "invalid session id"},
      {R"({"type":"create_session","data":{"sessionId":""}})", "invalid session id"},
      {R"({"type":"create_session","data":{"sessionId":"-x"}})", "invalid session id"},
      {R"({"type":"create_session","data":{"sessionId":"a/b"}})", "invalid session id"},
      {R"({"type":"create_session","data":{"sessionId":7}})", "invalid session id"},
      {R"({"type":"create_session","data":{"sessionId":")" + std::string(129, 'a') + R"("}})",
       "invalid session id"},
      {R"({"type":"create_session","data":{"sessionId":"b","name":7}})", "invalid name"},
      {R"({"type":"create_session","data":{"sessionId":"b","workDir":7}})", "invalid message"},
      {R"({"type":"create_session","data":{"sessionId":"b","workDir":"a\u0000b"}})",
       "invalid message"},
      {R"({"type":"reattach_session"})", "invalid session id"},
      {R"({"type":"reattach_session","data":{"sessionId":"a1","since":-1}})", "invalid message"},
      {R"({"type":"reattach_session","data":{"sessionId":"a1","since":"x"}})", "invalid message"},
      {R"({"type":"reattach_session","data":{"sessionId":"a1","takeover":1}})", "invalid message"},
      {R"({"type":"reattach_session","data":{"sessionId":"none"}})", "session not found"},
      {R"({"type":"input","sessionId":"a1"})", "invalid message"},
      {R"({"type":"input","sessionId":"a1","data":{"data":7}})", "invalid message"},
      {R"({"type":"input","sessionId":7,"data":{"data":"x"}})", "invalid session id"},
      {R"({"type":"rename_session","data":{"name":"x"}})", "invalid session id"},
      {R"({"type":"close_session"})", "invalid session id"},
      {R"({"type":"close_session","data":{"sessionId":"none"}})", "session not found"},
  };
  for (const auto& each : cases) {
    const auto refusal = refused_text(*client, each.sent);
    EXPECT_EQ(refusal.error, each.error) << each.sent.substr(0, 100);
    if (refusal.error != "session not found") {
      EXPECT_NE(refusal.details, "") << each.sent.substr(0, 100);
    }
  }
  client->send_binary(R"({"type":"ping"})");
  EXPECT_EQ(data_text(client->expect("error"), "error"), "invalid message");
  type(*client, "a1", "echo $((6*7))", "42");
}

TEST_F(CompatibleMessagesTest, AnErrorCarriesTheIdItIsAbout) {
  serve();
  const auto client = compatible();
  client->send(message("close_session", {{"sessionId", "none"}}));
  EXPECT_EQ(string_at(client->expect("error"), "sessionId"), "none");
  client->send(input("none", "x"));
  const auto refused = client->expect("error");
  EXPECT_FALSE(refused.contains("sessionId")) << "a client would give the terminal up";
  EXPECT_EQ(data_text(refused, "sessionId"), "none");
  client->send_text(R"({"type":"nonsense","sessionId":"a1"})");
  EXPECT_EQ(string_at(client->expect("error"), "sessionId"), "a1");
  client->send_text("{");
  EXPECT_FALSE(client->expect("error").contains("sessionId"));
}

TEST_F(CompatibleMessagesTest, TextThatIsNotUtf8EndsOnlyThisConnection) {
  serve();
  const auto staying = compatible();
  create(*staying, "a1");
  const auto client = compatible();
  // RFC 6455 has the receiver of a text frame that is not UTF-8 fail the connection.
  client->send_text("{\"type\":\"ping\",\"sessionId\":\"\xff\"}");
  EXPECT_FALSE(client->receive());
  type(*staying, "a1", "echo $((6*7))", "42");
}

TEST_F(CompatibleMessagesTest, AMessageOverAMebibyteEndsTheConnectionWith1009) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  client->send(message("ping", {{"x", std::string(1048576 - 100, 'x')}}));
  client->expect("pong");
  try {
    client->send(message("ping", {{"x", std::string(1048576, 'x')}}));
  } catch (const std::exception&) {  // Closed while it was being written.
  }
  EXPECT_EQ(client->close_code(), 1009);
  const auto other = compatible();
  reattached(*other, reattach("a1"));
}

// --- text

TEST_F(CompatibleMessagesTest, CharactersWrittenByteByByteAreNeverSplit) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  client->send(input("a1",
                     "stty -echo; i=0; while [ $i -lt 7500 ]; do "
                     "printf '\\303'; printf '\\244'; printf '\\342'; printf '\\202'; "
                     "printf '\\254'; printf '\\360'; printf '\\235'; printf '\\204'; "
                     "printf '\\236'; i=$((i+1)); done; echo en''d\r"));
  std::string text;
  while (text.find("end\r\n") == std::string::npos) {
    // Parsing refuses what is not UTF-8.
    const auto output = client->expect("output");
    text += text_of(output);
  }
  EXPECT_EQ(text.find("\xef\xbf\xbd"), std::string::npos) << "a part became U+FFFD";
  std::string wanted;
  for (int i = 0; i < 7500; ++i) wanted += "ä€𝄞";
  EXPECT_NE(text.find(wanted), std::string::npos);
}

// An offset never stands inside a character, wherever the connection breaks.
TEST_F(CompatibleMessagesTest, AHalfCharacterWaitsForItsOtherHalfAcrossAReattach) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "stty -echo; printf 'st''art\\342\\202'; read x; printf '\\254y\\n'",
       "start");
  std::uint64_t offset = 0;
  std::string shown;
  ASSERT_TRUE(eventually([&] {
    const auto now = reattached(*client, reattach("a1"));
    const auto before = std::exchange(offset, data_number(now, "offset"));
    shown = text_of(now);
    return offset == before && shown.find("star") != std::string::npos;
  })) << shown;
  const auto other = compatible();
  EXPECT_EQ(text_of(reattached(*other, reattach("a1", offset))), "");
  client->send(input("a1", "\r"));
  EXPECT_NE(output_until(*other, "y").find("€y"), std::string::npos);
  EXPECT_NE(output_until(*client, "y").find("€y"), std::string::npos);
}

TEST_F(CompatibleMessagesTest, BytesThatAreNoUtf8BecomeReplacementCharacters) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  const std::string text =
      type(*client, "a1", "printf 'a\\377b\\303(c\\360\\235z\\340\\200e\\n'; echo en''d", "end");
  EXPECT_NE(text.find("a\uFFFDb\uFFFD(c\uFFFDz\uFFFD\uFFFDe"), std::string::npos) << text;
}

TEST_F(CompatibleMessagesTest, GarbageLeavesEverythingWorking) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  create(*client, "a2");
  // What the garbage asks the terminal is answered into `cat`, not into the shell; and one process
  // says "end" and becomes `cat`, so that the interrupt below cannot reach the shell between two
  // commands.
  client->send(
      input("a1",
            "PS1='# '; stty -echo; head -c 1000000 /dev/urandom; printf '\\030\\033\\\\\\033c'; "
            "sh -c \"echo en''d; exec cat >/dev/null\"\r"));
  (void)output_until(*client, "end\r\n", seconds(60));
  // A shell may forget what it is sent while it deals with an interrupt.
  client->send(input("a1", "\x03"));
  (void)output_until(*client, "# ");
  client->send(input("a1", "echo aft''er\r"));
  (void)output_until(*client, "after");
  client->send(input("a2", "echo ot''her\r"));
  (void)output_until(*client, "other");
  const auto scrollback = text_of(reattached(*client, reattach("a1")));
  EXPECT_NE(scrollback.find("after"), std::string::npos);
  EXPECT_EQ(sessions_of(*client).size(), 2U);
}

}  // namespace
}  // namespace e2e
