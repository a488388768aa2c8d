// The compatible protocol: every message, every error, every rule of docs/protocol.md.

#include <signal.h>

#include <fstream>

#include "end_to_end/protocol_fixture.h"

namespace e2e {
namespace {

class CompatibleTest : public ProtocolTest {};

using Strings = std::vector<std::string>;

json::value with_size(json::value rows, json::value cols) {
  json::object data{{"sessionId", "a1"}};
  if (!rows.is_null()) data["rows"] = std::move(rows);
  if (!cols.is_null()) data["cols"] = std::move(cols);
  return data;
}

// --- create_session
// --------------------------------------------------------------------------------------------------

TEST_F(CompatibleTest, CreateTellsTheDirectoryAndTheShell) {
  serve();
  const auto client = compatible();
  client->send(message("create_session", {{"sessionId", "a1"},
                                          {"rows", 30},
                                          {"cols", 100},
                                          {"name", "build"},
                                          {"workDir", dir().string()}}));
  const auto created = client->expect("session_created");
  EXPECT_EQ(string_at(created, "sessionId"), "a1");
  EXPECT_EQ(data_text(created, "sessionId"), "a1");
  EXPECT_EQ(data_text(created, "workingDirectory"), dir());
  EXPECT_EQ(data_text(created, "shell"), "/bin/sh");
  type(*client, "a1", "pwd; stty size", "30 100");
  EXPECT_EQ(string_at(sessions_of(*client).at(0), "name"), "build");
}

TEST_F(CompatibleTest, ADirectoryThatCannotBeEnteredCreatesNothing) {
  serve();
  const auto client = compatible();
  const auto file = dir() / "file";
  std::ofstream(file) << "x";
  for (const std::string& wrong : {std::string("/no/such/place"), file.string()}) {
    const auto refusal =
        refused(*client, message("create_session", {{"sessionId", "a1"}, {"workDir", wrong}}));
    EXPECT_EQ(refusal.error, "cannot create session");
    EXPECT_NE(refusal.details.find(wrong), std::string::npos) << refusal;
  }
  EXPECT_TRUE(sessions_of(*client).empty());
  create(*client, "a1");
  EXPECT_EQ(session_ids(*client), Strings{"a1"}) << "the id is free";
}

TEST_F(CompatibleTest, SizesThatCannotBeFallBackEachByItself) {
  serve();
  const auto client = compatible();
  const struct {
    json::value rows, cols;
    const char* expected;
  } cases[] = {
      {nullptr, 100, "24 100"}, {30, nullptr, "30 80"}, {0, 100, "24 100"},  {30, 501, "30 80"},
      {-1, 500, "24 500"},      {30, "100", "30 80"},   {30.5, 99, "24 99"}, {30.0, 99, "30 99"},
  };
  for (const auto& each : cases) {
    client->send(message("create_session", with_size(each.rows, each.cols).as_object()));
    client->expect("session_created");
    type(*client, "a1", "stty size", each.expected);
    client->send(message("close_session", {{"sessionId", "a1"}}));
    client->expect("session_closed");
  }
  create(*client, "a1");
  client->send(message("resize", {{"rows", 31}, {"cols", 101}}, "a1"));
  type(*client, "a1", "stty size", "31 101");
  client->send(message("resize", {{"rows", 1000}, {"cols", 102}}, "a1"));
  type(*client, "a1", "stty size", "24 102");
  client->send(message("reattach_session", {{"sessionId", "a1"}, {"rows", "x"}, {"cols", 103}}));
  client->expect("scrollback");
  type(*client, "a1", "stty size", "24 103");
  client->send(message("resize", {{"rows", 41}, {"cols", 141}}, "a1"));
  client->send(message("reattach_session", {{"sessionId", "a1"}}));
  client->expect("scrollback");
  type(*client, "a1", "stty size", "41 141");
}

TEST_F(CompatibleTest, AnIdInUseIsRefusedAndItsTerminalUntouched) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  EXPECT_EQ(refused(*client, create_session("a1")), (Refusal{"session already exists", ""}));
  type(*client, "a1", "echo $((6*7))", "42");
}

// --- list_sessions
// ---------------------------------------------------------------------------------------------------

TEST_F(CompatibleTest, TheListHasEveryFieldInOrderOfCreation) {
  serve();
  const auto client = compatible();
  EXPECT_TRUE(sessions_of(*client).empty());
  for (const char* id : {"z", "m", "a"}) create(*client, id);
  client->send(message("create_session", {{"sessionId", "B"}, {"name", "the näme"}}));
  client->expect("session_created");
  client->send(input("m", "exit 5\r"));
  client->expect("session_closed");
  EXPECT_EQ(session_ids(*client), (Strings{"z", "m", "a", "B"}));

  const auto sessions = sessions_of(*client);
  for (const auto& each : sessions) {
    EXPECT_TRUE(is_time(string_at(each, "createdAt"))) << json::serialize(each);
    EXPECT_TRUE(is_time(string_at(each, "lastActivityAt"))) << json::serialize(each);
    EXPECT_LE(string_at(each, "createdAt"), string_at(each, "lastActivityAt"));
  }
  EXPECT_EQ(string_at(sessions[0], "status"), "running");
  EXPECT_FALSE(sessions[0].contains("exitCode"));
  EXPECT_FALSE(sessions[0].contains("name"));
  EXPECT_NE(string_at(sessions[0], "workingDirectory"), "");
  EXPECT_EQ(string_at(sessions[1], "status"), "exited");
  EXPECT_EQ(sessions[1].at("exitCode").as_int64(), 5);
  EXPECT_EQ(string_at(sessions[3], "name"), "the näme");
}

TEST_F(CompatibleTest, ActivityMovesWithTheOutput) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  const std::string before = string_at(sessions_of(*client).at(0), "lastActivityAt");
  EXPECT_TRUE(eventually([&] {
    type(*client, "a1", "echo $((6*7))", "42");
    return string_at(sessions_of(*client).at(0), "lastActivityAt") > before;
  }));
}

