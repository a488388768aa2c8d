// Whether whoever asked for something may still have it done. A connection shares one with all that
// it sets off; when its credential is withdrawn, what has not begun by then does not begin.

#pragma once

#include <memory>

#include "base/result.h"

namespace session {

class Permit {
 public:
  void withdraw() { *holds_ = false; }
  [[nodiscard]] base::Status check() const {
    if (*holds_) return {};
    return base::fail(base::Code::permission_denied, "the credential was withdrawn",
                      "Sign in again.");
  }

 private:
  std::shared_ptr<bool> holds_ = std::make_shared<bool>(true);
};

}  // namespace session
