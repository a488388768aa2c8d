#include "session/history_file.h"

#include <gtest/gtest.h>

#include <random>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "session/history_folder.h"
#include "session/test_files.h"

namespace session {
namespace {

namespace asio = boost::asio;
using namespace std::string_literals;

SavedHistory example() {
  return {.saved = base::WallTime(std::chrono::milliseconds(1763000000123)),
          .size = {.cols = 80, .rows = 24},
          .rows = "\5\0\0\0\0$ ls"s};
}

// The worked example of docs/store.md.
std::string example_file() {
  static constexpr unsigned char kBytes[] = {
      0x48, 0x46, 0x53, 0x54, 0x52, 0x4f, 0x57, 0x53, 0x01, 0x00, 0x00, 0x00, 0x50, 0x00, 0x18,
      0x00, 0x7b, 0x1e, 0xfd, 0x7a, 0x9a, 0x01, 0x00, 0x00, 0x09, 0x00, 0x00, 0x00, 0x12, 0x00,
      0x00, 0x00, 0xf3, 0xb0, 0x45, 0x24, 0x2c, 0x56, 0xf7, 0xf7, 0x28, 0xb5, 0x2f, 0xfd, 0x20,
      0x09, 0x49, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00, 0x24, 0x20, 0x6c, 0x73};
  return {reinterpret_cast<const char*>(kBytes), sizeof kBytes};
}

std::string hex(const std::string& bytes) {
  std::string out;
  for (const char byte : bytes) {
    char text[4];
    std::snprintf(text, sizeof text, "%02x ", static_cast<unsigned char>(byte));
    out += text;
  }
  return out;
}

TEST(HistoryFileTest, IsWhatTheDocumentationShows) {
  const auto encoded = encode_history(example());
  ASSERT_TRUE(encoded);
  EXPECT_EQ(hex(*encoded), hex(example_file()));
  const auto decoded = decode_history(example_file());
  ASSERT_TRUE(decoded) << decoded.error().message();
  EXPECT_EQ(*decoded, example());
}

TEST(HistoryFileTest, CommandsFollowTheRows) {
  SavedHistory history = example();
  history.commands = "commands";
  const auto encoded = encode_history(history);
  ASSERT_TRUE(encoded);
  const auto decoded = decode_history(*encoded);
  ASSERT_TRUE(decoded) << decoded.error().message();
  EXPECT_EQ(*decoded, history);
}

TEST(HistoryFileTest, ComesBackAsItWas) {
  SavedHistory history = example();
  for (int i = 0; i < 100'000; ++i) history.rows += std::to_string(i * 7919);
  history.rows.resize(std::min(history.rows.size(), kMostSavedRows));
  const auto encoded = encode_history(history);
  ASSERT_TRUE(encoded);
  EXPECT_LT(encoded->size(), history.rows.size());
  const auto decoded = decode_history(*encoded);
  ASSERT_TRUE(decoded) << decoded.error().message();
  EXPECT_EQ(*decoded, history);
}

TEST(HistoryFileTest, ACutOrChangedOneIsCorrupt) {
  const std::string whole = *encode_history(example());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto decoded = decode_history(whole.substr(0, size));
    ASSERT_FALSE(decoded) << size;
    EXPECT_EQ(decoded.error().code, base::Code::corrupt);
  }
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
      ASSERT_FALSE(decode_history(changed)) << at;
    }
  EXPECT_FALSE(decode_history(whole + "x"));
}

TEST(HistoryFileTest, RandomBytesAreCorrupt) {
  std::mt19937 random(1);
  const std::string whole = *encode_history(example());
  for (int i = 0; i < 10'000; ++i) {
    std::string bytes = whole.substr(0, random() % whole.size());
    bytes.resize(random() % 200, static_cast<char>(random()));
    for (char& byte : bytes)
      if (random() % 8 == 0) byte = static_cast<char>(random());
    ASSERT_TRUE(bytes == whole || !decode_history(bytes));
  }
}

class HistoryFolderTest : public StoreTest {
 protected:
  template <class Work>
  auto await(Work work) {
    asio::io_context io(1);
    std::invoke_result_t<Work> awaitable = work();
    std::optional<typename std::invoke_result_t<Work>::value_type> result;
    asio::co_spawn(io, std::move(awaitable), [&](const std::exception_ptr& error, auto value) {
      if (error) std::rethrow_exception(error);
      result = std::move(value);
    });
    io.run();
    return *std::move(result);
  }
  HistoryFolder::Outcome save(const std::string& id) {
    return await([&] {
      std::vector<HistoryFolder::Entry> one;
      one.push_back({.id = TerminalId(id), .history = example()});
      return folder_.save(std::move(one));
    });
  }
  auto load(const std::string& id) {
    return await([&] { return folder_.load(TerminalId(id)); });
  }
  [[nodiscard]] std::filesystem::path file(const std::string& name) const {
    return folder() / name;
  }
  [[nodiscard]] std::filesystem::path folder() const { return dir() / "state" / "history"; }

