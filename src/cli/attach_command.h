// `holdfast attach`: shows a terminal in the one that it is called in.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/arguments.h"
#include "cli/attach_target.h"
#include "cli/detach_keys.h"
#include "cli/outer_terminal.h"

namespace cli {

// Shows the terminal until the person detaches or the program ends. Returns the exit status.
[[nodiscard]] base::Result<int> attach_to(OuterTerminal& outer, AttachTarget terminal,
                                          DetachKeys keys, bool is_read_only);

class AttachCommand {
 public:
  explicit AttachCommand(const Arguments& app);
  // What follows `--` is the command for a new terminal, which CLI11 cannot tell from the target.
  // Takes it from the command line of `holdfast attach`.
  void take_words(std::vector<std::string>& arguments);
  [[nodiscard]] bool was_given() const { return attach_.was_given(); }
  // Returns the exit status.
  [[nodiscard]] base::Result<int> run() const;

 private:
  Arguments attach_;
  std::string target_;
  std::string create_;
  std::string keys_ = DetachKeys::kDefault;
  std::vector<std::string> words_;
  bool is_read_only_ = false;
};

}  // namespace cli
