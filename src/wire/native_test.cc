#include "wire/native.h"

#include <gtest/gtest.h>

#include "wire/limits.h"
#include "wire/native_events.h"
#include "wire/native_frame.h"

namespace wire::native {
namespace {

std::string message(std::string_view type, std::string_view fields) {
  return "{\"type\":\"" + std::string(type) + "\",\"request\":1,\"data\":{" + std::string(fields) +
         "}}";
}

template <class T>
T parsed(std::string_view type, std::string_view fields) {
  const auto request = parse(message(type, fields));
  if (!request || !std::holds_alternative<T>(request->operation)) {
    ADD_FAILURE() << type << " " << fields << ": "
                  << (request ? "something else" : request.error().details);
    return {};
  }
  EXPECT_EQ(request->id, RequestId{"1"});
  return std::get<T>(request->operation);
}

// Expects a refusal that names the request.
void expect_refused(std::string_view type, std::string_view fields,
                    std::string_view code = "invalid_argument") {
  const auto request = parse(message(type, fields));
  ASSERT_FALSE(request) << type << " " << fields;
  EXPECT_EQ(request.error().code, code) << type << " " << fields;
  EXPECT_NE(request.error().details, "") << type << " " << fields;
  EXPECT_EQ(request.error().request, RequestId{"1"});
}

std::string list_of(std::size_t count, std::string_view entry) {
  std::string list = "[";
  for (std::size_t i = 0; i < count; ++i) list += (i == 0 ? "" : ",") + std::string(entry);
  return list + "]";
}

TEST(NativeTest, ACommandIsBounded) {
  EXPECT_EQ(parsed<Create>("create", R"("command":["sh","-c",""])").command,
            (std::vector<std::string>{"sh", "-c", ""}));
  EXPECT_EQ(parsed<Create>("create", "\"command\":" + list_of(256, "\"a\"")).command.size(), 256U);
  expect_refused("create", "\"command\":" + list_of(257, "\"a\""));
  const std::string longest = "\"" + std::string(32 * 1024 - 1, 'a') + "\"";
  EXPECT_EQ(parsed<Create>("create", "\"command\":[" + longest + "]").command.size(), 1U);
  expect_refused("create", "\"command\":[" + longest + ",\"\"]");
  for (const std::string_view wrong :
       {R"("sh")", "[1]", "[null]", "{}", R"(["a\u0000"])", R"([""])"})
    expect_refused("create", "\"command\":" + std::string(wrong));
}

TEST(NativeTest, AnEnvironmentIsBounded) {
  EXPECT_EQ(parsed<Create>("create", R"("env":{"_a1":"","B":"x=y"})").env,
            (std::vector<std::pair<std::string, std::string>>{{"_a1", ""}, {"B", "x=y"}}));
  EXPECT_EQ(parsed<Create>("create", R"("env":{"A":"1","A":"2"})").env,
            (std::vector<std::pair<std::string, std::string>>{{"A", "2"}}));
  for (const std::string_view wrong :
       {"[]", R"("A=1")", R"({"":"x"})", R"({"1A":"x"})", R"({"A=B":"x"})", R"({"é":"x"})",
        R"({"A":1})", R"({"A":null})", R"({"A":"\u0000"})", R"({"A\u0000":"x"})"})
    expect_refused("create", "\"env\":" + std::string(wrong));
  std::string many = "{";
  for (int i = 0; i < 257; ++i) many += (i == 0 ? "\"V" : ",\"V") + std::to_string(i) + "\":\"\"";
  expect_refused("create", "\"env\":" + many + "}");
  expect_refused("create", "\"env\":{\"A\":\"" + std::string(32 * 1024, 'x') + "\"}");
}

TEST(NativeTest, SizesAreCheckedHere) {
  for (const std::string_view wrong : {"0", "501", "-1", "1.5", "\"24\"", "true"}) {
    expect_refused("create", "\"rows\":" + std::string(wrong));
    expect_refused("attach", "\"terminalId\":\"t\",\"cols\":" + std::string(wrong));
    expect_refused("resize", "\"channel\":1,\"rows\":5,\"cols\":" + std::string(wrong));
  }
  EXPECT_EQ(parsed<Create>("create", R"("rows":null)").rows, std::nullopt);
  expect_refused("resize", R"("channel":1,"rows":null,"cols":5)");
}

TEST(NativeTest, ChannelsAreNumbersFrom1) {
  EXPECT_EQ(parsed<Focus>("focus", R"("channel":4294967295)").channel, 4294967295U);
  EXPECT_EQ(parsed<Hide>("hide", R"("channel":1)").channel, 1U);
  EXPECT_EQ(parsed<Show>("show", R"("channel":1)").channel, 1U);
  for (const std::string_view wrong : {"0", "-1", "4294967296", "\"1\"", "null", "1.5"})
    for (const std::string_view type : {"detach", "focus", "resize", "role"})
      expect_refused(type, R"("rows":5,"cols":5,"role":"view","channel":)" + std::string(wrong));
}

TEST(NativeTest, WindowsAreBounded) {
  const auto window = [](std::string_view value) {
    return parsed<Attach>("attach", "\"terminalId\":\"t\",\"window\":" + std::string(value)).window;
  };
  EXPECT_EQ(window("0"), 0U);
  EXPECT_EQ(window("null"), 0U);
  EXPECT_EQ(window("4096"), 4096U);
  EXPECT_EQ(window("67108864"), 67108864U);
  for (const std::string_view wrong : {"1", "4095", "67108865", "-1", "\"8192\"", "true"})
    expect_refused("attach", "\"terminalId\":\"t\",\"window\":" + std::string(wrong));
}

TEST(NativeTest, AttachChecksTheRest) {
  for (const std::string_view wrong : {R"("since":-1)", R"("since":"x")", R"("role":"admin")",
                                       R"("role":1)", R"("lossless":1)", R"("takeover":"yes")"})
    expect_refused("attach", "\"terminalId\":\"t\"," + std::string(wrong));
  expect_refused("attach", R"("terminalId":null)");
  expect_refused("attach", R"("terminalId":5)");
}

TEST(NativeTest, ColoursAreSixDigits) {
  const auto theme = parsed<Theme>("theme", R"("cursor":"#Ff8001")");
  EXPECT_EQ(theme.cursor, (Colour{.red = 0xff, .green = 0x80, .blue = 0x01}));
  EXPECT_EQ(theme.palette, std::nullopt);
  for (const std::string_view wrong :
       {R"("red")", R"("#fff")", R"("#gggggg")", R"("#1234567")", R"("1234567")", "5", "[]"})
    for (const std::string_view key : {"foreground", "background", "cursor"})
      expect_refused("theme", "\"" + std::string(key) + "\":" + std::string(wrong));
  EXPECT_TRUE(parsed<Theme>("theme", "\"palette\":" + list_of(16, "\"#010203\"")).palette);
  expect_refused("theme", "\"palette\":" + list_of(15, "\"#010203\""));
  expect_refused("theme", "\"palette\":" + list_of(17, "\"#010203\""));
  expect_refused("theme", "\"palette\":" + list_of(16, "\"x\""));
  expect_refused("theme", R"("palette":"#010203")");
}

TEST(NativeTest, ReorderNamesEachOnce) {
  EXPECT_EQ(parsed<Reorder>("reorder", R"("terminalIds":[])").terminal_ids,
            std::vector<std::string>{});
  for (const std::string_view wrong :
       {"null", "5", R"(["a","a"])", R"(["a",5])", R"(["-"])", "[null]"})
    expect_refused("reorder", "\"terminalIds\":" + std::string(wrong));
  expect_refused("reorder", "\"terminalIds\":" + list_of(1001, "\"a\""));
}

TEST(NativeTest, APreferenceIsBounded) {
  const auto set = parsed<SetPreference>("preference_set", R"("name":"a","value":{"b":[1,null]})");
  EXPECT_EQ(set.value, R"({"b":[1,null]})");
  EXPECT_EQ(parsed<SetPreference>("preference_set", R"("name":"a","value":null)").value,
            std::nullopt);
  EXPECT_EQ(parsed<SetPreference>("preference_set", R"("name":"a","value":false)").value, "false");
  const std::string most(kMaxPreferenceValue - 2, 'x');
  EXPECT_TRUE(
      parsed<SetPreference>("preference_set", "\"name\":\"a\",\"value\":\"" + most + "\"").value);
  expect_refused("preference_set", "\"name\":\"a\",\"value\":\"" + most + "x\"");
  for (const std::string_view wrong :
       {R"("value":1)", R"("name":"-","value":1)", R"("name":5)", R"("name":"a","revision":"1")",
        R"("name":"a","revision":0.5)", R"("name":"a","session":"../x")"})
    expect_refused("preference_set", wrong);
  expect_refused("preferences", R"("session":5)");
}

TEST(NativeTest, CommandsOfChecksItsBounds) {
  const auto all = parsed<CommandsOf>("commands_of", R"("terminalId":"t")");
  EXPECT_EQ(all, (CommandsOf{.terminal_id = "t", .since = {}, .limit = {}}));
  for (const std::string_view wrong :
       {R"("since":-1)", R"("since":"x")", R"("limit":0)", R"("limit":1001)", R"("limit":"many")"})
    expect_refused("commands_of", "\"terminalId\":\"t\"," + std::string(wrong));
  expect_refused("commands_of", R"("limit":1)");
}

TEST(NativeTest, NamesAndIds) {
  EXPECT_EQ(parsed<Rename>("rename", R"("terminalId":"t","name":"")").name, "");
  EXPECT_EQ(parsed<Create>("create", R"("name":"")").name, std::nullopt);
  expect_refused("rename", "\"terminalId\":\"t\",\"name\":\"" + std::string(51, 'x') + "\"");
  expect_refused("rename", R"("terminalId":"t","name":"\n")");
  expect_refused("create", R"("session":"../x")");
  expect_refused("create", R"("workDir":"\u0000")");
  expect_refused("close", "");
}

TEST(NativeTest, TheRequestIsRepeated) {
  const auto id = [](std::string_view json) {
    const auto request = parse(R"({"type":"ping","request":)" + std::string(json) + "}");
    return request && request->id ? request->id->json : "none";
  };
  EXPECT_EQ(id("0"), "0");
  EXPECT_EQ(id("-5"), "-5");
  EXPECT_EQ(id("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(id(R"("a\u0022\n")"), R"("a\"\n")");
  EXPECT_EQ(id("null"), "none");
  const std::string longest = "\"" + std::string(128, 'x') + "\"";
  EXPECT_EQ(id(longest), longest);
  for (const std::string_view wrong : {"1.5", "true", "{}", "[]", "1e400"})
    EXPECT_FALSE(parse(R"({"type":"ping","request":)" + std::string(wrong) + "}")) << wrong;
  EXPECT_FALSE(parse(R"({"type":"ping","request":")" + std::string(129, 'x') + "\"}"));
}

TEST(NativeTest, AFaultBeforeTheFieldsIsMalformed) {
  for (const std::string_view text :
       {"", "{", "[]", "{}", R"({"type":1})", R"({"type":"list","data":1})"})
    EXPECT_EQ(parse(text).error().code, kMalformed) << text;
  expect_refused("List", "", "unsupported");
}

TEST(NativeTest, EveryCodeHasItsName) {
  EXPECT_EQ(code_name(base::Code::invalid_argument), "invalid_argument");
  EXPECT_EQ(code_name(base::Code::io), "io");
  // The names are the ones people read, with underscores for spaces.
  for (int i = 0; i < static_cast<int>(base::Code::io); ++i) {
    const auto code = static_cast<base::Code>(i);
    std::string name(base::to_string(code));
    for (char& c : name) c = c == ' ' ? '_' : c;
    EXPECT_EQ(code_name(code), name);
  }
}

TEST(NativeTest, AnErrorBecomesARefusal) {
  EXPECT_EQ(
      error(refusal({.code = base::Code::not_found, .what = "no t1", .advice = "List them."},
                    RequestId{"\"x\""})),
      R"({"type":"error","request":"x","data":{"code":"not_found","error":"no t1","details":"List them."}})");
}

TEST(NativeFrameTest, AHeaderIs13LittleEndianBytes) {
  const auto bytes = encode_header(
      {.kind = FrameKind::snapshot, .channel = 0x01020304, .offset = 0x05060708090a0b0cU});
  constexpr std::array<unsigned, 13> kExpected{2, 4, 3, 2, 1, 12, 11, 10, 9, 8, 7, 6, 5};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    EXPECT_EQ(std::to_integer<unsigned>(bytes[i]), kExpected[i]) << i;
  const auto frame = parse_frame(bytes);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->header.channel, 0x01020304U);
  EXPECT_EQ(frame->header.offset, 0x05060708090a0b0cU);
  EXPECT_TRUE(frame->payload.empty());
}

TEST(NativeFrameTest, EveryTruncationOfAHeaderIsAnError) {
  const auto bytes = encode_header({.kind = FrameKind::ack, .channel = 1, .offset = 1});
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(parse_frame(std::span(bytes).first(size)).error().code, kMalformed) << size;
}

TEST(NativeFrameTest, EveryOtherKindIsUnsupported) {
  for (int kind = 0; kind < 256; ++kind) {
    auto bytes = encode_header({.kind = FrameKind::input, .channel = 1, .offset = 0});
    bytes[0] = static_cast<std::byte>(kind);
    EXPECT_EQ(parse_frame(bytes).has_value(), kind >= 1 && kind <= 5) << kind;
    EXPECT_EQ(parse_client_frame(bytes).has_value(), kind >= 3 && kind <= 5) << kind;
  }
}

}  // namespace
}  // namespace wire::native
