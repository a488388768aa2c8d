#include "session/sqlite.h"

#include <stdexcept>

#include "session/test_files.h"

namespace session {
namespace {

using std::chrono::milliseconds;

class SqliteTest : public StoreTest {
 protected:
  SqliteTest() { write_all(file(), ""); }
  [[nodiscard]] std::filesystem::path file() const { return dir() / "a.db"; }
  [[nodiscard]] Database open() const { return *Database::open(file(), milliseconds(1)); }
};

TEST_F(SqliteTest, ValuesComeBackAsTheyWent) {
  Database database = open();
  ASSERT_TRUE(database.execute("CREATE TABLE t (a, b, c, d, e)"));
  const std::string text("a\0b\xff", 4);
  const std::vector<std::uint8_t> bytes{0, 1, 255};
  ASSERT_TRUE(database.run("INSERT INTO t VALUES (?, ?, ?, ?, ?)",
                           {INT64_MIN, text, Bytes(bytes), Value(), std::string_view()}));
  auto statement = database.prepare("SELECT * FROM t");
  ASSERT_TRUE(statement);
  ASSERT_TRUE(*statement->step());
  EXPECT_EQ(statement->integer(0), INT64_MIN);
  EXPECT_EQ(statement->text(1), text);
  EXPECT_EQ(statement->blob(2), bytes);
  EXPECT_TRUE(statement->is_null(3));
  EXPECT_FALSE(statement->is_null(4)) << "an empty text is not NULL";
  EXPECT_FALSE(*statement->step());
}

TEST_F(SqliteTest, AMissingFileAndAMissingDirectoryAreNotFound) {
  for (const auto& missing : {dir() / "missing.db", dir() / "missing" / "a.db"}) {
    const auto database = Database::open(missing, milliseconds(1));
    ASSERT_FALSE(database);
    EXPECT_EQ(database.error().code, base::Code::not_found);
    EXPECT_NE(database.error().what.find(missing.native()), std::string::npos);
    EXPECT_NE(database.error().advice, "");
  }
}

TEST_F(SqliteTest, EachConditionHasItsCode) {
  Database database = open();
  ASSERT_TRUE(
      database.execute("PRAGMA foreign_keys = ON; CREATE TABLE t (a PRIMARY KEY, b NOT NULL);"
                       "CREATE TABLE u (a REFERENCES t (a)); INSERT INTO t VALUES (1, 1)"));
  EXPECT_EQ(database.run("INSERT INTO t VALUES (1, 1)").error().code, base::Code::already_exists);
  EXPECT_EQ(database.run("INSERT INTO t VALUES (2, NULL)").error().code,
            base::Code::invalid_argument);
  EXPECT_EQ(database.run("INSERT INTO u VALUES (2)").error().code, base::Code::not_found);
  EXPECT_EQ(database.run("SELECT zeroblob(2000000000)").error().code, base::Code::too_large);
  EXPECT_EQ(database.run("nonsense").error().code, base::Code::io);
  ASSERT_TRUE(database.execute("PRAGMA query_only = ON"));
  EXPECT_EQ(database.run("DELETE FROM t").error().code, base::Code::permission_denied);
}

TEST_F(SqliteTest, AFullDatabaseSaysSoAndHasAnErrno) {
  Database database = open();
  ASSERT_TRUE(database.execute("CREATE TABLE t (a)"));
  ASSERT_TRUE(database.run("PRAGMA max_page_count = 3"));
  const auto full = database.run("INSERT INTO t VALUES (zeroblob(100000))");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().sys_errno, ENOSPC);
  EXPECT_NE(full.error().what.find("the disk is full"), std::string::npos) << full.error().what;
}

TEST_F(SqliteTest, ALockIsBusy) {
  Database holder = open();
  Database other = open();
  ASSERT_TRUE(holder.execute("CREATE TABLE t (a); BEGIN EXCLUSIVE"));
  const auto refused = other.run("INSERT INTO t VALUES (1)");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::busy);
  EXPECT_NE(refused.error().what.find(file().native()), std::string::npos);
  ASSERT_TRUE(holder.execute("COMMIT"));
  EXPECT_TRUE(other.run("INSERT INTO t VALUES (1)"));
}

TEST_F(SqliteTest, ATransactionIsWholeOrNotAtAll) {
  Database database = open();
  ASSERT_TRUE(database.execute("CREATE TABLE t (a)"));
  const auto insert = [&](bool good) {
    return [&database, good]() -> base::Status {
      if (!database.run("INSERT INTO t VALUES (1)")) return base::fail(base::Code::io, "insert");
      if (!good) return base::fail(base::Code::invalid_argument, "changed my mind");
      return {};
    };
  };
  EXPECT_TRUE(database.transaction(insert(true)));
  EXPECT_EQ(database.transaction(insert(false)).error().what, "changed my mind");
  EXPECT_EQ(*database.number("SELECT count(*) FROM t"), 1);

  EXPECT_TRUE(database.transaction([&]() -> base::Status {
    EXPECT_FALSE(database.transaction(insert(false)));
    EXPECT_TRUE(database.transaction(insert(true)));
    return {};
  }));
  EXPECT_EQ(*database.number("SELECT count(*) FROM t"), 2) << "only the inner one is undone";
}

TEST_F(SqliteTest, ATransactionThatThrowsIsUndone) {
  Database database = open();
  ASSERT_TRUE(database.execute("CREATE TABLE t (a)"));
  EXPECT_THROW((void)database.transaction([&]() -> base::Status {
    (void)database.run("INSERT INTO t VALUES (1)");
    throw std::runtime_error("out");
  }),
               std::runtime_error);
  EXPECT_EQ(*database.number("SELECT count(*) FROM t"), 0);
  EXPECT_TRUE(database.transaction([] { return base::Status{}; })) << "no transaction is left open";
}

}  // namespace
}  // namespace session
