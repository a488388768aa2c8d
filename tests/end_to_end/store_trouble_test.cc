// The database is locked, full or damaged: people go on working, and are told.

#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/statvfs.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "end_to_end/protocol_fixture.h"
#include "end_to_end/survival_fixture.h"

namespace e2e {
namespace {

// Another process's hold on the database.
class Lock {
 public:
  explicit Lock(const std::filesystem::path& path) {
    if (sqlite3_open(path.c_str(), &database_) != SQLITE_OK ||
        sqlite3_exec(database_, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr) != SQLITE_OK)
      throw std::runtime_error(std::string("lock: ") + sqlite3_errmsg(database_));
  }
  ~Lock() { sqlite3_close(database_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  sqlite3* database_ = nullptr;
};

class StoreTroubleTest : public SurvivalTest {
 protected:
  [[nodiscard]] std::filesystem::path database() const { return state_dir() / "holdfast.db"; }

  // Creates, uses and renames terminals, which must work whatever the store does.
  void work(const std::string& prefix, int terminals = 3) {
    const auto client = compatible();
    for (int i = 0; i < terminals; ++i) {
      const std::string id = prefix + std::to_string(i);
      client->send(create_session(id));
      client->expect("session_created");
      client->send(input(id, "echo works$((6*7))\r"));
      (void)output_until(*client, "works42");
      client->send(message("rename_session", {{"sessionId", id}, {"name", "name of " + id}}));
      client->expect("session_renamed");
    }
  }

  std::map<std::string, std::string> names(const std::string& token = {}) {
    const auto client = compatible(token);
    client->send(message("list_sessions"));
    const auto list = client->expect("session_list");
    std::map<std::string, std::string> names;
    for (const auto& each : list.at("data").at("sessions").as_array()) {
      const json::object& session = each.as_object();
      names[std::string(session.at("sessionId").as_string())] =
          session.contains("name") ? std::string(session.at("name").as_string()) : "";
    }
    return names;
  }

  // Until the database says so: the daemon tries again from time to time.
  bool is_saved(const std::string& name) const {
    sqlite3* database = nullptr;
    sqlite3_open_v2(this->database().c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(database, "SELECT 1 FROM terminals WHERE name = ?", -1, &statement, nullptr);
    sqlite3_bind_text(statement, 1, name.c_str(), -1, SQLITE_STATIC);
    const bool found = sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return found;
  }
};

TEST_F(StoreTroubleTest, NamesAreSavedWhenTheLockIsGone) {
  start();
  {
    const Lock lock(database());
    work("t");
    EXPECT_EQ(names()["t0"], "name of t0");
    EXPECT_TRUE(logged("cannot save"));
  }
  EXPECT_TRUE(eventually([&] { return is_saved("name of t2"); }));
  kill_daemon();
  start();
  for (const char* id : {"t0", "t1", "t2"}) EXPECT_EQ(names()[id], "name of " + std::string(id));
}

// A daemon that is killed before the database takes them leaves them to the next one.
TEST_F(StoreTroubleTest, WhatALockedDatabaseDidNotTakeOutlivesTheDaemon) {
  start();
  work("before");
  {
    const Lock lock(database());
    work("meanwhile");
    const auto client = compatible();
    client->send(message("close_session", {{"sessionId", "before0"}}));
    client->expect("session_closed");
    kill_daemon();
  }
  start();
  const auto known = names();
  EXPECT_EQ(known.size(), 5U);
  for (const auto& [id, name] : known) EXPECT_EQ(name, "name of " + id);
  EXPECT_TRUE(eventually([&] { return is_saved("name of meanwhile2"); }));
  EXPECT_FALSE(std::filesystem::exists(runtime_dir() / "unsaved.json"));
}

// Pages read on, are told at once that nothing was kept, and try again.
TEST_F(StoreTroubleTest, PreferencesAreTakenWhenTheLockIsGone) {
  start();
  NativePeer peer(native());
  const json::object preference{{"name", "theme"}, {"value", "dark"}};
  {
    const Lock lock(database());
    EXPECT_EQ(peer.refused("preference_set", preference), "busy");
    EXPECT_EQ(string_at(peer.ask("preferences"), "type"), "preferences");
  }
  EXPECT_TRUE(eventually(
      [&] { return string_at(peer.ask("preference_set", preference), "type") != "error"; }));
}

// Each attempt waits for the lock for a moment, and nothing else happens meanwhile: many terminals
// must not mean many moments.
TEST_F(StoreTroubleTest, ALockedDatabaseStopsNobodyForLong) {
  constexpr int kTerminals = 30;
  start({"--message-rate-limit", "1000000"});
  create("quiet", {"/bin/cat"});
  Seat quiet("quiet");
  quiet.sit(native(), Wire::native, Begin::anew);
  quiet.pull_until([&] { return quiet.snapshots() > 0; });
  const Lock lock(database());
  for (int i = 0; i < kTerminals; ++i) create("t" + std::to_string(i), {"/bin/cat"});
  double worst = 0;
  const auto end = std::chrono::steady_clock::now() + seconds(4);
  while (std::chrono::steady_clock::now() < end) {
    const auto before = quiet.offset();
    const auto begin = std::chrono::steady_clock::now();
    quiet.type("x");
    quiet.pull_until([&] { return quiet.offset() > before; });
    worst = std::max(
        worst, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                   .count());
  }
  std::printf("worst echo while %d rows wait for a locked database: %.0f ms\n", kTerminals, worst);
  EXPECT_LT(worst, 500);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(stop_daemon(), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(2)) << "it hangs at its end";
}

// Names that were given before and afterwards are there after the daemon's restart.
TEST_F(StoreTroubleTest, AFileThatIsRemovedIsWrittenAnew) {
  start();
  work("before");
  for (const auto& entry : std::filesystem::directory_iterator(state_dir()))
    if (entry.path().filename().native().starts_with("holdfast.db"))
      std::filesystem::remove(entry.path());
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(database()); }));
  work("after");
  EXPECT_TRUE(logged("The store's file was removed or replaced; wrote it again"));
  kill_daemon();
  start();
  const auto known = names();
  EXPECT_EQ(known.size(), 6U);
  for (const auto& [id, name] : known) EXPECT_EQ(name, "name of " + id);
}

TEST_F(StoreTroubleTest, AFullDiskStopsNoTerminal) {
  std::filesystem::create_directory(state_dir());
  std::filesystem::permissions(state_dir(), std::filesystem::perms::owner_all);
  if (::mount("none", state_dir().c_str(), "tmpfs", MS_NOSUID, "size=400k,mode=0700") != 0)
    GTEST_SKIP() << "a small file system cannot be mounted here";
  struct Unmount {
    std::filesystem::path path;
    ~Unmount() { ::umount2(path.c_str(), MNT_DETACH); }
  } const unmount{state_dir()};
  start();
  const auto ballast = state_dir() / "ballast";
  {
    std::ofstream out(ballast, std::ios::binary);
    while (out << std::string(1024, 'x') << std::flush) {
    }
  }
  work("t", 12);
  EXPECT_TRUE(logged("cannot save")) << "the disk was not full";
  EXPECT_EQ(names()["t11"], "name of t11");
  // Who restarts it now finds the terminals all the same, if not all that was to be saved.
  EXPECT_EQ(stop_daemon(), 0);
  start();
  EXPECT_EQ(names().size(), 12);
  work("u", 1);
  std::filesystem::remove(ballast);
  EXPECT_TRUE(eventually([&] { return is_saved("name of u0"); }));
  kill_daemon();
  start();
  EXPECT_EQ(names()["u0"], "name of u0");
  kill_daemon();
}

TEST_F(StoreTroubleTest, ADamagedDatabaseCostsNoTerminalItsOwner) {
  start();
  const std::string ada = token_of("ada");
  work("mine");
  {
    const auto client = compatible(ada);
    client->send(create_session("hers"));
    client->expect("session_created");
  }
  kill_daemon();
  for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(database().string() + suffix);
  std::ofstream(database(), std::ios::binary | std::ios::trunc) << std::string(20'000, '?');
  start();
  EXPECT_TRUE(logged("holdfast.db.corrupt-"));
  EXPECT_TRUE(names().contains("mine0")) << "the default user's";
  EXPECT_FALSE(names().contains("hers"));
  // Her token went with the database; a new one finds her terminal.
  EXPECT_TRUE(names(token_of("ada")).contains("hers"));
  work("more");
  EXPECT_TRUE(eventually([&] { return is_saved("name of more2"); }));
  {
    const auto client = compatible();
    client->send(message("rename_session", {{"sessionId", "mine1"}, {"name", "again"}}));
    client->expect("session_renamed");
  }
  EXPECT_TRUE(eventually([&] { return is_saved("again"); }));
  kill_daemon();
  start();
  EXPECT_EQ(names()["mine1"], "again");
}

}  // namespace
}  // namespace e2e