TEST_F(CompatibleTest, TheListFollowsTheShellsDirectory) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "cd /usr/lib; echo $((6*7))", "42");
  EXPECT_EQ(string_at(sessions_of(*client).at(0), "workingDirectory"), "/usr/lib");
}

// --- reattach_session
// ------------------------------------------------------------------------------------------------

constexpr const char* kCount =
    "stty -echo; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo \"<$i>\"; done; echo e''nd";

TEST_F(CompatibleTest, ExactlyOneScrollbackFollowsAndNothingFallsBetweenItAndTheOutput) {
  serve();
  const auto first = compatible();
  create(*first, "a1");
  std::string whole = type(*first, "a1", kCount, "<100>");
  const auto client = compatible();
  client->send(reattach("a1"));
  EXPECT_EQ(string_at(client->receive()->object(), "type"), "session_reattached");
  const auto scrollback = client->receive()->object();
  EXPECT_EQ(string_at(scrollback, "type"), "scrollback") << "no output comes between";
  EXPECT_EQ(string_at(scrollback, "sessionId"), "a1");
  EXPECT_TRUE(text_of(scrollback).starts_with(kReset));
  EXPECT_FALSE(scrollback.at("data").as_object().contains("resumed"));
  const std::uint64_t offset = data_number(scrollback, "offset");
  std::string after;
  std::uint64_t reached = offset;
  while (after.find("end\r\n") == std::string::npos) {
    const auto output = client->receive()->object();
    ASSERT_EQ(string_at(output, "type"), "output") << "one scrollback";
    after += text_of(output);
    reached += text_of(output).size();
    EXPECT_EQ(data_number(output, "offset"), static_cast<std::int64_t>(reached));
  }
  whole += output_until(*first, "end\r\n");
  const std::size_t end = whole.find("end\r\n");
  EXPECT_TRUE(whole.substr(offset, end - offset) == after.substr(0, after.find("end\r\n")))
      << "a gap or a repeat";
  // The last line may be half there.
  const auto numbers = numbers_in(plain(text_of(scrollback)));
  ASSERT_GE(numbers.size(), 100U);
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i)
    ASSERT_EQ(numbers[i], static_cast<int>(i) + 1) << "the whole history, in order";
}

