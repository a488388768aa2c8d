// `holdfast trust`: the directories whose own extensions a user trusts. It works on the store, like
// `holdfast token`. A daemon sees the change at the next /reload.

#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace cli {

class TrustCommand {
 public:
  explicit TrustCommand(CLI::App& app);
  [[nodiscard]] bool was_given() const { return trust_->parsed(); }
  [[nodiscard]] base::Status run() const;

 private:
  CLI::App* trust_;
  std::string directory_;
  std::string user_ = "default";
  bool remove_ = false;
};

}  // namespace cli
