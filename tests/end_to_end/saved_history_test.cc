// When histories are saved, and when they are not.

#include "end_to_end/reboot_fixture.h"

namespace e2e {
namespace {

using SavedHistoryTest = RebootTest;

TEST_F(SavedHistoryTest, SavingCanBeTurnedOff) {
  start();
  make("t", "echo original", "original");
  kill_daemon();
  kill_keeper();
  start({"--save-history=false"});
  EXPECT_TRUE(eventually([&] { return !exists(history_file("t")); }));
  auto client = peer();
  EXPECT_EQ(string_at(restore(client, "t"), "type"), "created");
  const auto seat = look_at("t", [&](Seat& seat) { return shows(seat, "original"); });
  EXPECT_TRUE(seat->mirror().lines().front().starts_with("\u2500\u2500 restored \u2500"));
  stop_daemon();
  EXPECT_FALSE(exists(history_file("t")));
}

TEST_F(SavedHistoryTest, SavingCanBeTurnedOffAndOnWhileTheDaemonRuns) {
  const auto file = dir() / "c.toml";
  const auto tell = [&](const std::string& toml) {
    std::ofstream(file, std::ios::trunc) << toml;
    const auto before = log().size();
    signal_daemon(SIGHUP);
    ASSERT_TRUE(eventually(
        [&] { return log().find("configuration reloaded", before) != std::string::npos; }));
  };
  std::ofstream(file).flush();
  start({"--config", file.string()});
  make("t", "echo original", "original");
  tell("save_history = false\n");
  EXPECT_TRUE(eventually([&] { return !exists(history_file("t")); }));
  tell("");
  EXPECT_TRUE(eventually([&] { return history_in(history_file("t")).has_value(); }));
}

// Something else stands where the histories would go: people are told, and go on.
TEST_F(SavedHistoryTest, ATroubledDiskIsToldAndTriedAgain) {
  std::filesystem::create_directory(state_dir());
  std::filesystem::permissions(state_dir(), std::filesystem::perms::owner_all);
  std::ofstream(state_dir() / "history") << "not a directory";
  start();
  create("t", {"/bin/sh", "-c", "echo original; exec cat"});
  look_at("t", [&](Seat& seat) { return shows(seat, "original"); });
  EXPECT_TRUE(logged("cannot save a terminal's history; will retry"));
  std::filesystem::remove(state_dir() / "history");
  EXPECT_TRUE(eventually([&] { return history_in(history_file("t")).has_value(); }, seconds(40)));
}

// What was printed last is there too if the daemon could end in order.
TEST_F(SavedHistoryTest, ADaemonThatIsStoppedSavesEverything) {
  start();
  create("t", {"/bin/cat"});
  auto client = peer();
  const auto channel = client.attach("t");
  client.type(channel, "the very last\r");
  client.output_until(channel, "the very last");
  stop_daemon();
  const auto saved = history_in(history_file("t"));
  ASSERT_TRUE(saved);
  EXPECT_NE(saved->rows.find("the very last"), std::string::npos);
  EXPECT_EQ(std::filesystem::status(history_file("t")).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

}  // namespace
}  // namespace e2e
