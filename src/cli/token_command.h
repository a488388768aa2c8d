// `holdfast token`: creates, lists and revokes tokens. It works on the store, not through a daemon.
// A running daemon notices the change by itself.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/arguments.h"
#include "session/settings.h"

namespace cli {

class TokenCommand {
 public:
  explicit TokenCommand(const Arguments& app);
  [[nodiscard]] bool was_given() const { return token_.was_given(); }
  [[nodiscard]] base::Status run() const;

 private:
  Arguments token_;
  Arguments new_;
  Arguments list_;
  std::string state_dir_;  // Empty: as configured.
  std::string user_{session::kDefaultUser};
  std::string label_;
  std::string expires_;
  std::vector<std::string> sessions_;
  std::vector<std::string> terminals_;
  std::string hash_;
  bool view_ = false;
  bool json_ = false;
};

}  // namespace cli
