#include "wire/single.h"

#include <gtest/gtest.h>

namespace wire::single {
namespace {

TEST(SingleTest, TheThreeMessages) {
  EXPECT_EQ(parse(R"({"type":"input","data":{"data":"x"}})"), Request(Input{.data = "x"}));
  EXPECT_EQ(parse(R"({"type":"resize","data":{"rows":5,"cols":0}})"),
            Request(Resize{.rows = 5, .cols = std::nullopt}));
  EXPECT_EQ(parse(R"({"type":"ping"})"), Request(Ping{}));
}

TEST(SingleTest, AnIdIsIgnoredEvenABadOne) {
  EXPECT_EQ(parse(R"({"type":"input","sessionId":7,"data":{"data":"x","sessionId":"-"}})"),
            Request(Input{.data = "x"}));
  EXPECT_EQ(parse(R"({"type":"input","sessionId":"a"})").error(),
            (Refusal{.error = "invalid message", .details = "data is missing", .session_id = {}}));
}

TEST(SingleTest, NoOtherMessages) {
  EXPECT_EQ(parse(R"({"type":"create_session","data":{"sessionId":"a"}})").error().error,
            compatible::kUnknownType);
  EXPECT_EQ(parse("{").error().error, compatible::kMalformedJson);
  EXPECT_EQ(parse("1").error().error, compatible::kInvalidMessage);
}

TEST(SingleTest, ASizeInTheAddress) {
  EXPECT_EQ(parse_dimension("24"), 24);
  EXPECT_EQ(parse_dimension("500"), 500);
  for (const std::string_view wrong : {"", "0", "501", "-1", "+5", " 5", "5x", "70000", "24.0"})
    EXPECT_EQ(parse_dimension(wrong), std::nullopt) << wrong;
}

TEST(SingleTest, ErrorsHaveNoId) {
  EXPECT_EQ(error({.error = "x", .details = "y", .session_id = "a"}),
            R"({"type":"error","data":{"error":"x","details":"y"}})");
}

}  // namespace
}  // namespace wire::single
