#include "session/terminals.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

namespace session {
namespace {

TerminalEntry entry(const std::string& key, const std::string& user) {
  TerminalEntry made;
  made.key = TerminalId(key);
  made.id = made.key;
  made.user = UserId(user);
  return made;
}

std::vector<std::string> keys(const Terminals& terminals, const std::string& user) {
  std::vector<std::string> found;
  for (const auto& [key, each] : terminals.of(UserId(user))) {
    EXPECT_EQ(each, terminals.find(key));
    found.push_back(key);
  }
  return found;
}

using Keys = std::vector<std::string>;

class TerminalsTest : public ::testing::Test {
 protected:
  boost::asio::io_context io;
  Terminals terminals{io.get_executor()};
};

TEST_F(TerminalsTest, AUserHasWhatWasAdded) {
  EXPECT_TRUE(terminals.add(entry("a1", "ada")));
  EXPECT_TRUE(terminals.add(entry("b1", "bob")));
  EXPECT_TRUE(terminals.add(entry("a2", "ada")));
  EXPECT_EQ(keys(terminals, "ada"), (Keys{"a1", "a2"}));
  EXPECT_EQ(keys(terminals, "bob"), Keys{"b1"});
  EXPECT_EQ(keys(terminals, "eve"), Keys{});
}

TEST_F(TerminalsTest, AKeyIsAddedOnce) {
  EXPECT_TRUE(terminals.add(entry("a1", "ada")));
  EXPECT_FALSE(terminals.add(entry("a1", "bob")));
  EXPECT_EQ(keys(terminals, "ada"), Keys{"a1"});
  EXPECT_EQ(keys(terminals, "bob"), Keys{});
}

TEST_F(TerminalsTest, WhatWasTakenOutIsGoneUntilItIsPutBack) {
  terminals.add(entry("a1", "ada"));
  const TerminalEntry* const before = terminals.find("a1");
  auto taken = terminals.take_out("a1");
  EXPECT_EQ(terminals.find("a1"), nullptr);
  EXPECT_EQ(keys(terminals, "ada"), Keys{});
  EXPECT_TRUE(terminals.take_out("a1").empty());
  terminals.put_back(std::move(taken));
  EXPECT_EQ(terminals.find("a1"), before);
  EXPECT_EQ(keys(terminals, "ada"), Keys{"a1"});
}

}  // namespace
}  // namespace session