  HistoryFolder folder_{dir() / "state" / "history"};
};

TEST_F(HistoryFolderTest, IsForItsOwnerAlone) {
  EXPECT_FALSE(save("a1").error);
  EXPECT_EQ(mode_of(folder()), 0700U);
  EXPECT_EQ(mode_of(file("a1.rows")), 0600U);
  EXPECT_FALSE(exists(file("a1.rows.new")));
  const auto loaded = load("a1");
  ASSERT_TRUE(loaded && *loaded);
  EXPECT_EQ(**loaded, example());
}

TEST_F(HistoryFolderTest, WhatIsNotThereIsNoError) {
  const auto loaded = load("a1");
  ASSERT_TRUE(loaded);
  EXPECT_FALSE(*loaded);
}

TEST_F(HistoryFolderTest, ADamagedOneIsSetAside) {
  save("a1");
  write_all(file("a1.rows"), "HFSTROWS and then nothing of the kind");
  const auto loaded = load("a1");
  ASSERT_TRUE(loaded);
  EXPECT_FALSE(*loaded);
  EXPECT_FALSE(exists(file("a1.rows")));
  EXPECT_EQ(read_all(file("a1.rows.corrupt")), "HFSTROWS and then nothing of the kind");
}

TEST_F(HistoryFolderTest, KeepsOnlyWhatIsKnown) {
  for (const char* id : {"a1", "b2", "c.rows"}) save(id);
  write_all(file("a1.rows.new"), "half");
  write_all(file("b2.rows.corrupt"), "bad");
  folder_.keep_only({"a1", "c.rows"});
  EXPECT_TRUE(*load("a1"));  // Runs after everything asked before.
  EXPECT_TRUE(*load("c.rows"));
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"a1.rows", "c.rows.rows"}));
  folder_.remove(TerminalId("a1"));
  EXPECT_FALSE(*load("a1"));
}

TEST_F(HistoryFolderTest, OneThatCannotBeSavedStopsNoOther) {
  std::filesystem::create_directories(file("a1.rows"));      // It cannot be put in place.
  std::filesystem::create_directories(file("b2.rows.new"));  // It cannot even be written.
  const auto outcome = await([&] {
    std::vector<HistoryFolder::Entry> entries;
    for (const char* id : {"a1", "b2", "c3"})
      entries.push_back({.id = TerminalId(id), .history = example()});
    return folder_.save(std::move(entries));
  });
  EXPECT_TRUE(outcome.error);
  EXPECT_EQ(outcome.failed, (std::vector{TerminalId("b2"), TerminalId("a1")}));
  EXPECT_TRUE(*load("c3"));
  EXPECT_FALSE(load("a1")) << "a folder can be opened, but not read";
  folder_.remove(TerminalId("a1"));  // Nor can it be removed. That stops nothing either.
  EXPECT_TRUE(*load("c3"));
}

TEST_F(HistoryFolderTest, ALinkIsNotFollowed) {
  std::filesystem::create_directories(folder());
  write_all(dir() / "precious", "precious");
  create_symlink(dir() / "precious", file("a1.rows.new"));
  create_symlink(dir() / "precious", file("b2.rows"));
  EXPECT_EQ(save("a1").failed, std::vector{TerminalId("a1")});
  EXPECT_EQ(read_all(dir() / "precious"), "precious");
  EXPECT_FALSE(load("b2"));
}

TEST_F(HistoryFolderTest, AFolderThatCannotBeMadeIsAnError) {
  std::filesystem::create_directories(dir() / "state");
  write_all(folder(), "a file stands there");
  const auto outcome = save("a1");
  EXPECT_TRUE(outcome.error);
  EXPECT_EQ(outcome.failed, std::vector{TerminalId("a1")});
}

}  // namespace
}  // namespace session
