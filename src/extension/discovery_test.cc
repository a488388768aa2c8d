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
  void package(const std::string& folder, const std::string& text) const {
    fs::create_directories(dir_ / folder);
    std::ofstream(dir_ / folder / "package.json") << text;
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

// A package of pi's was passed over in silence if it had no index file.
TEST_F(DiscoveryTest, APackageSaysWhatItsExtensionsAre) {
  package("one", R"({"pi": {"extensions": ["./src/main.ts"]}})");
  file("one/src/main.ts");
  package("many", R"({"pi": {"extensions": ["./extensions", "extra.js"]}})");
  for (const char* name : {"many/extensions/a.ts", "many/extensions/b/index.ts", "many/extra.js"})
    file(name);
  const auto found = discover({}, {dir_.path()});
  EXPECT_EQ(names(found), (std::vector<std::string>{"many.a", "many.b", "many.extra", "one"}));
  EXPECT_EQ(found.extensions[3].path, dir_ / "one/src/main.ts");
  EXPECT_TRUE(found.warnings.empty());
}

TEST_F(DiscoveryTest, WhatAPackageNamesAndCannotBeLoadedIsTold) {
  package("absent", R"({"pi": {"extensions": ["./gone.ts"]}})");
  package("away", R"({"pi": {"extensions": ["../one.mjs", "/etc"]}})");
  package("broken", "{");
  package("none", "{}");
  package("wrong", R"({"pi": {"extensions": "index.ts"}})");
  const auto found = discover({}, {dir_.path()});
  EXPECT_TRUE(found.extensions.empty());
  ASSERT_EQ(found.warnings.size(), 6U);
  EXPECT_TRUE(found.warnings[0].ends_with(
      "absent/package.json names ./gone.ts in pi.extensions: there is no extension"));
  EXPECT_TRUE(found.warnings[1].ends_with("it is not in this folder"));
  EXPECT_TRUE(found.warnings[3].ends_with("broken/package.json is skipped: it is no JSON object"));
  EXPECT_NE(found.warnings[4].find("none is skipped: it has no index file"), std::string::npos);
  EXPECT_TRUE(found.warnings[5].ends_with("pi.extensions must be a list of paths"));
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
