// `holdfast sign-ins`: lists the browsers that were let in, and ends a sign-in. It asks the running
// daemon over its Unix socket.

#pragma once

#include <string>

#include "base/result.h"
#include "cli/arguments.h"

namespace cli {

class SignInsCommand {
 public:
  explicit SignInsCommand(const Arguments& app);
  [[nodiscard]] bool was_given() const { return sign_ins_.was_given(); }
  [[nodiscard]] base::Status run() const;

 private:
  Arguments sign_ins_;
  Arguments end_;
  std::string id_;
};

}  // namespace cli
