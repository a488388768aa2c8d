#include "extension/params.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

namespace extension {
namespace {

namespace json = boost::json;

json::object object(const char* text) {
  return json::parse(text).get_object();
}

TEST(Params, WhatIsThereIsRead) {
  const auto message = object(
      R"({"t":"x","n":7,"d":7.5,"l":["a","b"],"p":[1,2],"e":{"A":"1"},"o":[{"k":1}],"z":null})");
  Params params(message);
  EXPECT_EQ(params.text("t"), "x");
  EXPECT_EQ(params.optional_text("z"), std::nullopt);
  EXPECT_EQ(params.number("n", 0), 7);
  EXPECT_EQ(params.number("d", 0), 7);
  EXPECT_EQ(params.number("missing", 9), 9);
  EXPECT_EQ(params.texts("l"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(params.numbers("p"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(params.pairs("e").size(), 1U);
  EXPECT_EQ(params.objects("o").size(), 1U);
  EXPECT_TRUE(params.fault());
}

TEST(Params, TheFirstThatIsWrongIsRemembered) {
  const auto message = object(
      R"({"t":1,"n":"7","huge":1e300,"l":"a","m":["a",1],"p":["x"],"e":[],"f":{"A":1},"o":[1]})");
  const auto fault = [&](auto read) {
    Params params(message);
    (void)read(params);
    (void)params.text("nothing");
    return std::string(params.fault().error().what);
  };
  EXPECT_EQ(fault([](Params& params) { return params.text("t"); }), "t must be a string");
  EXPECT_EQ(fault([](Params& params) { return params.number("n", 0); }), "n must be a number");
  EXPECT_EQ(fault([](Params& params) { return params.number("huge", 0); }),
            "huge must be a number");
  EXPECT_EQ(fault([](Params& params) { return params.texts("l"); }), "l must be a list");
  EXPECT_EQ(fault([](Params& params) { return params.texts("m"); }), "m must be a list of strings");
  EXPECT_EQ(fault([](Params& params) { return params.numbers("p"); }),
            "p must be a list of numbers");
  EXPECT_EQ(fault([](Params& params) { return params.pairs("e"); }), "e must be an object");
  EXPECT_EQ(fault([](Params& params) { return params.pairs("f"); }),
            "f must be an object of strings");
  EXPECT_EQ(fault([](Params& params) { return params.objects("o"); }),
            "o must be a list of objects");
}

}  // namespace
}  // namespace extension
