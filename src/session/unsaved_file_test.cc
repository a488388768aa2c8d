#include "session/unsaved_file.h"

#include <fstream>

#include "session/test_files.h"

namespace session {
namespace {

using std::chrono::milliseconds;

class UnsavedFileTest : public StoreTest {
 protected:
  [[nodiscard]] std::filesystem::path file_path() const { return dir() / "unsaved.json"; }
  const UnsavedFile file_{file_path()};
};

TEST_F(UnsavedFileTest, WhatWasWrittenIsRead) {
  const Unsaved wanted{.rows = {{.id = TerminalId("t1"),
                                 .session = SessionId("s"),
                                 .name = "build",
                                 .position = 3,
                                 .cwd = "/tmp/\xff",
                                 .command = {"/bin/sh", "", "\xff\"\n"},
                                 .rows = 24,
                                 .cols = 500,
                                 .created = base::WallTime(milliseconds(1'763'000'000'123)),
                                 .last_activity = base::WallTime(milliseconds(1'763'000'000'124)),
                                 .exit = -1},
                                {.id = TerminalId("t2"), .session = SessionId("s")}},
                       .removed = {TerminalId("gone")}};
  ASSERT_TRUE(file_.write({.rows = {}, .removed = {TerminalId("before")}}));
  ASSERT_TRUE(file_.write(wanted));
  const auto found = file_.read();
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(*found, wanted);
}

TEST_F(UnsavedFileTest, WithNothingToKeepThereIsNoFile) {
  EXPECT_EQ(*file_.read(), Unsaved());
  ASSERT_TRUE(file_.write({.rows = {}, .removed = {TerminalId("gone")}}));
  ASSERT_TRUE(file_.write({}));
  EXPECT_FALSE(std::filesystem::exists(file_path()));
  EXPECT_TRUE(file_.write({})) << "the file need not exist";
}

TEST_F(UnsavedFileTest, WhatCannotBeReadIsAnError) {
  for (const char* text : {"", "{", "[]", R"({"rows":[]})", R"({"rows":[{}],"removed":[]})",
                           R"({"rows":[],"removed":["/"]})", R"({"rows":1,"removed":2})"}) {
    std::ofstream(file_path()) << text;
    const auto found = file_.read();
    ASSERT_FALSE(found) << text;
    EXPECT_EQ(found.error().code, base::Code::corrupt);
  }
}

}  // namespace
}  // namespace session
