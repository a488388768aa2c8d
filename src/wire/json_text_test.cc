#include "wire/json_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include <boost/json/parse.hpp>

#include "wire/json_writer.h"

namespace wire {
namespace {

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string json(std::string_view text) {
  std::string out;
  append_json_bytes(out, bytes(text));
  return out;
}

// The text after encoding it and parsing it as JSON.
std::string decoded(std::string_view text) {
  boost::json::error_code error;
  const auto value = boost::json::parse(json(text), error);
  if (error || !value.is_string()) return "not JSON: " + json(text);
  return {value.get_string().data(), value.get_string().size()};
}

TEST(JsonTextTest, PlainTextStandsForItself) {
  EXPECT_EQ(json(""), R"("")");
  EXPECT_EQ(json("a"), R"("a")");
  EXPECT_EQ(json("seven b"), R"("seven b")");
  EXPECT_EQ(json("just eight bytes, and some more\x7f"), "\"just eight bytes, and some more\x7f\"");
}

TEST(JsonTextTest, OnlyWhatMustBeIsEscaped) {
  EXPECT_EQ(json("\x1b[31mred\x1b[0m\r\n"), R"("\u001b[31mred\u001b[0m\r\n")");
  EXPECT_EQ(json("\"\\/\b\f\t"), R"("\"\\/\b\f\t")");
  EXPECT_EQ(json(std::string("\0\x01\x1f", 3)), R"("\u0000\u0001\u001f")");
}

TEST(JsonTextTest, EveryAsciiCharacterAtEveryPlaceInAWord) {
  for (int c = 0; c < 128; ++c)
    for (std::size_t place = 0; place < 20; ++place) {
      std::string text(20, 'x');
      text[place] = static_cast<char>(c);
      ASSERT_EQ(decoded(text), text) << c << " at " << place;
    }
}

TEST(JsonTextTest, Utf8StandsForItself) {
  EXPECT_EQ(json("é€😀 日本語のテキスト"), "\"é€😀 日本語のテキスト\"");
  EXPECT_EQ(json("\xf4\x8f\xbf\xbf\xef\xbf\xbf\xed\x9f\xbf"),
            "\"\xf4\x8f\xbf\xbf\xef\xbf\xbf\xed\x9f\xbf\"");
}

// The examples of the Unicode standard, tables 3-8 to 3-11, and what browsers do.
TEST(JsonTextTest, EachMaximalInvalidPartBecomesOneReplacement) {
  const std::string r = "\xef\xbf\xbd";
  EXPECT_EQ(decoded("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"), r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(decoded("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41"), r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(decoded("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42"), r + r + r + r + r + "A" + r + r + "B");
  EXPECT_EQ(decoded("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"), r + r + r + r + "A");
  EXPECT_EQ(decoded("x\xe2\x82"), "x" + r);
  EXPECT_EQ(decoded("\xf0\x9f\x98"), r);
  EXPECT_EQ(decoded("\xc3\""), r + "\"");
}

TEST(JsonTextTest, ACharacterMayLieAcrossTheChunksItIsWorkedIn) {
  for (std::size_t before = 4080; before < 4110; ++before) {
    const std::string text = std::string(before, 'x') + "😀\x1b" + std::string(9000, 'y');
    ASSERT_EQ(decoded(text), text) << before;
  }
}

TEST(JsonTextTest, TheWorstCaseFits) {
  const std::string escapes(10'000, '\x1b');
  EXPECT_EQ(json(escapes).size(), 6 * escapes.size() + 2);
  EXPECT_EQ(json(std::string(10'000, '\xff')).size(), 30'002U);
}

TEST(JsonTextTest, ItAppends) {
  std::string out = "[";
  append_json_string(out, "a");
  out += ',';
  append_json_string(out, "b\n");
  EXPECT_EQ(out, R"(["a","b\n")");
}

TEST(JsonTextTest, RandomBytesAreValidJson) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 64, 0);
    for (char& c : text) c = static_cast<char>(random() % 4 == 0 ? random() : 'a' + random() % 4);
    ASSERT_FALSE(decoded(text).starts_with("not JSON")) << json(text);
  }
}

TEST(JsonWriterTest, CommasStandBetween) {
  std::string out;
  const std::optional<int> none;
  JsonWriter(out)
      .begin_object()
      .field("a", 1)
      .begin_array("b")
      .element("x")
      .element("y")
      .begin_object()
      .end_object()
      .end_array()
      .begin_array("e")
      .end_array()
      .field("t", true)
      .field("none", none)
      .field("some", std::optional(-3))
      .field("big", std::uint64_t{18446744073709551615U})
      .field("s", "q\"")
      .end_object();
  EXPECT_EQ(
      out,
      R"({"a":1,"b":["x","y",{}],"e":[],"t":true,"some":-3,"big":18446744073709551615,"s":"q\""})");
}

}  // namespace
}  // namespace wire
