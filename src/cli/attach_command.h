// `holdfast attach`: shows a terminal in the one that it is called in.

#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "cli/detach_keys.h"

namespace cli {

class AttachCommand {
 public:
  explicit AttachCommand(CLI::App& app);
  // What follows `--` is the command for a new terminal, which CLI11 cannot tell from the target.
  // Takes it from the command line of `holdfast attach`.
  void take_words(std::vector<std::string>& arguments);
  [[nodiscard]] bool was_given() const { return attach_->parsed(); }
  // Returns the exit status.
  [[nodiscard]] base::Result<int> run() const;

 private:
  CLI::App* attach_;
  std::string target_;
  std::string create_;
  std::string keys_ = DetachKeys::kDefault;
  std::vector<std::string> words_;
  bool is_read_only_ = false;
};

}  // namespace cli