// What a client gets in pieces, with a break of the connection after each, is what one that stays
// gets.
TEST_F(CompatibleTest, SinceGivesJustTheMissingBytes) {
  serve();
  const auto staying = compatible();
  create(*staying, "a1");
  staying->send(input("a1", std::string(kCount) + "\r"));
  auto client = compatible();
  auto first = reattached(*client, reattach("a1", 0));
  std::string pieces = text_of(first);
  EXPECT_TRUE(first.at("data").at("resumed").as_bool());
  std::uint64_t offset = data_number(first, "offset");
  for (int broken = 0; pieces.find("end\r\n") == std::string::npos; ++broken) {
    if (broken < 20) {
      client->drop();
      client = compatible();
      const auto more = reattached(*client, reattach("a1", offset));
      ASSERT_TRUE(more.at("data").as_object().contains("resumed"));
      pieces += text_of(more);
      offset = data_number(more, "offset");
    }
    if (pieces.find("end\r\n") != std::string::npos) break;
    const auto output = client->expect("output");
    pieces += text_of(output);
    offset = data_number(output, "offset");
  }
  const std::string whole = output_until(*staying, "end\r\n");
  const std::size_t both = std::min(whole.size(), pieces.size());
  EXPECT_TRUE(whole.substr(0, both) == pieces.substr(0, both));
}

TEST_F(CompatibleTest, SinceTheEndGivesAnEmptyScrollback) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "stty -echo; PS1=; echo $((6*7))", "42");
  // Until everything has been said.
  std::uint64_t offset = 0;
  ASSERT_TRUE(eventually([&] {
    const auto more = reattached(*client, reattach("a1", offset));
    const bool same = offset == static_cast<std::uint64_t>(data_number(more, "offset"));
    offset = data_number(more, "offset");
    return same && text_of(more).empty() && more.at("data").at("resumed").as_bool();
  }));
  const auto as_text = reattached(
      *client,
      message(
          "reattach_session",
          {{"sessionId", "a1"}, {"since", std::to_string(offset)}, {"rows", 24}, {"cols", 80}}));
  EXPECT_TRUE(as_text.at("data").as_object().contains("resumed")) << "a decimal string will do";
}

TEST_F(CompatibleTest, SinceBeyondTheEndGivesASnapshot) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "echo $((6*7))", "42");
  for (const std::uint64_t beyond : {std::uint64_t{1000000}, std::uint64_t{1} << 53}) {
    const auto got = reattached(*client, reattach("a1", beyond));
    EXPECT_FALSE(got.at("data").as_object().contains("resumed"));
    EXPECT_TRUE(text_of(got).starts_with(kReset));
    EXPECT_NE(text_of(got).find("42"), std::string::npos);
  }
}

TEST_F(CompatibleTest, SinceBeforeWhatIsKeptGivesASnapshot) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "head -c 2000000 /dev/zero | tr '\\0' x; echo; echo en''d", "end\r\n");
  const auto got = reattached(*client, reattach("a1", 10));
  EXPECT_FALSE(got.at("data").as_object().contains("resumed"));
  EXPECT_TRUE(text_of(got).starts_with(kReset));
  EXPECT_NE(text_of(got).find("end"), std::string::npos);
}

TEST_F(CompatibleTest, SinceBeforeAResizeGivesASnapshot) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "echo $((6*7))", "42");
  const std::uint64_t offset = data_number(reattached(*client, reattach("a1")), "offset");
  const auto got = reattached(*client, reattach("a1", offset, 30, 100));
  EXPECT_FALSE(got.at("data").as_object().contains("resumed"));
  EXPECT_TRUE(text_of(got).starts_with(kReset));
}

TEST_F(CompatibleTest, ReattachingTwiceOnOneConnectionShowsNothingTwice) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  reattached(*client, reattach("a1"));
  reattached(*client, reattach("a1"));
  client->send(input("a1", "echo \"<\"$((6*7))\">\"\r"));
  std::string text = output_until(*client, "<42>");
  for (const auto& each : until_pong(*client))
    if (string_at(each, "type") == "output") text += text_of(each);
  EXPECT_EQ(numbers_in(plain(text)).size(), 1U);
}

// --- input, resize
// ---------------------------------------------------------------------------------------------------

