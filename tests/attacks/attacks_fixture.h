// A victim who uses the programs, and an attacker who has another account of the same machine.

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/test_temp_dir.h"
#include "end_to_end/process.h"

namespace attacks {

using e2e::Process;

inline constexpr uid_t kRoot = 0;
inline constexpr uid_t kAda = 54321;
inline constexpr uid_t kMallory = 54399;

// The accounts that the programs are run as: root and an ordinary one, or, where this is not root,
// whoever runs the tests.
[[nodiscard]] std::vector<uid_t> victims();
[[nodiscard]] bool has_second_account();

// Runs a command as that account, in an environment that says nothing of this one.
[[nodiscard]] std::vector<std::string> as(uid_t uid, const std::vector<std::string>& argv);

// A test for each victim.
class AttackTest : public testing::TestWithParam<uid_t> {
 protected:
  void SetUp() override;
  void TearDown() override;

  [[nodiscard]] uid_t victim() const { return GetParam(); }
  // A place that everybody may enter, and two in it that are the victim's and the attacker's.
  [[nodiscard]] const std::filesystem::path& dir() const { return dir_.path(); }
  [[nodiscard]] std::filesystem::path victims_dir() const { return dir_ / "victim"; }
  [[nodiscard]] std::filesystem::path mallorys_dir() const { return dir_ / "mallory"; }

  // What the victim calls, with these directories configured.
  Process::Outcome call(const std::vector<std::string>& argv,
                        const std::filesystem::path& runtime_dir) const;
  [[nodiscard]] std::vector<std::string> environment(
      const std::filesystem::path& runtime_dir) const;

 private:
  base::TempDir dir_;
};

[[nodiscard]] std::string name_of(const testing::TestParamInfo<uid_t>& info);

}  // namespace attacks
