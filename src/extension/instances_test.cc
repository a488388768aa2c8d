#include "extension/instances.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace extension {
namespace {

namespace json = boost::json;

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

TEST(Instances, ACommandThatAReloadHasRemovedIsTold) {
  Instances some = instances();
  (void)some.begin_reload({instance("vms", {})});
  (void)some.take_outcomes(json::parse(R"({"extensions":[{"name":"vms","status":"loaded"}]})"));
  some.find("vms")->offers.commands.erase(some.find("vms")->offers.commands.begin());
  (void)some.end_reload();
  const auto told = [&](const char* line) { return std::string(some.address(line).error().what); };
  EXPECT_EQ(told("start now"),
            "there is no command /start any more: vms was reloaded and has /list now");
  EXPECT_EQ(told("vms start"),
            "there is no command /vms start any more: vms was reloaded and has /list now");
  EXPECT_EQ(told("stop"), "there is no command /stop any more: start was removed by a reload");
  EXPECT_EQ(told("never"), "there is no command /never");
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

// --- generations ---

Instance running(const std::string& name, std::int64_t generation) {
  Instance made = instance(name, {"go"});
  made.generation = generation;
  made.runs = true;
  return made;
}

json::value outcome(const std::string& name, std::int64_t generation, const std::string& status) {
  json::object about{{"name", name}, {"generation", generation}, {"status", status}};
  if (status != "loaded")
    about["error"] = {{"message", "no such thing"}, {"file", "a.ts"}, {"line", 3}};
  return json::object{{"extensions", json::array{about}}};
}

std::vector<std::int64_t> callers(const Instances& instances, const std::string& name) {
  std::vector<std::int64_t> may;
  for (std::int64_t generation = 0; generation < 9; ++generation)
    if (instances.may_call(name, generation)) may.push_back(generation);
  return may;
}
using Generations = std::vector<std::int64_t>;

TEST(Instances, DuringAReloadCodeOfBothGenerationsMayCall) {
  Instances all;
  all.add(running("vms", 4));
  EXPECT_EQ(callers(all, "vms"), Generations{4});
  const auto list = all.begin_reload({{.name = "vms", .path = "new", .generation = 5}});
  EXPECT_EQ(json::serialize(list), R"([{"name":"vms","path":"new","generation":5}])");
  EXPECT_EQ(callers(all, "vms"), (Generations{4, 5}));
  EXPECT_TRUE(all.address("go"));  // The old code still serves.
  EXPECT_EQ(all.take_outcomes(outcome("vms", 5, "loaded")), "");
  EXPECT_TRUE(all.end_reload().empty());
  EXPECT_EQ(callers(all, "vms"), Generations{5});
}

TEST(Instances, IfTheNewCodeFailsTheOldCodeStays) {
  Instances all;
  all.add(running("vms", 4));
  (void)all.begin_reload({{.name = "vms", .path = "new", .generation = 5}});
  EXPECT_EQ(all.take_outcomes(outcome("vms", 4, "kept")),
            "vms: a.ts:3: no such thing (the previous code keeps running)");
  (void)all.end_reload();
  EXPECT_EQ(callers(all, "vms"), Generations{4});
  EXPECT_TRUE(all.find("vms")->runs);
  EXPECT_TRUE(all.address("go"));
}

TEST(Instances, CodeThatFailedOffersNothing) {
  Instances all;
  all.add(running("vms", 4));
  EXPECT_EQ(all.take_outcomes(outcome("vms", 4, "failed")), "vms: a.ts:3: no such thing");
  EXPECT_FALSE(all.find("vms")->runs);
  EXPECT_FALSE(all.address("go"));
}

TEST(Instances, WhatAReloadUnloadsMayCallUntilItEnds) {
  Instances all;
  all.replace({running("gone", 1), running("off", 2), running("stays", 3)});
  (void)all.begin_reload({{.name = "off", .disabled = true, .error = "turned off"},
                          {.name = "stays", .generation = 4}});
  EXPECT_EQ(callers(all, "gone"), Generations{1});
  EXPECT_EQ(callers(all, "off"), Generations{2});
  EXPECT_EQ(all.take_outcomes(outcome("stays", 4, "loaded")), "");
  EXPECT_EQ(all.end_reload(), (std::vector<std::string>{"gone", "off"}));
  EXPECT_TRUE(callers(all, "gone").empty());
  EXPECT_EQ(all.find("gone"), nullptr);
  EXPECT_FALSE(all.find("off")->runs);
  EXPECT_EQ(all.find("off")->error, "turned off");
  EXPECT_EQ(all.commands().size(), 1U);
}

TEST(Instances, WhileAnEarlierDaemonsLoadGoesOnNewerCodeMayCall) {
  Instances all;
  all.add(running("vms", 4));
  EXPECT_TRUE(all.may_call_while_loading("vms", 5));
  EXPECT_TRUE(all.may_call_while_loading("vms", 4));
  EXPECT_FALSE(all.may_call_while_loading("vms", 3));
  EXPECT_TRUE(all.may_call_while_loading("unheard of", 1));
  EXPECT_FALSE(all.may_call_while_loading("unheard of", 0));
  all.keep_only({"vms"});
  EXPECT_EQ(all.all().size(), 1U);
}

TEST(Instances, AnAnswerThatIsNoneIsTrouble) {
  Instances all;
  all.add(running("vms", 4));
  EXPECT_EQ(all.take_outcomes("loaded"), "the runner sent an invalid answer");
  EXPECT_EQ(all.take_outcomes(outcome("other", 1, "loaded")), "");
  EXPECT_EQ(callers(all, "vms"), Generations{4});
}

TEST(Instances, AToolIsFoundByItsNameAndTheFirstCounts) {
  Instances all;
  for (const std::string name : {"first", "second"}) {
    Instance& made = all.add(running(name, 1));
    made.offers.tools.push_back({.name = "vm", .description = name, .parameters = {}});
  }
  EXPECT_EQ(all.find_tool("vm")->first->name, "first");
  EXPECT_EQ(all.find_tool("weather").error().code, base::Code::not_found);
  ASSERT_EQ(all.tools().size(), 2U);
  EXPECT_EQ(all.tools()[1].first, "second");
}

TEST(Instances, WhyTheyDidNotLoadIsSaidOfAllButTheDisabled) {
  Instances all;
  all.replace({{.name = "vms"}, {.name = "off", .disabled = true, .error = "turned off"}});
  all.failed_to_load("no runner");
  EXPECT_EQ(all.find("vms")->error, "no runner");
  EXPECT_EQ(all.find("off")->error, "turned off");
}

TEST(Instances, AnExtensionRegistersABoundedNumberOfThings) {
  json::array named;
  json::array events;
  for (int number = 0; number < 1500; ++number) {
    named.push_back(json::object{{"name", "name" + std::to_string(number)}});
    events.emplace_back("event" + std::to_string(number));
  }
  const Registration read =
      read_registration({{"commands", named}, {"tools", named}, {"events", events}}, "vms");
  EXPECT_EQ(read.commands.size(), 1000U);
  EXPECT_EQ(read.commands.front().extension, "vms");
  EXPECT_EQ(read.tools.size(), 1000U);
  EXPECT_EQ(read.events.size(), 1000U);
  EXPECT_TRUE(read.events.contains("event999"));
  EXPECT_FALSE(read.events.contains("event1000"));
}

}  // namespace
}  // namespace extension
