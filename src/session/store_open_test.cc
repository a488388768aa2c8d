// How the store handles the files it finds.

#include <algorithm>

#include "session/schema.h"
#include "session/store.h"
#include "session/test_files.h"

namespace session {
namespace {

using std::chrono::milliseconds;

class StoreOpenTest : public StoreTest {
 protected:
  StoreOpenTest() {
    std::filesystem::create_directory(path().parent_path());
    ::chmod(path().parent_path().c_str(), 0700);
  }
  // A database that another program made.
  void make(const std::string& sql) const {
    write_all(path(), "");
    auto database = Database::open(path(), milliseconds(1));
    const auto made = database->execute(sql);
    ASSERT_TRUE(made) << made.error().message();
  }
  [[nodiscard]] std::vector<std::string> schema() const {
    auto database = Database::open(path(), milliseconds(1));
    return *database->rows("SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name", {},
                           [](const Statement& row) { return row.text(0); });
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path().parent_path()))
      names.push_back(entry.path().filename().native());
    std::sort(names.begin(), names.end());
    return names;
  }
};

TEST_F(StoreOpenTest, FilesAndDirectoryAreTheOwnersAlone) {
  std::filesystem::remove_all(path().parent_path());
  auto store = Store::open(path());
  ASSERT_TRUE(store) << store.error().message();
  ASSERT_TRUE(store->ensure_user("ann"));
  EXPECT_EQ(mode_of(path().parent_path()), 0700U);
  EXPECT_EQ(files(),
            (std::vector<std::string>{"holdfast.db", "holdfast.db-shm", "holdfast.db-wal"}));
  for (const auto& name : files()) EXPECT_EQ(mode_of(path().parent_path() / name), 0600U) << name;
  EXPECT_FALSE(store->recovered_from());
}

TEST_F(StoreOpenTest, AFileThatWasOpenToOthersIsClosed) {
  {
    ASSERT_TRUE(Store::open(path()));
  }
  ASSERT_EQ(::chmod(path().c_str(), 0644), 0);
  ASSERT_TRUE(Store::open(path()));
  EXPECT_EQ(mode_of(path()), 0600U);
}

TEST_F(StoreOpenTest, PlacesThatCannotBeUsedAreErrors) {
  ASSERT_EQ(::chmod(path().parent_path().c_str(), 0777), 0);
  EXPECT_EQ(Store::open(path()).error().code, base::Code::permission_denied);
  write_all(dir() / "file", "");
  EXPECT_FALSE(Store::open(dir() / "file" / "holdfast.db"));
  EXPECT_FALSE(Store::open(dir() / "file" / "more" / "holdfast.db"));
  ASSERT_EQ(::chmod(path().parent_path().c_str(), 0700), 0);
  std::filesystem::create_directory(path());
  EXPECT_EQ(Store::open(path()).error().code, base::Code::invalid_argument);
}

TEST_F(StoreOpenTest, AnEmptyFileBecomesADatabase) {
  write_all(path(), "");
  auto store = Store::open(path());
  ASSERT_TRUE(store) << store.error().message();
  EXPECT_FALSE(store->recovered_from());
  EXPECT_TRUE(store->ensure_user("ann"));
}

// Each schema version has a file in testdata, with the same content as far as that version can hold
// it. This test fails until a new version adds its file.
class MigrationTest : public StoreOpenTest, public ::testing::WithParamInterface<int> {};

