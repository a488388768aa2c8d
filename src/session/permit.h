// Who asked for something, and whether they still may. A connection shares one permit with all the
// work it starts. Once its credential is revoked, work that has not started yet never starts.

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
    return base::fail(base::Code::permission_denied, "the credential was revoked",
                      "Sign in again.");
  }

  // As shown in the log, "from 127.0.0.1" for example. Empty for the daemon itself.
  [[nodiscard]] const std::string& asker() const { return asker_; }

 private:
  std::string asker_;
  std::shared_ptr<bool> holds_ = std::make_shared<bool>(true);
};

}  // namespace session