TEST_F(CompatibleTest, WithoutAnIdTheOnlyAttachedTerminalIsMeant) {
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

TEST_F(CompatibleTest, WithAnIdAnyTerminalOfTheUserIsReached) {
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
  EXPECT_EQ(refused(*other, message("resize", {{"rows", 3}}, "none")),
            (Refusal{"session not found", ""}));
}

TEST_F(CompatibleTest, InputIsUtf8AndMayBeLarge) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  // What is typed before the mode is raw would be edited as a line.
  type(*client, "a1", "stty raw -echo; echo r''aw; head -c 800000 | md5sum; stty sane; echo d''one",
       "raw");
  std::string text;
  while (text.size() < 400000) text += "äöü€𝄞\x01\x7f\r";
  std::ofstream(dir() / "sent") << text << text;
  client->send(input("a1", text));
  client->send(input("a1", text));
  const std::string seen = output_until(*client, "done\r\n");
  const auto wanted = Process({"md5sum", dir() / "sent"}).wait().output.substr(0, 32);
  EXPECT_NE(seen.find(wanted), std::string::npos) << seen;
}

// --- rename_session
// --------------------------------------------------------------------------------------------------

TEST_F(CompatibleTest, RenamingIsToldToTheAskerAndToAllViewers) {
  serve();
  const auto viewer = compatible();
  create(*viewer, "a1");
  const auto asker = compatible();
  const auto bystander = compatible();
  asker->send(message("rename_session", {{"sessionId", "a1"}, {"name", "deploy"}}));
  for (const auto* each : {&viewer, &asker}) {
    const auto renamed = (*each)->expect("session_renamed");
    EXPECT_EQ(string_at(renamed, "sessionId"), "a1");
    EXPECT_EQ(data_text(renamed, "sessionId"), "a1");
    EXPECT_EQ(data_text(renamed, "name"), "deploy");
  }
  EXPECT_TRUE(until_pong(*bystander).empty());
  EXPECT_EQ(string_at(sessions_of(*bystander).at(0), "name"), "deploy");
}

TEST_F(CompatibleTest, ANameHasAtMostFiftyCodePoints) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  const auto rename = [](const std::string& name) {
    return message("rename_session", {{"sessionId", "a1"}, {"name", name}});
  };
  std::string name;
  for (int i = 0; i < 50; ++i) name += "𝄞";
  client->send(rename(name));
  EXPECT_EQ(data_text(client->expect("session_renamed"), "name"), name);
  EXPECT_EQ(refused(*client, rename(name + "x")).error, "invalid name");
  EXPECT_EQ(refused(*client, rename("a\nb")).error, "invalid name");
  EXPECT_EQ(refused(*client, message("rename_session", {{"sessionId", "a1"}})).error,
            "invalid name");
  EXPECT_EQ(refused(*client, message("create_session", {{"sessionId", "a2"}, {"name", name + "x"}}))
                .error,
            "invalid name");
  EXPECT_EQ(string_at(sessions_of(*client).at(0), "name"), name);
  client->send(rename(""));
  EXPECT_EQ(data_text(client->expect("session_renamed"), "name"), "");
  EXPECT_FALSE(sessions_of(*client).at(0).contains("name")) << "an empty name is no name";
  EXPECT_EQ(refused(*client, message("rename_session", {{"sessionId", "no"}, {"name", "x"}})),
            (Refusal{"session not found", ""}));
}

// --- close_session
// ---------------------------------------------------------------------------------------------------

TEST_F(CompatibleTest, ClosingEndsEveryProcessAndTellsEveryViewer) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  const auto other = compatible();
  reattached(*other, reattach("a1"));
  const pid_t shell = number_from(*client, "a1", "$$");
  type(*client, "a1", "sleep 1000 & nohup sleep 1000 >/dev/null 2>&1 &", "");
  const pid_t sleeper = number_from(*client, "a1", "$!");
  EXPECT_TRUE(exists(shell) && exists(sleeper));
  client->send(message("close_session", {{"sessionId", "a1"}}));
  for (const auto* each : {&client, &other}) {
    const auto closed = (*each)->expect("session_closed");
    EXPECT_EQ(string_at(closed, "sessionId"), "a1");
    EXPECT_EQ(data_text(closed, "sessionId"), "a1");
    EXPECT_EQ(data_text(closed, "reason"), "user_requested");
    EXPECT_TRUE(types_of(until_pong(**each)).empty()) << "it is told once";
  }
  EXPECT_FALSE(exists(shell));
  EXPECT_FALSE(exists(sleeper));
  EXPECT_TRUE(sessions_of(*client).empty());
  for (const char* request : {"close_session", "reattach_session"})
    EXPECT_EQ(refused(*client, message(request, {{"sessionId", "a1"}})),
              (Refusal{"session not found", ""}));
}