TEST_P(MigrationTest, ADatabaseOfThatVersionOpensWithItsContent) {
  {
    ASSERT_TRUE(Store::open(path()));
  }
  const auto fresh = schema();
  std::filesystem::remove(path());

  const auto sql = read_all(std::filesystem::path(SESSION_TESTDATA) /
                            ("version_" + std::to_string(GetParam()) + ".sql"));
  ASSERT_NE(sql, "") << "every version has its file in testdata";
  make(sql);
  {
    auto store = Store::open(path());
    ASSERT_TRUE(store) << store.error().message();
    EXPECT_EQ(store->tokens().find(*hash_token("abc"))->user_name, "ann");
    const auto sessions = *store->sessions(UserId("u1"));
    ASSERT_EQ(sessions.size(), 1U);
    EXPECT_EQ(sessions[0].kind, SessionKind::background);
    EXPECT_EQ(sessions[0].isolation,
              GetParam() < 3 ? std::nullopt : std::optional(Isolation::process));
    EXPECT_EQ(*store->terminals(),
              (std::vector<TerminalRow>{
                  {.id = TerminalId("t1"),
                   .session = SessionId("s1"),
                   .name = "build",
                   .position = 3,
                   .cwd = "/tmp",
                   .command = {"/bin/sh", "-l"},
                   .rows = 24,
                   .cols = 80,
                   .created = base::WallTime(milliseconds(1'763'000'000'123)),
                   .last_activity = base::WallTime(milliseconds(1'763'000'000'999))}}));
    EXPECT_EQ(store->log()->front().event, "created");
    EXPECT_EQ(store->tokens().find(*hash_token("abc"))->scope.access,
              GetParam() < 4 ? Access::control : Access::view);
    EXPECT_EQ(store->sign_ins().list()->size(), GetParam() < 4 ? 0U : 1U);
    for (const auto& session : {std::optional<SessionId>(), std::optional(SessionId("s1"))})
      EXPECT_EQ(store->preferences().list({.user = UserId("u1"), .session = session})->size(),
                GetParam() < 7 ? 0U : 1U);
  }
  EXPECT_EQ(schema(), fresh) << "it has the schema of a new one";
  EXPECT_TRUE(Store::open(path())) << "once";
}

INSTANTIATE_TEST_SUITE_P(EveryVersion, MigrationTest, ::testing::Range(1, schema_version() + 1));

// It was printed at every start, so it is in logs.
TEST_F(StoreOpenTest, TheTokenThatEveryStartPrintedIsTakenBack) {
  make(read_all(std::filesystem::path(SESSION_TESTDATA) / "version_3.sql") +
       "; INSERT INTO tokens VALUES (x'0102', 'u1', 'first start', 1763000000123)");
  auto store = Store::open(path());
  ASSERT_TRUE(store) << store.error().message();
  const auto tokens = *store->tokens().list();
  ASSERT_EQ(tokens.size(), 1U);
  EXPECT_EQ(tokens[0].label, "laptop");
}

TEST_F(StoreOpenTest, ANewerVersionIsRefusedAndStaysAsItIs) {
  make(read_all(std::filesystem::path(SESSION_TESTDATA) / "version_1.sql") +
       "; PRAGMA journal_mode = WAL; PRAGMA user_version = 4711");
  const auto before = read_all(path());
  const auto refused = Store::open(path());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::unsupported);
  EXPECT_NE(refused.error().what.find("version 4711"), std::string::npos) << refused.error().what;
  EXPECT_NE(refused.error().what.find("up to " + std::to_string(schema_version())),
            std::string::npos);
  EXPECT_NE(refused.error().advice.find("newer Holdfast"), std::string::npos);
  EXPECT_EQ(read_all(path()), before);
}

// A daemon of the newer version was killed and left its write-ahead log behind.
TEST_F(StoreOpenTest, ANewerVersionsLogIsNotMovedIntoItsFile) {
  {
    ASSERT_TRUE(Store::open(path()));
  }
  {
    auto newer = Database::open(path(), milliseconds(1));
    newer->set_on_close(Database::OnClose::leave);
    ASSERT_TRUE(newer->execute("PRAGMA user_version = 4711; CREATE TABLE future (a)"));
  }
  const auto before = read_all(path());
  const auto log = read_all(path().native() + "-wal");
  ASSERT_NE(log, "");
  EXPECT_EQ(Store::open(path()).error().code, base::Code::unsupported);
  EXPECT_EQ(read_all(path()), before);
  EXPECT_EQ(read_all(path().native() + "-wal"), log);
}

