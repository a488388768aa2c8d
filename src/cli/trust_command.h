// `holdfast trust`: the directories whose own extensions a user trusts. It works on the store, like
// `holdfast token`. A daemon sees the change at the next /reload.

#pragma once

#include <string>

#include "base/result.h"
#include "cli/arguments.h"

namespace cli {

class TrustCommand {
 public:
  explicit TrustCommand(const Arguments& app);
  [[nodiscard]] bool was_given() const { return trust_.was_given(); }
  [[nodiscard]] base::Status run() const;

 private:
  Arguments trust_;
  std::string directory_;
  std::string user_ = "default";
  bool remove_ = false;
};

}  // namespace cli