TEST_F(CompatibleTest, ClosingOneThatIsNotAttachedIsAnsweredToo) {
  serve();
  const auto owner = compatible();
  create(*owner, "a1");
  owner->drop();
  const auto client = compatible();
  client->send(message("close_session", {{"sessionId", "a1"}}));
  EXPECT_EQ(data_text(client->expect("session_closed"), "reason"), "user_requested");
  create(*client, "a1");
}

// --- ping, and what is no message
// ------------------------------------------------------------------------------------

TEST_F(CompatibleTest, APingIsAnsweredWithItsId) {
  serve();
  const auto client = compatible();
  client->send_text(R"({"type":"ping","sessionId":"any.id_1"})");
  EXPECT_EQ(string_at(client->expect("pong"), "sessionId"), "any.id_1");
  client->send_text(R"({"type":"ping"})");
  EXPECT_FALSE(client->expect("pong").contains("sessionId"));
}

TEST_F(CompatibleTest, WhateverIsSentIsAnsweredAndTheConnectionGoesOn) {
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

TEST_F(CompatibleTest, AnErrorCarriesTheIdItIsAbout) {
  serve();
  const auto client = compatible();
  client->send(input("none", "x"));
  EXPECT_EQ(string_at(client->expect("error"), "sessionId"), "none");
  client->send_text(R"({"type":"nonsense","sessionId":"a1"})");
  EXPECT_EQ(string_at(client->expect("error"), "sessionId"), "a1");
  client->send_text("{");
  EXPECT_FALSE(client->expect("error").contains("sessionId"));
}

TEST_F(CompatibleTest, TextThatIsNotUtf8EndsOnlyThisConnection) {
  serve();
  const auto staying = compatible();
  create(*staying, "a1");
  const auto client = compatible();
  // RFC 6455 has the receiver of a text frame that is not UTF-8 fail the connection.
  client->send_text("{\"type\":\"ping\",\"sessionId\":\"\xff\"}");
  EXPECT_FALSE(client->receive());
  type(*staying, "a1", "echo $((6*7))", "42");
}

TEST_F(CompatibleTest, AMessageOverAMebibyteEndsTheConnectionWith1009) {
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

// --- the end of a process
// --------------------------------------------------------------------------------------------

TEST_F(CompatibleTest, AnExitIsToldAfterTheLastOutputWithItsCode) {
  serve();
  const auto client = compatible();
  const std::vector<std::pair<std::string, int>> ends{
      {"exit 0", 0}, {"exit 3", 3}, {"exit 255", 255}, {"kill -9 $$", 137}, {"kill -HUP $$", 129}};
  for (const auto& [command, code] : ends) {
    create(*client, "a1");  // Again and again: an exited terminal's id is free.
    client->send(input("a1", "echo la''st; " + command + "\r"));
    std::string text;
    const auto closed = client->expect([&](const json::object& each) {
      if (string_at(each, "type") == "output") text += text_of(each);
      return string_at(each, "type") == "session_closed";
    });
    EXPECT_NE(text.find("last\r\n"), std::string::npos);
    EXPECT_EQ(string_at(closed, "sessionId"), "a1");
    EXPECT_EQ(data_text(closed, "reason"), "process_exit");
    EXPECT_EQ(data_number(closed, "exitCode"), code) << command;
    const auto listed = sessions_of(*client);
    ASSERT_EQ(listed.size(), 1U);
    EXPECT_EQ(string_at(listed[0], "status"), "exited");
    EXPECT_EQ(listed[0].at("exitCode").as_int64(), code);
  }
}

TEST_F(CompatibleTest, AnExitedTerminalTakesNothingButANameAndItsClosing) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  client->send(input("a1", "exit 7\r"));
  client->expect("session_closed");
  const Refusal exited{"SESSION_EXITED", "7"};
  EXPECT_EQ(refused(*client, reattach("a1")), exited);
  EXPECT_EQ(refused(*client, input("a1", "x")), exited);
  EXPECT_EQ(refused(*client, message("resize", {{"rows", 3}, {"cols", 4}}, "a1")), exited);
  EXPECT_EQ(refused(*client, message("input", {{"data", "x"}})).error, "session id required");
  client->send(message("rename_session", {{"sessionId", "a1"}, {"name", "over"}}));
  client->expect("session_renamed");
  EXPECT_EQ(string_at(sessions_of(*client).at(0), "name"), "over");
  client->send(message("close_session", {{"sessionId", "a1"}}));
  EXPECT_EQ(data_text(client->expect("session_closed"), "reason"), "user_requested");
  EXPECT_TRUE(sessions_of(*client).empty());
}

TEST_F(CompatibleTest, AnExitedIdTakenAgainIsAFreshTerminal) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  client->send(message("rename_session", {{"sessionId", "a1"}, {"name", "old"}}));
  type(*client, "a1", "echo OLD''TEXT", "OLDTEXT");
  client->send(input("a1", "exit 7\r"));
  client->expect("session_closed");
  create(*client, "a1");
  type(*client, "a1", "echo $((6*7))", "42");
  const auto listed = sessions_of(*client);
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(string_at(listed[0], "status"), "running");
  EXPECT_FALSE(listed[0].contains("exitCode"));
  EXPECT_FALSE(listed[0].contains("name"));
  EXPECT_EQ(text_of(reattached(*client, reattach("a1"))).find("OLDTEXT"), std::string::npos);
}

