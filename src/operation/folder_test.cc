#include "operation/folder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/test_temp_dir.h"

namespace operation {
namespace {

namespace fs = std::filesystem;

constexpr const char* kId = "0123456789abcdef";

class FolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(root_);
    auto folder = Folder::open(root_);
    ASSERT_TRUE(folder) << folder.error().message();
    folder_.emplace(*std::move(folder));
  }

  static std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  [[nodiscard]] fs::path hidden() const { return root_ / (std::string(".holdfast-upload-") + kId); }
  base::Result<Received> add(const std::string& name, const std::string& text,
                             std::uint64_t offset = 0, std::optional<std::uint64_t> size = {}) {
    return folder_->add({.id = kId, .name = name, .size = size.value_or(text.size())}, offset,
                        text);
  }
  // The content of what is found, or why nothing is.
  [[nodiscard]] std::string found(std::string_view path, std::string_view from = "") const {
    const auto file = folder_->find(path, from);
    if (!file) return file.error().message();
    const auto bytes = read_piece(file->file, 0, 1000);
    return bytes ? *bytes : bytes.error().message();
  }

  base::TempDir dir_;
  fs::path root_ = dir_.path() / "folder";
  std::optional<Folder> folder_;
};

TEST_F(FolderTest, AFileComesInPieces) {
  const auto first = add("notes.txt", "abc", 0, 6);
  ASSERT_TRUE(first) << first.error().message();
  EXPECT_EQ(first->offset, 3U);
  EXPECT_EQ(first->path, "");
  EXPECT_FALSE(fs::exists(root_ / "notes.txt")) << "it is not whole";
  EXPECT_EQ(folder_->received(kId)->offset, 3U);
  const auto last = add("notes.txt", "def", 3, 6);
  ASSERT_TRUE(last) << last.error().message();
  EXPECT_EQ(last->path, root_ / "notes.txt");
  EXPECT_EQ(content(root_ / "notes.txt"), "abcdef");
  EXPECT_FALSE(fs::exists(hidden()));
  struct stat status{};
  ASSERT_EQ(::stat((root_ / "notes.txt").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(FolderTest, AnEmptyFileIsAFileToo) {
  ASSERT_TRUE(add("empty", ""));
  EXPECT_EQ(content(root_ / "empty"), "");
  EXPECT_TRUE(fs::exists(root_ / "empty"));
}

TEST_F(FolderTest, NoFileIsReplaced) {
  write(root_ / "a.txt", "mine");
  fs::create_symlink("/etc/passwd", root_ / "a-2.txt");
  fs::create_directory(root_ / "a-3.txt");
  const auto added = add("a.txt", "new");
  ASSERT_TRUE(added) << added.error().message();
  EXPECT_EQ(added->path, root_ / "a-4.txt");
  EXPECT_EQ(content(root_ / "a.txt"), "mine");
  EXPECT_EQ(content(root_ / "a-4.txt"), "new");
}

TEST_F(FolderTest, ANumberStandsBeforeTheEnding) {
  for (const char* name : {"README", "a.tar.gz", "a.", "a.and what is no ending at all"}) {
    ASSERT_TRUE(add(name, "1"));
    ASSERT_TRUE(add(name, "2"));
  }
  for (const char* name : {"README-2", "a.tar-2.gz", "a-2.", "a.and what is no ending at all-2"})
    EXPECT_EQ(content(root_ / name), "2") << name;
  std::string longest;
  for (int i = 0; i < 85; ++i) longest += "\u20ac";
  ASSERT_EQ(longest.size(), 255U);
  ASSERT_TRUE(add(longest, "1"));
  const auto second = add(longest, "2");
  ASSERT_TRUE(second) << second.error().message();
  EXPECT_EQ(fs::path(second->path).filename().native(), longest.substr(0, 252) + "-2");
}

TEST_F(FolderTest, APieceFollowsWhatIsThere) {
  ASSERT_TRUE(add("a", "abc", 0, 10));
  EXPECT_EQ(add("a", "abc", 0, 10).error().code, base::Code::mismatch) << "sent twice";
  EXPECT_EQ(add("a", "x", 4, 10).error().code, base::Code::mismatch) << "a gap";
  EXPECT_EQ(add("a", "x", 2, 10).error().code, base::Code::mismatch);
  EXPECT_EQ(folder_->received(kId)->offset, 3U);
}

TEST_F(FolderTest, ASizeThatLiesGetsNothing) {
  EXPECT_EQ(add("a", "abc", 0, 2).error().code, base::Code::invalid_argument);
  EXPECT_EQ(add("a", "abc", std::uint64_t(-1), 2).error().code, base::Code::invalid_argument);
  EXPECT_EQ(add("a", "abc", std::uint64_t(-1), std::uint64_t(-1)).error().code,
            base::Code::invalid_argument);
  EXPECT_TRUE(fs::is_empty(root_));
  EXPECT_FALSE(add("a", "abc", 0, std::uint64_t(1) << 62)) << "no disk has so much room";
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(FolderTest, OnlyAnUploadIsContinued) {
  EXPECT_EQ(add("a", "abc", 3, 6).error().code, base::Code::not_found);
  const fs::path elsewhere = dir_.path() / "elsewhere";
  write(elsewhere, "");
  fs::create_symlink(elsewhere, hidden());
  EXPECT_FALSE(add("a", "abc"));
  EXPECT_FALSE(folder_->received(kId));
  EXPECT_FALSE(folder_->drop(kId));
  fs::remove(hidden());
  fs::create_hard_link(elsewhere, hidden());
  EXPECT_FALSE(add("a", "abc"));
  EXPECT_FALSE(folder_->drop(kId));
  fs::remove(hidden());
  ASSERT_EQ(::mkfifo(hidden().c_str(), 0600), 0);
  EXPECT_FALSE(add("a", "abc"));
  EXPECT_FALSE(folder_->received(kId));
  fs::remove(hidden());
  fs::create_directory(hidden());
  EXPECT_FALSE(add("a", "abc"));
  fs::remove(hidden());
  EXPECT_EQ(content(elsewhere), "");
  if (::geteuid() != 0) return;
  write(hidden(), "");
  ASSERT_EQ(::chown(hidden().c_str(), 1, 1), 0);
  EXPECT_FALSE(add("a", "abc")) << "it is another account's";
}

TEST_F(FolderTest, ADroppedUploadIsGone) {
  ASSERT_TRUE(add("a", "abc", 0, 6));
  EXPECT_TRUE(folder_->drop(kId));
  EXPECT_TRUE(fs::is_empty(root_));
  EXPECT_TRUE(folder_->drop(kId));
  EXPECT_EQ(folder_->received(kId)->offset, 0U);
}

TEST_F(FolderTest, WhatNobodyContinuesIsRemovedAfterADay) {
  ASSERT_TRUE(add("a", "abc", 0, 6));
  write(root_ / ".holdfast-upload-short", "");
  write(root_ / "other", "");
  folder_->tidy();
  EXPECT_TRUE(fs::exists(hidden()));
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(25);
  for (const fs::directory_entry& each : fs::directory_iterator(root_))
    fs::last_write_time(each.path(), old);
  folder_->tidy();
  EXPECT_FALSE(fs::exists(hidden()));
  EXPECT_TRUE(fs::exists(root_ / ".holdfast-upload-short"));
  EXPECT_TRUE(fs::exists(root_ / "other"));
}

TEST_F(FolderTest, WhenTheDiskIsFullWhatIsThereStays) {
  struct rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_TRUE(add("a", std::string(1000, 'a'), 0, 4000));
  struct rlimit small = before;
  small.rlim_cur = 2500;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_FALSE(add("a", std::string(3000, 'a'), 1000, 4000));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  const auto received = folder_->received(kId);
  ASSERT_TRUE(received);
  EXPECT_EQ(received->offset, 2500U);
  const auto rest = add("a", std::string(1500, 'a'), received->offset, 4000);
  ASSERT_TRUE(rest) << rest.error().message();
  EXPECT_EQ(content(root_ / "a"), std::string(4000, 'a'));
}

TEST_F(FolderTest, FilesOfTheFolderAreFound) {
  fs::create_directories(root_ / "src/deep");
  write(root_ / "top", "top");
  write(root_ / "src/file", "file");
  EXPECT_EQ(found("top"), "top");
  EXPECT_EQ(found("src/file"), "file");
  EXPECT_EQ(found((root_ / "src/file").native()), "file");
  EXPECT_EQ(found("file", (root_ / "src").native()), "file");
  EXPECT_EQ(found("../top", (root_ / "src").native()), "top");
  EXPECT_EQ(found("top", "/somewhere/else"), "top") << "from the folder itself";
  fs::create_symlink("src/file", root_ / "link");
  EXPECT_EQ(found("link"), "file") << "a link within the folder";
}

TEST_F(FolderTest, NothingOutsideIsFound) {
  write(dir_.path() / "secret", "secret");
  fs::create_directory(dir_.path() / "folder-2");
  write(dir_.path() / "folder-2/secret", "secret");
  fs::create_directories(root_ / "src");
  fs::create_symlink("../secret", root_ / "out");
  fs::create_symlink(dir_.path() / "secret", root_ / "absolute");
  fs::create_symlink("..", root_ / "up");
  fs::create_symlink("/proc/self/root", root_ / "magic");
  fs::create_symlink("loop", root_ / "loop");
  for (const std::string& path :
       {std::string("../secret"), std::string("src/../../secret"), std::string("./../secret"),
        std::string("out"), std::string("absolute"), std::string("up/secret"),
        std::string("magic/etc/passwd"), std::string("loop"), std::string("/etc/passwd"),
        (dir_.path() / "secret").native(), (dir_.path() / "folder-2/secret").native(),
        (root_ / "../secret").native(), std::string("src/../src/../../secret")})
    EXPECT_FALSE(folder_->find(path, "")) << path;
  for (const std::string path : {"../secret", "out", "absolute", "up/secret", "/etc/passwd"}) {
    const auto file = folder_->find(path, "");
    ASSERT_FALSE(file) << path;
    EXPECT_EQ(file.error().code, base::Code::permission_denied) << file.error().message();
  }
  // What a program says of its directory is not believed.
  EXPECT_NE(found("secret", (root_ / "..").native()), "secret");
  EXPECT_NE(found("secret", root_.native() + "/../"), "secret");
  EXPECT_FALSE(folder_->find(std::string("top\0x", 5), ""));
  EXPECT_FALSE(folder_->find("", ""));
  EXPECT_FALSE(folder_->find(std::string(5000, 'a'), ""));
}

TEST_F(FolderTest, OnlyRegularFilesAreFound) {
  fs::create_directory(root_ / "dir");
  ASSERT_EQ(::mkfifo((root_ / "fifo").c_str(), 0600), 0);
  for (const char* path : {"dir", "fifo", "."}) {
    const auto file = folder_->find(path, "");  // Would wait for ever if it opened the FIFO.
    ASSERT_FALSE(file) << path;
    EXPECT_EQ(file.error().code, base::Code::invalid_argument) << file.error().message();
  }
  const auto devices = Folder::open("/dev");
  ASSERT_TRUE(devices);
  EXPECT_FALSE(devices->find("null", ""));
  EXPECT_FALSE(devices->find("tty", ""));
}

// A link that is swapped for another one all the time must not lead out in any of its states.
TEST_F(FolderTest, ASwappedLinkNeverLeadsOut) {
  write(dir_.path() / "secret", "secret");
  fs::create_directory(root_ / "real");
  write(root_ / "real/secret", "inside");
  fs::create_directory_symlink("real", root_ / "in");
  fs::create_directory_symlink("..", root_ / "out");
  std::jthread swapping([&](const std::stop_token& stop) {
    while (!stop.stop_requested())
      ::renameat2(AT_FDCWD, (root_ / "in").c_str(), AT_FDCWD, (root_ / "out").c_str(),
                  RENAME_EXCHANGE);
  });
  int inside = 0;
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = found("in/secret");
    ASSERT_NE(text, "secret");
    ++(text == "inside" ? inside : refused);
  }
  EXPECT_GT(inside, 0);
  EXPECT_GT(refused, 0);
}

TEST_F(FolderTest, AnotherVersionIfTheFileHasChanged) {
  write(root_ / "a", "one");
  const std::string before = folder_->find("a", "")->version;
  EXPECT_EQ(folder_->find("a", "")->version, before);
  write(root_ / "a", "three");
  EXPECT_NE(folder_->find("a", "")->version, before);
}

TEST_F(FolderTest, APieceIsShortOnlyAtTheEnd) {
  write(root_ / "a", "abcdef");
  const auto file = folder_->find("a", "");
  ASSERT_TRUE(file);
  EXPECT_EQ(read_piece(file->file, 0, 4).value_or(""), "abcd");
  EXPECT_EQ(read_piece(file->file, 4, 4).value_or(""), "ef");
  EXPECT_EQ(read_piece(file->file, 6, 4).value_or("x"), "");
}

TEST(FileNameTest, IsOneVisibleNameThatCanBeTyped) {
  for (const char* name : {"a", "image.png", "Bild (1).jpg", "it's", "-rf", "$(x)", "\u00e4\u20ac"})
    EXPECT_TRUE(check_file_name(name)) << name;
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("../a"), std::string("a/b"),
        std::string("/"), std::string("a\\b"), std::string(".bashrc"), std::string("a\nb"),
        std::string("a\rb"), std::string("a\033[201~b"), std::string("a\x7f"),
        std::string("a\0b", 3), std::string("a\u0085"), std::string("a\u202eb"),
        std::string("a\xff"), std::string(256, 'a')})
    EXPECT_FALSE(check_file_name(name)) << name;
}

TEST(UploadIdTest, IsLettersAndDigits) {
  EXPECT_TRUE(check_upload_id(kId));
  for (const std::string& id : {std::string(), std::string("0123456789abcde"), std::string(65, 'a'),
                                std::string("0123456789abcde/"), std::string("../../../../../etc"),
                                std::string("0123456789abcdef\0", 17)})
    EXPECT_FALSE(check_upload_id(id)) << id;
}

}  // namespace
}  // namespace operation
