// Which code a session loads: what is on the disk, what the user trusts, and what is disabled.

#include "extension/extension_code.h"

#include "extension/extension_fixture.h"

namespace extension {
namespace {

namespace fs = std::filesystem;

class ExtensionCodeTest : public ExtensionTest {
 protected:
  ExtensionCodeTest() {
    fs::create_directories(project() / ".holdfast/extensions");
    std::ofstream(project() / ".holdfast/extensions/local.js") << "//";
    write_extension("global");
  }
  [[nodiscard]] fs::path project() const { return dir() / "project"; }
  std::vector<std::string> found() {
    std::vector<std::string> names;
    for (const FoundExtension& each : code_.find(extensions_->session)) names.push_back(each.name);
    return names;
  }
  std::vector<Instance> wanted() { return code_.wanted(*extensions_); }

  ExtensionCode code_{store_, sessions_, settings_};
  SessionExtensionsPtr extensions_ = by_session_.of(
      sessions_.names()
          .create_session(user_, "main", session::SessionKind::interactive, project().string())
          .value());
};

using Names = std::vector<std::string>;

TEST_F(ExtensionCodeTest, AProjectsOwnCodeRunsOnlyIfItIsTrusted) {
  EXPECT_EQ(found(), Names{"global"});
  ASSERT_TRUE(store_.extensions().trust(user_, project().string()));
  EXPECT_EQ(found(), (Names{"global", "local"}));
  ASSERT_TRUE(store_.extensions().distrust(user_, project().string()));
  EXPECT_EQ(found(), Names{"global"});
}

TEST_F(ExtensionCodeTest, WhatHasNoValidNameIsLeftOut) {
  std::ofstream(code() / "-bad-.js") << "//";
  EXPECT_EQ(found(), Names{"global"});
}

TEST_F(ExtensionCodeTest, WhileExtensionsAreOffThereIsNone) {
  settings_.off = "off";
  EXPECT_EQ(found(), Names{});
}

TEST_F(ExtensionCodeTest, EachLoadIsANewGeneration) {
  ASSERT_EQ(wanted().size(), 1U);
  const auto first = wanted().at(0).generation;
  EXPECT_EQ(wanted().at(0).generation, first + 1);
}

TEST_F(ExtensionCodeTest, WhatIsDisabledIsNotLoaded) {
  extensions_->disabled.turn_off("global");
  const auto instances = wanted();
  ASSERT_EQ(instances.size(), 1U);
  EXPECT_TRUE(instances[0].disabled);
  EXPECT_EQ(instances[0].error, kTurnedOff);
}

// Two loads with the same number could not be told apart.
TEST_F(ExtensionCodeTest, WithoutAGenerationItIsNotLoaded) {
  auto other = session::Database::open(path(), std::chrono::milliseconds(0)).value();
  ASSERT_TRUE(other.execute("ALTER TABLE extensions RENAME TO elsewhere"));
  const auto instances = wanted();
  ASSERT_EQ(instances.size(), 1U);
  EXPECT_TRUE(instances[0].disabled);
  EXPECT_FALSE(instances[0].error.empty());
}

}  // namespace
}  // namespace extension
