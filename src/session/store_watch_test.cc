// The daemon notices what other processes do to the store, and no more than that.

#include "session/store_watch.h"

#include <boost/asio/io_context.hpp>

#include "session/test_files.h"

namespace session {
namespace {

using std::chrono::seconds;

class StoreWatchTest : public StoreTest {
 protected:
  StoreWatchTest() { EXPECT_TRUE(watch_.start(path())); }
  ~StoreWatchTest() override { watch_.stop(); }

  // Runs the loop until it holds. False if that takes too long.
  bool becomes(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + seconds(10);
    while (!condition() && std::chrono::steady_clock::now() < deadline) {
      io_.restart();
      io_.run_one_for(seconds(1));
    }
    return condition();
  }
  // What the watch does until it has nothing left to do.
  void settle() {
    int before = -1;
    while (std::exchange(before, changes_) != changes_) {
      io_.restart();
      io_.run_for(std::chrono::milliseconds(200));  // It looks again a moment after each write.
    }
  }

  boost::asio::io_context io_;
  Store store_ = Store::open(path()).value();
  int changes_ = 0;
  StoreWatch watch_{io_.get_executor(), store_, [this] { ++changes_; }};
};

TEST_F(StoreWatchTest, AChangeOfAnotherProcessIsNoticed) {
  ASSERT_TRUE(Store::open(path())->ensure_user("new"));
  EXPECT_TRUE(becomes([&] { return changes_ > 0; }));
  EXPECT_TRUE(store_.user("new"));
}

TEST_F(StoreWatchTest, EachLaterChangeIsNoticedToo) {
  auto other = Store::open(path());
  for (int n = 0; n < 3; ++n) {
    settle();
    const int before = changes_;
    ASSERT_TRUE(other->ensure_user("user" + std::to_string(n)));
    EXPECT_TRUE(becomes([&] { return changes_ > before; })) << n;
  }
}

TEST_F(StoreWatchTest, ChangesOfItsOwnAndOtherFilesAreNoNews) {
  ASSERT_TRUE(Store::open(path())->ensure_user("first"));
  ASSERT_TRUE(becomes([&] { return changes_ > 0; })) << "it knows what there is";
  settle();
  const int before = changes_;
  ASSERT_TRUE(store_.ensure_user("own"));
  write_all(path().parent_path() / "daemon.log", "a line\n");
  settle();
  EXPECT_EQ(changes_, before);
}

TEST_F(StoreWatchTest, AFileThatIsRemovedIsWrittenAgain) {
  ASSERT_TRUE(store_.ensure_user("kept"));
  std::filesystem::remove(path());
  EXPECT_TRUE(becomes([&] { return std::filesystem::exists(path()); }));
  EXPECT_TRUE(Store::open(path())->user("kept"));
}

TEST_F(StoreWatchTest, ADirectoryThatIsRemovedIsMadeAndWatchedAgain) {
  ASSERT_TRUE(store_.ensure_user("kept"));
  std::filesystem::remove_all(path().parent_path());
  ASSERT_TRUE(becomes([&] { return std::filesystem::exists(path()); }));
  settle();
  const int before = changes_;
  ASSERT_TRUE(Store::open(path())->ensure_user("new"));
  EXPECT_TRUE(becomes([&] { return changes_ > before; }));
  EXPECT_TRUE(store_.user("kept"));
}

TEST_F(StoreWatchTest, NothingIsReportedAfterItHasStopped) {
  settle();
  const int before = changes_;
  watch_.stop();
  ASSERT_TRUE(Store::open(path())->ensure_user("new"));
  io_.restart();
  io_.run();  // It returns, because nothing waits.
  EXPECT_EQ(changes_, before);
}

TEST(StoreWatchStartTest, ADirectoryThatDoesNotExistIsAnError) {
  const base::TempDir dir;
  boost::asio::io_context io;
  auto store = Store::open(dir / "state" / "holdfast.db");
  StoreWatch watch(io.get_executor(), *store, [] {});
  EXPECT_EQ(watch.start(dir / "nowhere" / "holdfast.db").error().code, base::Code::not_found);
}

}  // namespace
}  // namespace session
