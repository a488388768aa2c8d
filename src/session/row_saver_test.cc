// Rows while the store refuses: another process's lock, held and released at every moment.

#include "session/row_saver.h"

#include <random>

#include <boost/asio/io_context.hpp>

#include "session/test_files.h"

namespace session {
namespace {

using Names = std::map<std::string, std::string>;  // Of terminals, by key.

class RowSaverTest : public StoreTest {
 protected:
  RowSaverTest() { rows_.begin(); }

  void add(const std::string& key, const std::string& name) {
    TerminalEntry entry(Stage::restorable);
    entry.key = entry.id = TerminalId(key);
    entry.user = session_.user;
    entry.session = session_;
    entry.name = name;
    entry.saved = TerminalRow{};
    EXPECT_TRUE(terminals_.add(std::move(entry)));
    rows_.save(key);
  }
  void rename(const std::string& key, const std::string& name) {
    terminals_.at(key).name = name;
    rows_.save(key);
  }
  void remove(const std::string& key) {
    terminals_.take_out(key);
    rows_.save(key);
  }

  void lock() { EXPECT_TRUE(other_.execute("BEGIN IMMEDIATE")); }
  void unlock() { EXPECT_TRUE(other_.execute("ROLLBACK")); }

  [[nodiscard]] Names in_memory() const {
    Names names;
    for (const auto& [key, entry] : terminals_) names[key] = entry.name.value_or("");
    return names;
  }
  Names in_store() {
    Names names;
    const auto rows = store_.terminals();
    for (const TerminalRow& row : rows.value()) names[row.id.str()] = row.name.value_or("");
    return names;
  }
  // What a daemon would find that starts now.
  Names found_by_successor() {
    std::map<std::string, TerminalRow> rows;
    const auto stored = store_.terminals();
    for (const TerminalRow& row : stored.value()) rows.emplace(row.id.str(), row);
    boost::asio::io_context io;
    Terminals none(io.get_executor());
    RowSaver(io.get_executor(), store_, none, unsaved_file()).learn_unsaved(rows);
    Names names;
    for (const auto& [key, row] : rows) names[key] = row.name.value_or("");
    return names;
  }
  [[nodiscard]] std::filesystem::path unsaved_file() const { return dir() / "unsaved.json"; }

  boost::asio::io_context io_;
  Store store_ = Store::open(path(), {.busy_timeout = std::chrono::milliseconds(0)}).value();
  SessionRow session_ = store_.ensure_session(store_.ensure_user("ann").value().id, "main").value();
  Terminals terminals_{io_.get_executor()};
  RowSaver rows_{io_.get_executor(), store_, terminals_, unsaved_file()};
  Database other_ = Database::open(path(), std::chrono::milliseconds(0)).value();
};

TEST_F(RowSaverTest, ARefusedRowIsSavedWhenTheStoreTakesItAgain) {
  add("a", "one");
  lock();
  rename("a", "two");
  rename("a", "three");
  EXPECT_TRUE(rows_.has_unsaved());
  EXPECT_EQ(in_store(), (Names{{"a", "one"}}));
  EXPECT_EQ(found_by_successor(), (Names{{"a", "three"}}));
  rows_.save_unsaved();
  EXPECT_TRUE(rows_.has_unsaved());
  unlock();
  rows_.save_unsaved();
  EXPECT_FALSE(rows_.has_unsaved());
  EXPECT_EQ(in_store(), (Names{{"a", "three"}}));
  EXPECT_FALSE(std::filesystem::exists(unsaved_file()));
}

TEST_F(RowSaverTest, WhatIsRemovedWhileTheStoreRefusesDoesNotComeBack) {
  add("a", "one");
  lock();
  rename("a", "two");
  remove("a");
  EXPECT_EQ(found_by_successor(), Names{});
  unlock();
  rows_.save_unsaved();
  EXPECT_EQ(in_store(), Names{});
}

TEST_F(RowSaverTest, TheTimerTriesAgain) {
  lock();
  add("a", "one");
  unlock();
  while (rows_.has_unsaved()) ASSERT_EQ(io_.run_one_for(std::chrono::seconds(30)), 1u);
  EXPECT_EQ(in_store(), (Names{{"a", "one"}}));
}

TEST_F(RowSaverTest, TheLastDaemonsFileStaysUntilItsTerminalsAreKnown) {
  lock();
  add("a", "one");
  boost::asio::io_context io;
  Terminals terminals(io.get_executor());
  RowSaver successor(io.get_executor(), store_, terminals, unsaved_file());
  std::map<std::string, TerminalRow> rows;
  successor.learn_unsaved(rows);
  EXPECT_EQ(rows.size(), 1u);
  TerminalEntry entry(Stage::restorable);
  entry.key = entry.id = TerminalId("b");
  entry.session = session_;
  entry.saved = TerminalRow{};
  terminals.add(std::move(entry));
  successor.save("b");  // Refused, like everything. It must not replace the file.
  EXPECT_EQ(found_by_successor(), (Names{{"a", "one"}}));
  unlock();
}

// Whatever happens in whatever order: a successor finds what is in memory, and once the store takes
// rows again, it has it.
TEST_F(RowSaverTest, ASuccessorFindsWhatIsInMemoryAtEveryMoment) {
  std::minstd_rand random(1);
  bool is_locked = false;
  for (int step = 0; step < 500; ++step) {
    SCOPED_TRACE(step);
    const std::string key(1, static_cast<char>('a' + random() % 4));
    const bool is_there = terminals_.find(key) != nullptr;
    switch (random() % 5) {
      case 0:
        is_there ? rename(key, std::to_string(step)) : add(key, std::to_string(step));
        break;
      case 1:
        if (is_there) remove(key);
        break;
      case 2:
        is_locked ? unlock() : lock();
        is_locked = !is_locked;
        break;
      case 3:
        rows_.save_unsaved();
        break;
      case 4:
        if (is_there) rows_.note(terminals_.at(key), "seen");
        break;
    }
    ASSERT_EQ(found_by_successor(), in_memory());
    if (!rows_.has_unsaved()) {
      ASSERT_EQ(in_store(), in_memory());
    }
  }
  if (is_locked) unlock();
  rows_.save_all();
  EXPECT_EQ(in_store(), in_memory());
}

}  // namespace
}  // namespace session
