// Who asked for something, and whether they may still have it done. A connection shares one with
// all that it sets off; when its credential is withdrawn, what has not begun by then does not
// begin.

#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"

namespace session {

class Permit {
 public:
  Permit() = default;
  explicit Permit(std::string asker) : asker_(std::move(asker)) {}

  void withdraw() { *holds_ = false; }
  [[nodiscard]] base::Status check() const {
    if (*holds_) return {};
    return base::fail(base::Code::permission_denied, "the credential was withdrawn",
                      "Sign in again.");
  }

  // As the log tells it, "from 127.0.0.1"; empty for the daemon's own doing.
  [[nodiscard]] const std::string& asker() const { return asker_; }

 private:
  std::string asker_;
  std::shared_ptr<bool> holds_ = std::make_shared<bool>(true);
};

}  // namespace session
