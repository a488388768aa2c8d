#include "extension/discovery.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/test_temp_dir.h"

namespace extension {
namespace {

namespace fs = std::filesystem;

class DiscoveryTest : public ::testing::Test {
 protected:
  fs::path file(const std::string& path) const {
    fs::create_directories((dir_ / path).parent_path());
    std::ofstream(dir_ / path) << "export default () => {};";
    return dir_ / path;
  }
  [[nodiscard]] static std::vector<std::string> names(const Discovery& discovery) {
    std::vector<std::string> all;
    for (const FoundExtension& each : discovery.extensions) all.push_back(each.name);
    return all;
  }

  base::TempDir dir_;
};

TEST_F(DiscoveryTest, FilesAndFoldersAreFoundInTheirOrder) {
  for (const char* name : {"e.cjs", "d.mjs", "c.js", "b.mts", "a.ts", "f/index.js", "g/index.ts"})
    file(name);
  const auto found = discover({}, {dir_.path()});
  EXPECT_EQ(names(found), (std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g"}));
  EXPECT_EQ(found.extensions[5].path, dir_ / "f/index.js");
  EXPECT_TRUE(found.warnings.empty());
}

TEST_F(DiscoveryTest, WhatIsNoExtensionIsPassedOver) {
  for (const char* name : {".hidden.ts", "_helper.ts", "node_modules/index.js", "types.d.ts",
                           "read.me", "folder/other.ts", "_folder/index.ts"})
    file(name);
  const auto found = discover({}, {dir_.path(), dir_ / "nowhere"});
  EXPECT_EQ(names(found), std::vector<std::string>{});
  EXPECT_TRUE(found.warnings.empty());
}

TEST_F(DiscoveryTest, OfTwoWithOneNameTheFirstIsTaken) {
  const auto first = file("one/x.ts");
  file("two/x.js");
  const auto found = discover({first}, {dir_ / "one", dir_ / "two"});
  ASSERT_EQ(found.extensions.size(), 1U);
  EXPECT_EQ(found.extensions[0].path, first);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_NE(found.warnings[0].find("two/x.js"), std::string::npos);
}

TEST_F(DiscoveryTest, WhatWasNamedAndIsNotThereIsWarnedOf) {
  const auto found = discover({dir_ / "gone.ts", file("not a name.ts")}, {});
  EXPECT_TRUE(found.extensions.empty());
  EXPECT_EQ(found.warnings.size(), 2U);
}

}  // namespace
}  // namespace extension
