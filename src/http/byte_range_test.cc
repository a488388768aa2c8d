#include "http/byte_range.h"

#include <gtest/gtest.h>

namespace http {
namespace {

TEST(ByteRangeTest, OneRangeWithABeginningCounts) {
  EXPECT_EQ(parse_range("bytes=0-", 10), (ByteRange{.begin = 0, .size = 10}));
  EXPECT_EQ(parse_range("bytes=4-", 10), (ByteRange{.begin = 4, .size = 6}));
  EXPECT_EQ(parse_range("bytes=4-4", 10), (ByteRange{.begin = 4, .size = 1}));
  EXPECT_EQ(parse_range("bytes=4-9", 10), (ByteRange{.begin = 4, .size = 6}));
  EXPECT_EQ(parse_range("bytes=4-18446744073709551615", 10), (ByteRange{.begin = 4, .size = 6}));
}

TEST(ByteRangeTest, BehindTheEndIsNothing) {
  EXPECT_EQ(parse_range("bytes=10-", 10), std::nullopt);
  EXPECT_EQ(parse_range("bytes=0-", 0), std::nullopt);
  EXPECT_EQ(parse_range("bytes=18446744073709551615-", 10), std::nullopt);
}

TEST(ByteRangeTest, AnythingElseIsEverything) {
  for (const char* header :
       {"", "bytes", "bytes=", "bytes=-", "bytes=-5", "bytes=5", "bytes=1-2,4-5", "bytes= 1-2",
        "bytes=+1-2", "bytes=2-1", "lines=1-2", "bytes=1-x", "bytes=18446744073709551616-",
        "bytes=1--2", "bytes=0x1-"})
    EXPECT_EQ(parse_range(header, 10), (ByteRange{.begin = 0, .size = 10})) << header;
}

TEST(ByteRangeTest, AWholeNumberIsDigitsAlone) {
  EXPECT_EQ(parse_whole("0"), 0U);
  EXPECT_EQ(parse_whole("18446744073709551615"), 18446744073709551615U);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1.0", "0x1", "18446744073709551616"})
    EXPECT_EQ(parse_whole(text), std::nullopt) << text;
}

}  // namespace
}  // namespace http
