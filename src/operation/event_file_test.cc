// The file of events: what is written is read, and what is damaged is not believed.

#include "operation/event_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/test_temp_dir.h"

namespace operation {
namespace {

ToldTerminal terminal(std::string name) {
  return {.user = "u",
          .session_key = "s",
          .terminal_id = "t",
          .session = "main",
          .name = std::move(name),
          .title = "a \"title\"\n",
          .status = "running",
          .rows = 24,
          .cols = 80,
          .is_attached = true};
}

LoggedEvent renamed(std::uint64_t number, std::string name) {
  return {.number = number,
          .type = "terminal_renamed",
          .key = "k",
          .at = "2026-11-15T04:12:07.123Z",
          .terminal = terminal(std::move(name))};
}

LoggedEvent of_session(std::uint64_t number, std::string type, std::string name) {
  return {.number = number,
          .type = std::move(type),
          .key = "s",
          .at = "now",
          .session = ToldSession{.user = "u", .name = std::move(name)}};
}

EventHistory example() {
  EventHistory history{.id = "log", .next = 1};
  for (std::uint64_t number = 1; number < 4; ++number) {
    history.events.push_back(renamed(number, "name " + std::to_string(number)));
    history.apply(history.events.back());
    ++history.next;
  }
  return history;
}

TEST(EventHistoryTest, EventsLeadToWhatThereIs) {
  EventHistory history = example();
  history.apply(of_session(4, "session_created", "main"));
  LoggedEvent renaming = of_session(5, "session_renamed", "other");
  renaming.old_name = "main";
  history.apply(renaming);
  EXPECT_EQ(history.sessions.at("s").name, "other");
  EXPECT_EQ(history.terminals.at("k").session, "other") << "its terminals went along";
  EXPECT_EQ(history.terminals.at("k").name, "name 3");
  history.apply(of_session(6, "session_closed", "other"));
  EXPECT_TRUE(history.sessions.empty());
  LoggedEvent closed = renamed(7, "x");
  closed.type = "terminal_closed";
  closed.reason = "user_requested";
  history.apply(closed);
  EXPECT_TRUE(history.terminals.empty());
  EXPECT_EQ(data_of(closed).substr(0, 60),
            R"({"at":"2026-11-15T04:12:07.123Z","reason":"user_requested",")");
}

TEST(EventHistoryTest, WhatIsWrittenIsRead) {
  const EventHistory history = example();
  std::string text = encode(history) + encode(renamed(4, "later"));
  const auto read = decode_history(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->id, "log");
  EXPECT_EQ(read->next, 5U);
  EXPECT_EQ(read->events.size(), 4U);
  EXPECT_EQ(read->terminals.at("k"), terminal("later"));
  EXPECT_EQ(read->events.front().terminal, terminal("name 1"));
}

// A daemon that dies while it writes leaves a part of its last line. Nobody was told of that event.
TEST(EventHistoryTest, ALastLineThatIsNotWholeDoesNotCount) {
  const std::string before = encode(example());
  const std::string line = encode(renamed(4, "later"));
  for (std::size_t size = 0; size < line.size(); ++size) {
    const auto read = decode_history(before + line.substr(0, size));
    ASSERT_TRUE(read) << size;
    ASSERT_EQ(read->next, 4U);
  }
}

TEST(EventHistoryTest, ADamagedOneIsNotBelieved) {
  const std::string good = encode(example()) + encode(renamed(4, "later"));
  const std::size_t last = good.rfind('\n', good.size() - 2) + 1;
  for (std::size_t i = 0; i < last; ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    ASSERT_FALSE(decode_history(bad)) << i;
  }
  EXPECT_FALSE(decode_history(""));
  EXPECT_FALSE(decode_history(encode(example()) + encode(renamed(6, "a gap"))));
  EXPECT_FALSE(decode_history(encode(renamed(1, "no state"))));
}

TEST(EventFileTest, ItIsWrittenAnewAndAppendedTo) {
  const base::TempDir dir;
  const std::filesystem::path path = dir.path() / "events.log";
  EventFile file(path);
  EXPECT_FALSE(file.read());
  ASSERT_TRUE(file.write(example()));
  ASSERT_TRUE(file.append(renamed(4, "later")));
  EXPECT_EQ(EventFile(path).read()->next, 5U);
  ASSERT_TRUE(file.write(example()));
  EXPECT_EQ(EventFile(path).read()->next, 4U);
}

TEST(EventFileTest, OneThatCannotBeWrittenIsGone) {
  const base::TempDir dir;
  EventFile file(dir.path() / "none/events.log");
  EXPECT_FALSE(file.write(example()));
  EXPECT_TRUE(file.append(renamed(4, "later"))) << "given up";
  EXPECT_FALSE(file.read());
}

}  // namespace
}  // namespace operation
