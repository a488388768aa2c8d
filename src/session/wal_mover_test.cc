// The write-ahead log goes into the database's file, and commits do not wait for that.

#include "session/wal_mover.h"

#include "session/sqlite.h"
#include "session/test_files.h"

namespace session {
namespace {

class WalMoverTest : public StoreTest {
 protected:
  WalMoverTest() {
    EXPECT_TRUE(
        database_.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
                          "CREATE TABLE rows (text)"));
  }
  void write(int rows) {
    for (int n = 0; n < rows; ++n)
      EXPECT_TRUE(database_.execute("INSERT INTO rows VALUES (hex(zeroblob(2000)))"));
  }
  // How large the database is without its log.
  [[nodiscard]] std::uintmax_t moved() const { return std::filesystem::file_size(path()); }

 private:
  [[nodiscard]] Database make() const {
    std::filesystem::create_directory(path().parent_path());
    write_all(path(), "");
    return Database::open(path(), std::chrono::milliseconds(0)).value();
  }

  Database database_ = make();
};

TEST_F(WalMoverTest, ASmallLogStaysWhereItIs) {
  write(10);
  const auto before = moved();
  {
    WalMover mover(path());
    EXPECT_FALSE(mover.committed(999));
  }
  EXPECT_EQ(moved(), before);
}

TEST_F(WalMoverTest, AGrownLogIsMovedByTheThread) {
  write(100);
  const auto before = moved();
  {
    WalMover mover(path());
    EXPECT_FALSE(mover.committed(1000)) << "the caller need not wait";
  }
  EXPECT_GT(moved(), before + 100'000);
}

TEST_F(WalMoverTest, ALogThatGrowsFasterThanThatIsTheCallersToMove) {
  WalMover mover(path());
  EXPECT_TRUE(mover.committed(8000));
}

TEST_F(WalMoverTest, AFileThatCannotBeOpenedHarmsNothing) {
  WalMover mover(dir() / "nowhere" / "holdfast.db");
  EXPECT_FALSE(mover.committed(1000));
}

}  // namespace
}  // namespace session
