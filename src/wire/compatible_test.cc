#include "wire/compatible.h"

#include <gtest/gtest.h>

namespace wire::compatible {
namespace {

template <class T>
T parsed(std::string_view text) {
  const auto request = parse(text);
  if (!request) {
    ADD_FAILURE() << text << ": " << request.error().error << ": " << request.error().details;
    return {};
  }
  if (!std::holds_alternative<T>(*request)) {
    ADD_FAILURE() << text << " is something else";
    return {};
  }
  return std::get<T>(*request);
}

Refusal refused(std::string_view text) {
  const auto request = parse(text);
  if (request) {
    ADD_FAILURE() << text << " was accepted";
    return {};
  }
  return request.error();
}

// A create_session with an id and these other fields.
std::string create(std::string_view fields) {
  return R"({"type":"create_session","data":{"sessionId":"a",)" + std::string(fields) + "}}";
}

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST(CompatibleTest, CreateSession) {
  EXPECT_EQ(parsed<CreateSession>(create(R"("rows":24,"cols":80,"name":"build","workDir":"/src")")),
            (CreateSession{
                .session_id = "a", .rows = 24, .cols = 80, .name = "build", .work_dir = "/src"}));
  const auto least = parsed<CreateSession>(R"({"type":"create_session","sessionId":"a"})");
  EXPECT_EQ(least,
            (CreateSession{.session_id = "a", .rows = {}, .cols = {}, .name = {}, .work_dir = {}}));
  EXPECT_EQ(parsed<CreateSession>(create(R"("name":"","workDir":"")")), least);
  EXPECT_EQ(parsed<CreateSession>(create(R"("name":null,"workDir":null,"rows":null)")), least);
  EXPECT_EQ(parsed<CreateSession>(create(R"("colour":"red","deep":[{}])")), least);
}

TEST(CompatibleTest, SizesThatAreWrongAreNotThere) {
  for (const std::string_view rows : {"0", "501", "-1", "24.5", "\"24\"", "true", "[]", "{}",
                                      "1e300", "99999999999999999999999", "65560"}) {
    const auto request = parsed<CreateSession>(create("\"cols\":80,\"rows\":" + std::string(rows)));
    EXPECT_EQ(request.rows, std::nullopt) << rows;
    EXPECT_EQ(request.cols, 80) << rows;
  }
  EXPECT_EQ(parsed<CreateSession>(create(R"("rows":1,"cols":500)")).rows, 1);
  EXPECT_EQ(parsed<CreateSession>(create(R"("rows":1,"cols":500)")).cols, 500);
  EXPECT_EQ(parsed<CreateSession>(create(R"("rows":24.0)")).rows, 24);
}

TEST(CompatibleTest, ANameHasAtMost50CodePoints) {
  std::string fifty;
  for (int i = 0; i < 50; ++i) fifty += "😀";
  EXPECT_EQ(parsed<CreateSession>(create("\"name\":\"" + fifty + "\"")).name, fifty);
  // Existing clients give up a terminal after an error, so a long name is cut, not refused.
  EXPECT_EQ(parsed<CreateSession>(create("\"name\":\"" + fifty + "x\"")).name, fifty);
}

TEST(CompatibleTest, ANameIsCleanedOfControlCharacters) {
  EXPECT_EQ(parsed<CreateSession>(create(R"("name":"a\nb\u001b[2J\u0000\u009bc")")).name, "ab[2Jc");
  EXPECT_EQ(parsed<CreateSession>(create(R"("name":"\u001b")")).name, std::nullopt);
}

TEST(CompatibleTest, ANameIsText) {
  for (const std::string_view name : {"5", "[]"})
    EXPECT_EQ(refused(create("\"name\":" + std::string(name))).error, kInvalidName) << name;
}

TEST(CompatibleTest, AnInvalidIdIsRepeatedWithoutWhatCouldDoHarm) {
  const auto id_of = [](std::string_view id) {
    return refused("{\"type\":\"ping\",\"sessionId\":\"" + std::string(id) + "\"}").session_id;
  };
  EXPECT_EQ(id_of("a b/c"), "a b/c");
  EXPECT_EQ(id_of(R"(a\u001b]0;x\u0007b)"), "a\ufffd]0;x\ufffdb");
  EXPECT_EQ(id_of(std::string(1000, 'x')), std::string(128, 'x'));
}

TEST(CompatibleTest, AWorkDirIsText) {
  EXPECT_EQ(refused(create(R"("workDir":5)")).error, kInvalidMessage);
  EXPECT_EQ(refused(create(R"("workDir":"/a\u0000b")")).error, kInvalidMessage);
  EXPECT_EQ(refused(create("\"workDir\":\"" + std::string(4097, '/') + "\"")).error,
            kInvalidMessage);
}

TEST(CompatibleTest, IdsAreChecked) {
  for (const std::string_view id :
       {R"("")", R"("-a")", R"("a b")", R"("../x")", R"("é")", "5", "{}", R"("a\u0000")"}) {
    const Refusal refusal =
        refused("{\"type\":\"close_session\",\"data\":{\"sessionId\":" + std::string(id) + "}}");
    EXPECT_EQ(refusal.error, kInvalidSessionId) << id;
    EXPECT_NE(refusal.details, "") << id;
  }
  const std::string longest(128, 'x');
  EXPECT_EQ(
      parsed<CloseSession>(R"({"type":"close_session","data":{"sessionId":")" + longest + "\"}}")
          .session_id,
      longest);
  EXPECT_EQ(refused(R"({"type":"close_session","data":{"sessionId":")" + longest + "x\"}}").error,
            kInvalidSessionId);
}

TEST(CompatibleTest, AnIdThatMustBeThereAndIsNot) {
  for (const std::string_view type :
       {"create_session", "reattach_session", "rename_session", "close_session"})
    EXPECT_EQ(
        refused("{\"type\":\"" + std::string(type) + "\",\"data\":{\"name\":\"x\"}}"),
        (Refusal{
            .error = "invalid session id", .details = "sessionId is missing", .session_id = {}}));
}

TEST(CompatibleTest, TheIdMayStandInEitherPlace) {
  const std::string_view both =
      R"("sessionId":"top","data":{"sessionId":"in","name":"n","data":"x"}})";
  const auto with = [&](std::string_view type) {
    return "{\"type\":\"" + std::string(type) + "\"," + std::string(both);
  };
  EXPECT_EQ(parsed<CreateSession>(with("create_session")).session_id, "in");
  EXPECT_EQ(parsed<ReattachSession>(with("reattach_session")).session_id, "in");
  EXPECT_EQ(parsed<RenameSession>(with("rename_session")).session_id, "in");
  EXPECT_EQ(parsed<CloseSession>(with("close_session")).session_id, "in");
  EXPECT_EQ(parsed<Input>(with("input")).session_id, "top");
  EXPECT_EQ(parsed<Resize>(with("resize")).session_id, "top");
  EXPECT_EQ(parsed<Ping>(with("ping")).session_id, "top");
  EXPECT_EQ(parsed<CloseSession>(R"({"type":"close_session","sessionId":"top"})").session_id,
            "top");
  EXPECT_EQ(parsed<Input>(R"({"type":"input","data":{"sessionId":"in","data":""}})").session_id,
            "in");
  EXPECT_EQ(parsed<Resize>(R"({"type":"resize","data":{"sessionId":"in"}})").session_id, "in");
}

TEST(CompatibleTest, ListSessions) {
  EXPECT_EQ(parsed<ListSessions>(R"({"type":"list_sessions"})"), ListSessions{});
  EXPECT_EQ(parsed<ListSessions>(R"( { "type" : "list_sessions" , "data" : {} } )"),
            ListSessions{});
}

TEST(CompatibleTest, ReattachSession) {
  EXPECT_EQ(
      parsed<ReattachSession>(
          R"({"type":"reattach_session","data":{"sessionId":"a","rows":30,"cols":100,"since":4660,"takeover":true}})"),
      (ReattachSession{
          .session_id = "a", .rows = 30, .cols = 100, .since = 4660, .takeover = true}));
  EXPECT_EQ(
      parsed<ReattachSession>(
          R"({"type":"reattach_session","data":{"sessionId":"a","since":"18446744073709551615"}})")
          .since,
      18446744073709551615U);
  for (const std::string_view wrong :
       {R"("since":-1)", R"("since":1.5)", R"("since":"x")", R"("since":{})", R"("takeover":1)",
        R"("takeover":"true")"}) {
    const Refusal refusal = refused(R"({"type":"reattach_session","data":{"sessionId":"a",)" +
                                    std::string(wrong) + "}}");
    EXPECT_EQ(refusal.error, kInvalidMessage) << wrong;
    EXPECT_EQ(refusal.session_id, "a") << wrong;
  }
}

TEST(CompatibleTest, Input) {
  EXPECT_EQ(parsed<Input>(R"({"type":"input","sessionId":"a","data":{"data":"é\u0003\u0000\r"}})"),
            (Input{.session_id = "a", .data = std::string("é\x03\0\r", 5)}));
  EXPECT_EQ(parsed<Input>(R"({"type":"input","data":{"data":""}})"),
            (Input{.session_id = std::nullopt, .data = ""}));
  EXPECT_EQ(refused(R"({"type":"input","sessionId":"a"})"),
            (Refusal{.error = "invalid message", .details = "data is missing", .session_id = "a"}));
  EXPECT_EQ(refused(R"({"type":"input","sessionId":"a","data":{"data":5}})").details,
            "data must be a string");
  EXPECT_EQ(refused(R"({"type":"input","sessionId":"a","data":"ls"})").details,
            "data must be an object");
}

TEST(CompatibleTest, Resize) {
  EXPECT_EQ(parsed<Resize>(R"({"type":"resize","sessionId":"a","data":{"rows":5,"cols":7}})"),
            (Resize{.session_id = "a", .rows = 5, .cols = 7}));
  EXPECT_EQ(parsed<Resize>(R"({"type":"resize"})"), Resize{});
}

TEST(CompatibleTest, RenameSession) {
  EXPECT_EQ(
      parsed<RenameSession>(R"({"type":"rename_session","data":{"sessionId":"a","name":"b"}})"),
      (RenameSession{.session_id = "a", .name = "b"}));
  EXPECT_EQ(
      parsed<RenameSession>(R"({"type":"rename_session","data":{"sessionId":"a","name":""}})").name,
      "");
  EXPECT_EQ(refused(R"({"type":"rename_session","data":{"sessionId":"a"}})"),
            (Refusal{.error = "invalid name", .details = "name is missing", .session_id = "a"}));
}

TEST(CompatibleTest, AnUnknownTypeIsNamed) {
  EXPECT_EQ(refused(R"({"type":"sing","sessionId":"a"})"),
            (Refusal{.error = "unknown message type", .details = "\"sing\"", .session_id = "a"}));
  EXPECT_EQ(refused(R"({"type":"\u001b]0;x"})").details, R"("\u001b]0;x")");
  EXPECT_EQ(refused("{\"type\":\"" + std::string(500'000, 'x') + "\"}").details.size(), 45U);
  EXPECT_EQ(refused(R"({"type":"Ping"})").error, kUnknownType);
  EXPECT_EQ(refused(R"({"type":""})").error, kUnknownType);
}

TEST(CompatibleTest, WhatIsNoMessage) {
  EXPECT_EQ(refused("hello"), (Refusal{.error = "malformed JSON",
                                       .details = "syntax error at byte 0",
                                       .session_id = std::nullopt}));
  EXPECT_EQ(refused("[1]").error, kInvalidMessage);
  EXPECT_EQ(refused(R"({"sessionId":"a"})"),
            (Refusal{.error = "invalid message", .details = "type is missing", .session_id = "a"}));
}

TEST(CompatibleTest, RepliesCarryTheIdTwice) {
  EXPECT_EQ(
      session_created({.session_id = "a", .working_directory = "/x", .shell = {}}),
      R"({"type":"session_created","sessionId":"a","data":{"sessionId":"a","workingDirectory":"/x"}})");
  EXPECT_EQ(
      session_closed("a", CloseReason::idle_timeout, std::nullopt),
      R"({"type":"session_closed","sessionId":"a","data":{"sessionId":"a","reason":"idle_timeout"}})");
  EXPECT_EQ(
      session_closed("a", CloseReason::error, 1),
      R"({"type":"session_closed","sessionId":"a","data":{"sessionId":"a","reason":"error","exitCode":1}})");
}

TEST(CompatibleTest, OutputIsAppended) {
  std::string out = "before";
  append_output(out, "a", bytes("\xff\x1b"), 18446744073709551615U);
  EXPECT_EQ(out,
            "before"
            "{\"type\":\"output\",\"sessionId\":\"a\",\"data\":{\"data\":\"\xef\xbf\xbd\\u001b\","
            "\"offset\":18446744073709551615}}");
}

// A working directory may be any bytes, because programs announce it.
TEST(CompatibleTest, WhatIsNotUtf8InAPathIsReplaced) {
  EXPECT_EQ(session_reattached({.session_id = "a", .working_directory = "/\xff", .shell = {}}),
            "{\"type\":\"session_reattached\",\"sessionId\":\"a\",\"data\":{\"sessionId\":\"a\","
            "\"workingDirectory\":\"/\xef\xbf\xbd\"}}");
}

TEST(CompatibleTest, EmptyListsAndNoDetails) {
  EXPECT_EQ(session_list({}), R"({"type":"session_list","data":{"sessions":[]}})");
  EXPECT_EQ(error({.error = "x", .details = "", .session_id = {}}),
            R"({"type":"error","data":{"error":"x"}})");
  EXPECT_EQ(pong(std::nullopt), R"({"type":"pong"})");
}

}  // namespace
}  // namespace wire::compatible
