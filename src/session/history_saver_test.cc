// What terminals show, on the disk: when it is written, when it goes, and what is done with files
// that cannot be used.

#include "session/history_saver.h"

#include "session/history_file.h"
#include "session/test_successor.h"
#include "vt/saved_rows.h"

namespace session {
namespace {

namespace fs = std::filesystem;
using keeper::Tag;

class HistorySaverTest : public SuccessorTest {
 protected:
  [[nodiscard]] fs::path folder() const { return dir() / "histories"; }
  [[nodiscard]] fs::path file(const std::string& id) const { return folder() / (id + ".rows"); }
  // What a saved history shows; empty if there is none.
  std::string saved(const std::string& id) {
    const auto history = decode_history(read_all(file(id)));
    return history ? vt::rows_as_output(history->rows, history->size.cols).value_or("") : "";
  }
  // Shows what a terminal that is restored shows.
  std::string restored(const std::string& id) {
    const auto answer = restore(id);
    keeper_.start(asked(Tag::spawn));
    run_until([&] { return answer->has_value(); });
    return shown(*(*answer)->value());
  }
};

TEST_F(HistorySaverTest, AfterAWhileWhatIsShownIsOnTheDisk) {
  have("a");
  print("a", "hello");
  run_until([&] { return saved("a").contains("hello"); });
  print("a", "again");
  run_until([&] { return saved("a").contains("again"); });
  EXPECT_EQ(mode_of(file("a")), 0600u);
}

TEST_F(HistorySaverTest, WhatWasPrintedLastIsSavedWhenTheDaemonEnds) {
  have("a");
  print("a", "hello");
  end_first();
  EXPECT_TRUE(saved("a").contains("hello"));
}

TEST_F(HistorySaverTest, TurningItOffDeletesAndTurningItOnSavesWhatIsThere) {
  have("a");
  print("a", "hello");
  run_until([&] { return fs::exists(file("a")); });
  sessions_.set_save_history(false);
  run_until([&] { return !fs::exists(file("a")); });
  sessions_.set_save_history(false);
  sessions_.set_save_history(true);
  run_until([&] { return saved("a").contains("hello"); });
}

TEST_F(HistorySaverTest, NothingIsSavedOfWhatLivesAsLongAsItsConnection) {
  TerminalSpec spec = spec_of("a");
  spec.lifetime = Lifetime::connection;
  have(spec);
  have("b");
  print("a", "hello");
  print("b", "hello");
  end_first();
  EXPECT_TRUE(fs::exists(file("b")));
  EXPECT_FALSE(fs::exists(file("a")));
}

TEST_F(HistorySaverTest, WhenTheDiskWorksAgainItIsSavedAgain) {
  have("a");
  have("b");
  print("a", "hello");
  print("b", "hello");
  write_all(folder(), "in the way");
  keeper_.forget("a");
  look_again();
  run_until([&] { return stage("a") == Stage::restorable; });  // It could not be saved.
  fs::remove(folder());
  keeper_.forget("b");
  look_again();
  run_until([&] { return stage("b") == Stage::restorable; });
  EXPECT_TRUE(saved("b").contains("hello"));
  EXPECT_FALSE(restored("a").contains("hello"));
}

TEST_F(HistorySaverTest, ADaemonThatCannotSaveEndsAllTheSame) {
  have("a");
  have("b");
  write_all(folder(), "in the way");
  print("a", "hello");
  print("b", "hello");
  keeper_.forget("b");
  look_again();
  run_until([&] { return stage("b") == Stage::restorable; });
  end_first();
  EXPECT_EQ(read_all(folder()), "in the way");
}

// --- what is found ---

TEST_F(HistorySaverTest, ADaemonRemovesTheFilesOfTerminalsThatNobodyKnows) {
  have("a");
  print("a", "hello");
  end_first();
  for (const char* name : {"gone.rows", "gone.rows.corrupt", "a.rows.new"})
    write_all(folder() / name, "old");
  EXPECT_EQ(succeed(), "");
  run_until([&] {
    return !fs::exists(folder() / "gone.rows") && !fs::exists(folder() / "gone.rows.corrupt") &&
           !fs::exists(folder() / "a.rows.new");
  });
  EXPECT_TRUE(saved("a").contains("hello"));
}

TEST_F(HistorySaverTest, ADaemonThatSavesNothingKeepsNothing) {
  have("a");
  print("a", "hello");
  end_first();
  ASSERT_TRUE(fs::exists(file("a")));
  EXPECT_EQ(succeed([](Settings& settings) { settings.save_history = false; }), "");
  run_until([&] { return !fs::exists(file("a")); });
}

TEST_F(HistorySaverTest, AFileThatIsDamagedIsSetAside) {
  have("a");
  lose("a");
  write_all(file("a"), "damaged");
  const std::string text = restored("a");
  EXPECT_TRUE(text.contains("restored"));
  EXPECT_FALSE(text.contains("saved"));
  EXPECT_EQ(read_all(folder() / "a.rows.corrupt"), "damaged");
}

TEST_F(HistorySaverTest, AFileWithRowsThatAreNoneIsSetAside) {
  have("a");
  lose("a");
  SavedHistory history;
  history.size = {.cols = 80, .rows = 24};
  history.rows = "\xff\xff\xff\xff";
  write_all(file("a"), encode_history(history).value());
  EXPECT_FALSE(restored("a").contains("saved"));
  run_until([&] { return fs::exists(folder() / "a.rows.corrupt"); });
}

TEST_F(HistorySaverTest, AFileThatCannotBeReadHindersNobody) {
  have("a");
  lose("a");
  fs::remove(file("a"));
  fs::create_directories(file("a"));
  EXPECT_TRUE(restored("a").contains("restored"));
}

}  // namespace
}  // namespace session
