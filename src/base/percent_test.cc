#include "base/percent.h"

#include <gtest/gtest.h>

namespace base {
namespace {

TEST(PercentTest, WhatIsEncodedIsDecoded) {
  EXPECT_EQ(decode_percents(""), "");
  EXPECT_EQ(decode_percents("plain"), "plain");
  EXPECT_EQ(decode_percents("a%20b%2F%c3%BC"), "a b/ü");
  EXPECT_EQ(decode_percents("%00"), std::string(1, '\0'));
  EXPECT_EQ(decode_percents("%2525"), "%25") << "once";
}

TEST(PercentTest, WhatEncodesNothingStays) {
  for (const char* text : {"%", "100%", "%4", "%zz", "%4z", "%%"})
    EXPECT_EQ(decode_percents(text), text);
}

TEST(PercentTest, WhatIsEncodedIsDecodedAsItWas) {
  EXPECT_EQ(encode_percents("az-09._~"), "az-09._~");
  EXPECT_EQ(encode_percents("a b/%?\xc3\xa9"), "a%20b%2F%25%3F%C3%A9");
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  EXPECT_EQ(decode_percents(encode_percents(all)), all);
}

}  // namespace
}  // namespace base