TEST_F(CompatibleTest, ExitsAreKnownAfterTheDaemonWasKilledToo) {
  serve();
  auto client = compatible();
  create(*client, "a1");
  const pid_t shell = number_from(*client, "a1", "$$");
  create(*client, "a2");
  client->send(input("a2", "exit 8\r"));
  client->expect("session_closed");
  client->send(message("rename_session", {{"sessionId", "a2"}, {"name", "kept"}}));
  client->expect("session_renamed");
  kill_daemon();
  ::kill(shell, SIGKILL);
  ASSERT_TRUE(eventually([&] { return !exists(shell); }));
  serve();
  client = compatible();
  ASSERT_TRUE(
      eventually([&] { return string_at(sessions_of(*client).at(0), "status") == "exited"; }));
  const auto listed = sessions_of(*client);
  EXPECT_EQ(listed.at(0).at("exitCode").as_int64(), 137);
  EXPECT_EQ(listed.at(1).at("exitCode").as_int64(), 8);
  EXPECT_EQ(string_at(listed.at(1), "name"), "kept");
  EXPECT_EQ(refused(*client, reattach("a2")), (Refusal{"SESSION_EXITED", "8"}));
}

TEST_F(CompatibleTest, OfTheExitedOnesTheNewestHundredAreKept) {
  serve();
  NativePeer maker = native_peer();
  const auto client = compatible();
  create(*client, "running");
  for (int i = 0; i < 103; ++i) {
    const std::string id = "e" + std::to_string(i);
    maker.ask("create", {{"terminalId", id}, {"command", json::array{"/bin/true"}}});
    maker.event("exited");
  }
  ASSERT_TRUE(eventually([&] { return sessions_of(*client).size() == 101; }));
  const auto ids = session_ids(*client);
  EXPECT_EQ(ids.front(), "running");
  EXPECT_EQ(ids[1], "e3") << "the oldest went";
  EXPECT_EQ(ids.back(), "e102");
  EXPECT_EQ(data_text(maker.event("closed"), "reason"), "process_exit");
}

// --- several viewers
// -------------------------------------------------------------------------------------------------

TEST_F(CompatibleTest, AllViewersSeeEverything) {
  serve();
  const auto first = compatible();
  create(*first, "a1");
  const auto second = compatible();
  reattached(*second, reattach("a1"));
  first->send(input("a1", "echo from-fi''rst\r"));
  (void)output_until(*second, "from-first");
  (void)output_until(*first, "from-first");
  second->send(input("a1", "echo from-se''cond\r"));
  (void)output_until(*first, "from-second");
  (void)output_until(*second, "from-second");
  second->drop();
  type(*first, "a1", "echo $((6*7))", "42");
}

