#include "extension/instances.h"

#include <gtest/gtest.h>

namespace extension {
namespace {

Instance instance(const std::string& name, std::vector<std::string> commands) {
  Instance made{.name = name};
  for (std::string& command : commands)
    made.offers.commands.push_back(
        {.name = std::move(command), .extension = name, .description = {}});
  return made;
}

Instances instances() {
  Instances made;
  made.replace({instance("vms", {"start", "list"}), instance("start", {"stop", "vms"})});
  return made;
}

std::string addressed(const std::string& line) {
  const Instances where = instances();
  const auto found = where.address(line);
  if (!found) return std::string(found.error().what);
  return found->instance->name + "|" + found->command + "|" + found->args;
}

TEST(Instances, ACommandIsReachedByItsShortAndItsLongName) {
  EXPECT_EQ(addressed("list"), "vms|list|");
  EXPECT_EQ(addressed("vms list"), "vms|list|");
  EXPECT_EQ(addressed("  vms   start   my vm  "), "vms|start|my vm");
  EXPECT_EQ(addressed("list a  b\n"), "vms|list|a  b");
}

TEST(Instances, TheLongNameComesFirst) {
  EXPECT_EQ(addressed("start stop"), "start|stop|");
  EXPECT_EQ(addressed("start myvm"), "vms|start|myvm");
  EXPECT_EQ(addressed("vms one"), "start|vms|one");
}

TEST(Instances, WhatIsNotThereOrNotUnique) {
  EXPECT_EQ(addressed("nothing at all"), "there is no command /nothing");
  EXPECT_EQ(addressed(""), "there is no command /");
  Instances two = instances();
  two.add(instance("third", {"list"}));
  const auto found = two.address("list");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().advice, "Type /vms list or /third list.");
  EXPECT_TRUE(two.address("third list"));
}

TEST(Instances, Words) {
  EXPECT_EQ(split_word(" a  b c"), std::pair(std::string_view("a"), std::string_view(" b c")));
  EXPECT_EQ(split_word("a"), std::pair(std::string_view("a"), std::string_view()));
  EXPECT_EQ(split_word("  "), std::pair(std::string_view(), std::string_view()));
}

}  // namespace
}  // namespace extension
