#include "config/value.h"

#include <gtest/gtest.h>

#include <optional>

namespace config {
namespace {

template <class T>
std::optional<T> parse(std::string_view text, const Context& context = {}) {
  T value{};
  if (!read(text, context, value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> milliseconds(std::string_view text, Range range = {}) {
  const auto duration = parse<Duration>(text, {.range = range, .directory = {}, .home = {}});
  return duration ? std::optional(duration->count()) : std::nullopt;
}

TEST(ValueTest, AnEndpointIsANumericAddressAndAPort) {
  EXPECT_EQ(parse<Endpoint>("127.0.0.1:7420"), (Endpoint{"127.0.0.1", 7420}));
  EXPECT_EQ(parse<Endpoint>("0.0.0.0:0"), (Endpoint{"0.0.0.0", 0}));
  EXPECT_EQ(parse<Endpoint>("[::1]:65535"), (Endpoint{"::1", 65535}));
  for (const auto* bad : {"", ":", "7420", ":7420", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
                          "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1:1x", "localhost:1", "::1:7420",
                          "[127.0.0.1]:1", "[]:1", "[::1]", "[", "]:1", "127.0.0.1 :1"})
    EXPECT_FALSE(parse<Endpoint>(bad)) << bad;
}

TEST(ValueTest, AnEndpointEndsWhereItSeemsTo) {
  EXPECT_FALSE(parse<Endpoint>(std::string_view("127.0.0.1\0x:80", 14)));
}

TEST(ValueTest, AnEndpointIsShownAsItIsWritten) {
  EXPECT_EQ(show(Endpoint{"127.0.0.1", 7420}), "127.0.0.1:7420");
  EXPECT_EQ(show(Endpoint{"::1", 0}), "[::1]:0");
}

TEST(ValueTest, ADurationIsSecondsOrHasUnits) {
  EXPECT_EQ(milliseconds("0"), 0);
  EXPECT_EQ(milliseconds("30"), 30'000);
  EXPECT_EQ(milliseconds("0.2"), 200);
  EXPECT_EQ(milliseconds(".5"), 500);
  EXPECT_EQ(milliseconds("5m"), 300'000);
  EXPECT_EQ(milliseconds("1h30m"), 5'400'000);
  EXPECT_EQ(milliseconds("1.5h"), 5'400'000);
  EXPECT_EQ(milliseconds("250ms"), 250);
  EXPECT_EQ(milliseconds("30s"), 30'000);
  for (const auto* bad : {"", "-1", "+1", "abc", "1e3", "inf", "nan", "1.2.3", ".", "5x", "5 m",
                          "m", "1h30", "1hm", "30 ", " 30", "0x10", "1h-5m"})
    EXPECT_FALSE(milliseconds(bad)) << bad;
}

TEST(ValueTest, TheShortestDurationDoesNotBecomeNever) {
  EXPECT_EQ(milliseconds("0.00001"), 1);
}

TEST(ValueTest, ADurationStaysInItsRange) {
  EXPECT_EQ(milliseconds("0.1", {100, 2000}), 100);
  EXPECT_EQ(milliseconds("2", {100, 2000}), 2000);
  EXPECT_FALSE(milliseconds("0.09", {100, 2000}));
  EXPECT_FALSE(milliseconds("2.1", {100, 2000}));
  EXPECT_FALSE(milliseconds(std::string(400, '9'), {100, 2000}));
}

TEST(ValueTest, ADurationIsShownInSeconds) {
  EXPECT_EQ(show(Duration(0)), "0s");
  EXPECT_EQ(show(Duration(200)), "0.2s");
  EXPECT_EQ(show(Duration(5'400'000)), "5400s");
}

TEST(ValueTest, BytesMayHaveAUnit) {
  EXPECT_EQ(parse<Bytes>("0"), 0U);
  EXPECT_EQ(parse<Bytes>("262144"), 262144U);
  EXPECT_EQ(parse<Bytes>("256KiB"), 262144U);
  EXPECT_EQ(parse<Bytes>("8 MiB"), 8388608U);
  EXPECT_EQ(parse<Bytes>("1 GiB"), 1073741824U);
  for (const auto* bad :
       {"", "-1", "1.5", "abc", "KiB", "1 kb", "1 KiBs", "1K", "99999999999999999999"})
    EXPECT_FALSE(parse<Bytes>(bad)) << bad;
  const Context bounded{.range = {4096, 8192}, .directory = {}, .home = {}};
  EXPECT_TRUE(parse<Bytes>("4096", bounded));
  EXPECT_TRUE(parse<Bytes>("8192", bounded));
  EXPECT_FALSE(parse<Bytes>("4095", bounded));
  EXPECT_FALSE(parse<Bytes>("8193", bounded));
}

TEST(ValueTest, APathBeginsWhereItsSourceSays) {
  const Context context{.range = {}, .directory = "/src", .home = "/home/u"};
  EXPECT_EQ(parse<std::filesystem::path>("/a/b", context), "/a/b");
  EXPECT_EQ(parse<std::filesystem::path>("../b", context), "/b");
  EXPECT_EQ(parse<std::filesystem::path>("~/b", context), "/home/u/b");
  EXPECT_EQ(parse<std::filesystem::path>("~b", context), "/src/~b");
  EXPECT_FALSE(parse<std::filesystem::path>("", context));
  EXPECT_FALSE(parse<std::filesystem::path>(std::string_view("a\0b", 3), context));
  EXPECT_FALSE(parse<std::filesystem::path>("~/b", {.range = {}, .directory = "/src", .home = {}}));
}

TEST(ValueTest, AListIsSeparatedByCommas) {
  EXPECT_EQ(parse<List>("a, b ,,c"), (List{"a", "b", "c"}));
  EXPECT_EQ(parse<List>(""), List{});
  EXPECT_EQ(show(List{"a", "b"}), "a, b");
  EXPECT_EQ(show(List{}), "none");
}

TEST(ValueTest, TruthsNumbersTextsAndLevels) {
  EXPECT_EQ(parse<bool>("true"), true);
  EXPECT_EQ(parse<bool>("false"), false);
  EXPECT_FALSE(parse<bool>("yes"));
  EXPECT_EQ(show(true), "true");

  const Context bounded{.range = {-5, 5}, .directory = {}, .home = {}};
  EXPECT_EQ(parse<std::int64_t>("-5", bounded), -5);
  EXPECT_FALSE(parse<std::int64_t>("6", bounded));
  EXPECT_FALSE(parse<std::int64_t>("5.0", bounded));
  EXPECT_EQ(show(std::int64_t{-5}), "-5");

  EXPECT_EQ(parse<std::string>("fish"), "fish");
  EXPECT_FALSE(parse<std::string>(""));

  EXPECT_EQ(parse<base::Level>("warning"), base::Level::warning);
  EXPECT_FALSE(parse<base::Level>("warn"));
  EXPECT_EQ(show(base::Level::debug), "debug");
}

TEST(ValueTest, ASecretIsWhatAHeaderCanCarryAndIsNotShown) {
  const std::string long_enough = "s3cr3t-_.~" + std::string(22, 'x');
  EXPECT_EQ(parse<Secret>(long_enough)->value, long_enough);
  EXPECT_FALSE(parse<Secret>(std::string(31, 'x'))) << "short enough to guess";
  EXPECT_FALSE(parse<Secret>(""));
  EXPECT_FALSE(parse<Secret>("two words" + std::string(32, 'x')));
  EXPECT_FALSE(parse<Secret>(std::string(32, 'x') + "\n"));
  EXPECT_FALSE(parse<Secret>(std::string(32, 'x') + "\xc3\xa9"));
  EXPECT_EQ(show(Secret{"s3cr3t"}), "set");
  EXPECT_EQ(show(Secret{}), "not set");
}

TEST(ValueTest, WhatIsAllowedNamesTheBounds) {
  EXPECT_EQ(form_of(Bytes{}, {4096, 64 << 20}).allowed,
            "bytes, such as 262144 or \"256 KiB\"; from 4 KiB to 64 MiB");
  EXPECT_EQ(form_of(Duration{}, {100, 60'000}).allowed,
            "seconds, such as 30 or 0.5, or units, such as 1h30m; from 0.1s to 60s");
  EXPECT_EQ(form_of(std::int64_t{}, {1, 9}).allowed, "a whole number from 1 to 9");
}

}  // namespace
}  // namespace config
