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

}  // namespace
}  // namespace base
