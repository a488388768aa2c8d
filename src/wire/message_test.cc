#include "wire/message.h"

#include <gtest/gtest.h>

#include "wire/surrogates.h"
#include "wire/utf8.h"

namespace wire {
namespace {

using Kind = Fault::Kind;

void expect_fault(std::string_view text, Kind kind, std::string_view details) {
  const Message message(text);
  ASSERT_TRUE(message.fault()) << text;
  EXPECT_EQ(message.fault()->kind, kind) << text;
  EXPECT_EQ(message.fault()->details, details) << text;
}

TEST(MessageTest, WhatIsNoJsonSaysWhere) {
  expect_fault("", Kind::malformed_json, "incomplete JSON at byte 0");
  expect_fault("{\"type\":", Kind::malformed_json, "incomplete JSON at byte 8");
  expect_fault("{\"type\" x}", Kind::malformed_json, "syntax error at byte 8");
  expect_fault("{} {}", Kind::malformed_json, "extra data at byte 3");
  expect_fault("{\"type\":\"a\xff\"}", Kind::malformed_json, "syntax error at byte 10");
  expect_fault("\xef\xbb\xbf{}", Kind::malformed_json, "syntax error at byte 0");
}

TEST(MessageTest, WhatIsNoMessageSaysWhy) {
  expect_fault("[]", Kind::not_a_message, "a message must be an object");
  expect_fault("null", Kind::not_a_message, "a message must be an object");
  expect_fault("\"input\"", Kind::not_a_message, "a message must be an object");
  expect_fault("{}", Kind::not_a_message, "type is missing");
  expect_fault("{\"type\":null}", Kind::not_a_message, "type is missing");
  expect_fault("{\"type\":5}", Kind::not_a_message, "type must be a string");
  expect_fault("{\"type\":\"a\",\"data\":\"x\"}", Kind::not_a_message, "data must be an object");
  expect_fault("{\"type\":\"a\",\"data\":[]}", Kind::not_a_message, "data must be an object");
}

TEST(MessageTest, NestingIsBounded) {
  const std::string deep =
      "{\"type\":\"a\",\"x\":" + std::string(31, '[') + std::string(31, ']') + "}";
  EXPECT_FALSE(Message(deep).fault());
  const std::string deeper =
      "{\"type\":\"a\",\"x\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  ASSERT_TRUE(Message(deeper).fault());
  EXPECT_EQ(Message(deeper).fault()->kind, Kind::malformed_json);
}

TEST(MessageTest, TheNumberOfValuesIsBounded) {
  const auto with = [](std::size_t zeros) {
    std::string text = R"({"type":"a","x":[0)";
    for (std::size_t i = 1; i < zeros; ++i) text += ",0";
    return text + "]}";
  };
  // The type, the list and the message count too.
  EXPECT_FALSE(Message(with(10'000 - 3)).fault());
  expect_fault(with(10'000 - 2), Kind::malformed_json, "more than 10000 values");
  expect_fault(with(500'000), Kind::malformed_json, "more than 10000 values");
}

TEST(MessageTest, TheLastOfTwoCounts) {
  Message message(R"({"type":"a","type":"b","data":{"x":1,"x":2}})");
  EXPECT_EQ(message.type(), "b");
  EXPECT_EQ(message.number("x", Need::required, 0, 9), 2U);
}

TEST(MessageTest, NullIsNotThere) {
  Message message(R"({"type":"a","data":null})");
  EXPECT_EQ(message.data("x"), nullptr);
  EXPECT_FALSE(message.text("x", Need::optional));
  EXPECT_FALSE(message.fault());
  EXPECT_FALSE(message.text("x", Need::required));
  EXPECT_EQ(message.fault()->details, "x is missing");
}

TEST(MessageTest, TheFirstFaultStays) {
  Message message(R"({"type":"a","data":{"x":1}})");
  (void)message.text("x", Need::required);
  (void)message.text("y", Need::required);
  EXPECT_EQ(message.fault()->details, "x must be a string");
}

TEST(MessageTest, NumbersAreWholeAndNotNegative) {
  const auto number = [](std::string_view json) {
    Message message("{\"type\":\"a\",\"data\":{\"x\":" + std::string(json) + "}}");
    return message.offset("x");
  };
  EXPECT_EQ(number("0"), 0U);
  EXPECT_EQ(number("80.0"), 80U);
  EXPECT_EQ(number("8e1"), 80U);
  EXPECT_EQ(number("-0.0"), 0U);
  EXPECT_EQ(number("9007199254740993"), 9007199254740993U);
  EXPECT_EQ(number("18446744073709551615"), 18446744073709551615U);
  EXPECT_EQ(number("\"18446744073709551615\""), 18446744073709551615U);
  for (const std::string_view wrong :
       {"-1", "80.5", "18446744073709551616", "1e300", "1e999", "true", "[]", "\"\"", "\"-1\"",
        "\"1x\"", "\" 1\"", "\"1.0\"", "\"18446744073709551616\""})
    EXPECT_FALSE(number(wrong)) << wrong;
}

TEST(MessageTest, AMegabyteOfTextIsRead) {
  std::string text = "{\"type\":\"input\",\"data\":{\"data\":\"";
  for (int i = 0; i < 100'000; ++i) text += "line\\r\\n😀";
  text += "\"}}";
  Message message(text);
  EXPECT_EQ(message.text("data", Need::required)->size(), 1'000'000U);
}

TEST(SurrogatesTest, ALoneOneBecomesAReplacement) {
  const auto text = [](std::string_view json) {
    Message message("{\"type\":\"a\",\"data\":{\"x\":\"" + std::string(json) + "\"}}");
    return message.text("x", Need::required).value_or("refused");
  };
  EXPECT_EQ(text(R"(\ud83d\ude00)"), "😀");
  EXPECT_EQ(text(R"(a\ud83d)"), "a\xef\xbf\xbd");
  EXPECT_EQ(text(R"(\ud83dx)"), "\xef\xbf\xbdx");
  EXPECT_EQ(text(R"(\ude00\ud83d)"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(text(R"(\ud83d\ud83d\ude00)"), "\xef\xbf\xbd😀");
  EXPECT_EQ(text(R"(\ud83d\n)"), "\xef\xbf\xbd\n");
  EXPECT_EQ(text(R"(\\ud83d)"), "\\ud83d");
  EXPECT_EQ(text(R"(\\\ud83d)"), "\\\xef\xbf\xbd");
  EXPECT_EQ(text(R"(\uDEAD\u0041)"),
            "\xef\xbf\xbd"
            "A");
}

TEST(SurrogatesTest, WhatIsNoJsonStaysSo) {
  for (const std::string_view text :
       {"\\", "\\u", "\\ud83", "\\ud83d\\", "\\ud83d\\u", "\\ud8-1", "x\\"})
    EXPECT_TRUE(Message(text).fault()) << text;
  EXPECT_EQ(without_lone_surrogates("\\ud83d\\"), "\\ufffd\\");
  EXPECT_EQ(without_lone_surrogates("\\u d83"), "\\u d83");
}

TEST(ExcerptTest, ShortAndWithoutControlCharacters) {
  EXPECT_EQ(excerpt("a\x1b"), "\"a\\u001b\"");
  EXPECT_EQ(excerpt(std::string(41, 'x')), "\"" + std::string(40, 'x') + "…\"");
  EXPECT_EQ(excerpt(std::string(40, 'x')), "\"" + std::string(40, 'x') + "\"");
}

TEST(Utf8Test, CharactersAreCounted) {
  EXPECT_EQ(count_characters(""), 0U);
  EXPECT_EQ(count_characters("aé€😀"), 4U);
  EXPECT_EQ(count_characters("\xff\xe2\x82z"), 3U);
  EXPECT_EQ(first_characters("aé€😀", 2), "aé");
  EXPECT_EQ(first_characters("aé", 9), "aé");
}

TEST(Utf8Test, ControlCharactersAreFound) {
  for (const std::string_view text : {"\n", "a\x7f", "\xc2\x80", "\xc2\x9f", "\x1b"})
    EXPECT_TRUE(has_control_characters(text)) << text;
  for (const std::string_view text : {"", "a b", "é", "\xc2\xa0", "\xe2\x80\xa8", "\xc2"})
    EXPECT_FALSE(has_control_characters(text)) << text;
}

}  // namespace
}  // namespace wire