TEST_F(StoreOpenTest, AnotherProgramsDatabaseIsRefusedAndStaysAsItIs) {
  for (const char* sql :
       {"CREATE TABLE bookmarks (a)", "CREATE TABLE bookmarks (a); PRAGMA user_version = 1"}) {
    std::filesystem::remove(path());
    make(sql);
    const auto before = read_all(path());
    EXPECT_EQ(Store::open(path()).error().code, base::Code::unsupported);
    EXPECT_EQ(read_all(path()), before);
  }
}

TEST_F(StoreOpenTest, GarbageIsSetAsideAndANewDatabaseBegins) {
  base::ManualClock clock;
  clock.jump_wall_to(base::WallTime(std::chrono::seconds(1'763'000'000)));
  const std::vector<std::string> names{"holdfast.db.corrupt-20251113T021320Z",
                                       "holdfast.db.corrupt-20251113T021320Z-2"};
  for (const auto& name : names) {
    const std::string garbage(10'000, 'x');
    write_all(path(), garbage);
    write_all(path().native() + "-wal", "log");
    auto store = Store::open(path(), {.clock = &clock});
    ASSERT_TRUE(store) << store.error().message();
    ASSERT_TRUE(store->recovered_from());
    EXPECT_EQ(store->recovered_from()->filename(), name);
    EXPECT_EQ(read_all(*store->recovered_from()), garbage);
    EXPECT_EQ(read_all(store->recovered_from()->native() + "-wal"), "log");
    EXPECT_TRUE(store->ensure_user("ann"));
  }
  auto again = Store::open(path());
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->recovered_from());
  EXPECT_EQ(again->users()->size(), 1U);
}

TEST_F(StoreOpenTest, WhoOnlyVisitsSetsNothingAside) {
  const std::string garbage(10'000, 'x');
  write_all(path(), garbage);
  const auto refused = Store::open(path(), {.on_corrupt = OnCorrupt::fail});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::corrupt);
  EXPECT_NE(refused.error().advice, "");
  EXPECT_EQ(read_all(path()), garbage);
}

// Alone, with the files that SQLite keeps beside it, and with the directory.
TEST_F(StoreOpenTest, AFileThatIsRemovedIsWrittenAnew) {
  auto store = Store::open(path());
  ASSERT_TRUE(store) << store.error().message();
  ASSERT_TRUE(store->ensure_user("before"));
  EXPECT_FALSE(*store->restore_file()) << "it is there";
  const auto remove = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names) std::filesystem::remove(path().parent_path() / name);
  };
  using Names = std::vector<std::string>;
  for (const auto& gone : {Names{"holdfast.db"}, files(), Names{"holdfast.db", "holdfast.db-wal"},
                           Names{"holdfast.db-wal"}}) {
    remove(gone);
    const std::string user = gone.back() + std::to_string(gone.size());
    ASSERT_TRUE(store->ensure_user(user)) << "nobody has noticed yet";
    const auto restored = store->restore_file();
    ASSERT_TRUE(restored) << restored.error().message();
    EXPECT_TRUE(*restored);
    EXPECT_EQ(mode_of(path()), 0600U);
    const auto other = Store::open(path());
    ASSERT_TRUE(other) << other.error().message();
    EXPECT_FALSE(other->recovered_from());
    EXPECT_TRUE(store->user(user));
  }
  std::filesystem::remove_all(path().parent_path());
  ASSERT_TRUE(*store->restore_file());
  auto other = Store::open(path());
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->user("before"));
  EXPECT_EQ(other->users()->size(), 5U);
  EXPECT_EQ(mode_of(path().parent_path()), 0700U);
}

TEST_F(StoreOpenTest, AFileThatAnotherIsInThePlaceOfIsLeftAlone) {
  auto store = Store::open(path());
  ASSERT_TRUE(store->ensure_user("mine"));
  std::filesystem::rename(path(), path().parent_path() / "moved");
  for (const char* suffix : {"-wal", "-shm"})
    std::filesystem::remove(path().native() + std::string(suffix));
  {
    ASSERT_TRUE(Store::open(path())->ensure_user("theirs"));
  }
  EXPECT_EQ(store->restore_file().error().code, base::Code::already_exists);
  EXPECT_TRUE(Store::open(path())->user("theirs"));
}

}  // namespace
}  // namespace session
