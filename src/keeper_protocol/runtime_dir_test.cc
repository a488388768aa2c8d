#include "keeper_protocol/runtime_dir.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/test_temp_dir.h"

namespace keeper {
namespace {

namespace fs = std::filesystem;

class RuntimeDirTest : public testing::Test {
 protected:
  static mode_t mode_of(const fs::path& path) {
    struct stat status{};
    return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
  }

  base::TempDir root_;
};

TEST_F(RuntimeDirTest, IsMadeForItsOwnerAlone) {
  const auto dir = RuntimeDir::make(root_ / "a" / "b");
  ASSERT_TRUE(dir) << dir.error().message();
  EXPECT_EQ(mode_of(root_ / "a" / "b"), 0700U);
  EXPECT_TRUE(RuntimeDir::make(root_ / "a" / "b" / "")) << "and found again";
}

TEST_F(RuntimeDirTest, WhereThereIsNoneItIsUnavailable) {
  EXPECT_EQ(RuntimeDir::open(root_ / "none").error().code, base::Code::unavailable);
}

TEST_F(RuntimeDirTest, LinksAndFilesAreRefused) {
  ASSERT_TRUE(RuntimeDir::make(root_ / "real"));
  fs::create_symlink(root_ / "real", root_ / "link");
  std::ofstream(root_ / "file") << "x";
  for (const fs::path& path : {root_ / "link", root_ / "link" / "", root_ / "file"}) {
    EXPECT_EQ(RuntimeDir::open(path).error().code, base::Code::invalid_argument) << path;
    EXPECT_EQ(RuntimeDir::make(path).error().code, base::Code::invalid_argument) << path;
  }
}

TEST_F(RuntimeDirTest, OneThatIsOpenToOthersIsRefused) {
  ASSERT_TRUE(RuntimeDir::make(root_ / "dir"));
  for (const mode_t mode : {0770, 0720, 0740, 0702, 0704, 0777}) {
    ASSERT_EQ(::chmod((root_ / "dir").c_str(), mode), 0);
    EXPECT_EQ(RuntimeDir::open(root_ / "dir").error().code, base::Code::permission_denied) << mode;
  }
  ASSERT_EQ(::chmod((root_ / "dir").c_str(), 0711), 0);
  EXPECT_TRUE(RuntimeDir::open(root_ / "dir")) << "it may be entered";
}

TEST_F(RuntimeDirTest, OneOfAnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to give a directory away";
  ASSERT_TRUE(RuntimeDir::make(root_ / "dir"));
  ASSERT_EQ(::chown((root_ / "dir").c_str(), 54321, 54321), 0);
  EXPECT_EQ(RuntimeDir::open(root_ / "dir").error().code, base::Code::permission_denied);
  EXPECT_EQ(RuntimeDir::make(root_ / "dir").error().code, base::Code::permission_denied);
}

// An open RuntimeDir stays the same directory even if its path is renamed.
TEST_F(RuntimeDirTest, ItsSocketsAreReachedThroughTheDescriptor) {
  const auto dir = RuntimeDir::make(root_ / "dir");
  ASSERT_TRUE(dir);
  const auto listening = dir->listen("a.sock", SOCK_STREAM);
  ASSERT_TRUE(listening) << listening.error().message();
  fs::rename(root_ / "dir", root_ / "moved");
  ASSERT_TRUE(RuntimeDir::make(root_ / "dir"));
  EXPECT_TRUE(dir->is_served("a.sock"));
  EXPECT_TRUE(dir->connect("a.sock", SOCK_STREAM));
  EXPECT_EQ(mode_of(root_ / "moved" / "a.sock"), 0600U);
  ASSERT_TRUE(dir->set_mode(0711));
  EXPECT_EQ(mode_of(root_ / "moved"), 0711U);
  EXPECT_EQ(mode_of(root_ / "dir"), 0700U);
  EXPECT_EQ(RuntimeDir::connect_in(root_ / "dir", "a.sock", SOCK_STREAM).error().code,
            base::Code::unavailable);
}

TEST_F(RuntimeDirTest, ALinkInItIsNotFollowed) {
  const auto dir = RuntimeDir::make(root_ / "dir");
  ASSERT_TRUE(dir);
  std::ofstream(root_ / "precious") << "x";
  ASSERT_EQ(::chmod((root_ / "precious").c_str(), 0600), 0);
  fs::create_symlink(root_ / "precious", root_ / "dir" / "daemon.sock");
  EXPECT_FALSE(dir->set_socket_mode("daemon.sock", 0666));
  EXPECT_FALSE(dir->open_file("daemon.sock", O_WRONLY | O_CREAT | O_TRUNC));
  EXPECT_FALSE(dir->listen("daemon.sock", SOCK_STREAM)) << "nor replaced";
  EXPECT_EQ(mode_of(root_ / "precious"), 0600U);
  EXPECT_EQ(fs::file_size(root_ / "precious"), 1U);
}

TEST_F(RuntimeDirTest, ALinkOfItsOwnIsReplacedAsAWhole) {
  const auto dir = RuntimeDir::make(root_ / "dir");
  ASSERT_TRUE(dir);
  ASSERT_TRUE(dir->link("agent.sock", "draft", "/tmp/first"));
  fs::create_symlink("/tmp/left behind", root_ / "dir" / "draft");
  ASSERT_TRUE(dir->link("agent.sock", "draft", "/tmp/second"));
  EXPECT_EQ(fs::read_symlink(root_ / "dir" / "agent.sock"), "/tmp/second");
  EXPECT_FALSE(fs::is_symlink(root_ / "dir" / "draft"));
}

TEST_F(RuntimeDirTest, APathThatOthersCouldNotConnectToIsRefused) {
  const auto dir = RuntimeDir::make(root_ / std::string(90, 'x'));
  ASSERT_TRUE(dir);
  EXPECT_EQ(dir->listen("keeper.sock", SOCK_STREAM).error().code, base::Code::invalid_argument);
}

}  // namespace
}  // namespace keeper
