// Programs to upgrade to, and clients that come back when they are sent away.

#pragma once

#include <map>

#include "end_to_end/survival_fixture.h"

namespace e2e {

// Of version 9.9.9, and otherwise the same.
inline const std::filesystem::path kNextProgram = program("next/holdfast");
inline const std::filesystem::path kNextKeeper = program("next/holdfast-keeper");

class UpgradingTest : public SurvivalTest {
 protected:
  // Runs `PROGRAM ARGUMENTS` to its end, with this test's directories in the environment.
  Process::Outcome run_program(const std::filesystem::path& program,
                               const std::vector<std::string>& arguments);
  // Runs `PROGRAM upgrade`, and `meanwhile` again and again until it has ended.
  Process::Outcome upgrade_while(const std::filesystem::path& program,
                                 const std::function<void()>& meanwhile);
  // The keeper alone.
  base::Status upgrade_keeper(const std::filesystem::path& program);
  // Takes in what has arrived for a native seat, and connects anew if it was sent away.
  void come_back(Seat& seat);

  std::map<int, int> codes_;  // How often a seat was sent away, by close code.
};

}  // namespace e2e