TEST_F(CompatibleTest, ATakeoverDetachesTheOthers) {
  serve();
  const auto first = compatible();
  create(*first, "a1");
  create(*first, "a2");
  const auto second = compatible();
  second->send(message("reattach_session", {{"sessionId", "a1"}, {"takeover", true}}));
  second->expect("scrollback");
  const auto detached = first->expect("session_detached");
  EXPECT_EQ(string_at(detached, "sessionId"), "a1");
  EXPECT_EQ(data_text(detached, "sessionId"), "a1");
  EXPECT_EQ(data_text(detached, "reason"), "takeover");
  type(*second, "a1", "echo $((6*7))", "42");
  for (const auto& each : until_pong(*first))
    EXPECT_NE(string_at(each, "sessionId"), "a1") << json::serialize(each);
  first->send(message("input", {{"data", "echo $((6*7))\r"}}));
  (void)output_until(*first, "42");  // a2 is the only one attached now.
  second->send(message("close_session", {{"sessionId", "a1"}}));
  second->expect("session_closed");
  EXPECT_TRUE(types_of(until_pong(*first)).empty());
}

// The terminal has the size of who did something last, and takes the other's when that one leaves.
TEST_F(CompatibleTest, TheSizeIsThatOfWhoActedLast) {
  serve();
  const auto small = compatible();
  small->send(create_session("a1", 20, 60));
  small->expect("session_created");
  const auto large = compatible();
  reattached(*large, reattach("a1", {}, 50, 150));
  type(*large, "a1", "stty size", "50 150");
  type(*small, "a1", "stty size", "20 60");
  type(*large, "a1", "stty size", "50 150");
  large->drop();
  ASSERT_TRUE(eventually([&] { return health().at("viewers").as_int64() == 1; }));
  type(*small, "a1", "stty size", "20 60");
}

// --- text
// ------------------------------------------------------------------------------------------------------------

TEST_F(CompatibleTest, CharactersWrittenByteByByteAreNeverSplit) {
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
TEST_F(CompatibleTest, AHalfCharacterWaitsForItsOtherHalfAcrossAReattach) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "stty -echo; printf 'x\\342\\202'; read x; printf '\\254y\\n'", "x");
  std::uint64_t offset = 0;
  ASSERT_TRUE(eventually([&] {
    const auto now = reattached(*client, reattach("a1"));
    const auto before = offset;
    offset = data_number(now, "offset");
    return offset == before && text_of(now).find('x') != std::string::npos;
  }));
  const auto other = compatible();
  EXPECT_EQ(text_of(reattached(*other, reattach("a1", offset))), "");
  client->send(input("a1", "\r"));
  EXPECT_NE(output_until(*other, "y").find("€y"), std::string::npos);
  EXPECT_NE(output_until(*client, "y").find("€y"), std::string::npos);
}

TEST_F(CompatibleTest, BytesThatAreNoUtf8BecomeReplacementCharacters) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  const std::string text =
      type(*client, "a1", "printf 'a\\377b\\303(c\\360\\235z\\340\\200e\\n'; echo en''d", "end");
  EXPECT_NE(text.find("a\uFFFDb\uFFFD(c\uFFFDz\uFFFD\uFFFDe"), std::string::npos) << text;
}

TEST_F(CompatibleTest, GarbageLeavesEverythingWorking) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  create(*client, "a2");
  // What the garbage asks the terminal is answered into `cat`, not into the shell.
  client->send(
      input("a1",
            "PS1='# '; stty -echo; head -c 1000000 /dev/urandom; printf '\\030\\033\\\\\\033c'; "
            "echo en''d; cat >/dev/null\r"));
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

// --- slow clients
// ----------------------------------------------------------------------------------------------------

TEST_F(CompatibleTest, AClientThatDoesNotReadHoldsNobodyUpAndIsCaughtUpByASnapshot) {
  serve();
  const auto slow = compatible();
  create(*slow, "a1");
  const auto quick = compatible();
  reattached(*quick, reattach("a1"));
  quick->send(input("a1", "head -c 30000000 /dev/zero | tr '\\0' x; echo; echo en''d\r"));
  (void)output_until(*quick, "end\r\n", seconds(60));
  bool snapshot = false;
  std::string last;
  while (last.find("end\r\n") == std::string::npos &&
         plain(last).find("end") == std::string::npos) {
    last = text_of(slow->expect("output"));
    snapshot = snapshot || last.starts_with(kReset);
  }
  EXPECT_TRUE(snapshot);
  type(*slow, "a1", "echo $((6*7))", "42");
}

}  // namespace
}  // namespace e2e
