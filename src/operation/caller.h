// Who asks for an operation.

#pragma once

#include "base/result.h"
#include "session/permit.h"
#include "session/reach.h"
#include "session/watcher.h"

namespace operation {

struct Caller {
  session::Reach reach;
  const session::Watcher* watcher = nullptr;  // Gets the answer, so it gets no event.
  session::Permit permit{};

  // Whether it may change something.
  [[nodiscard]] base::Status may_change() const {
    if (reach.scope.access == session::Access::control) return permit.check();
    return base::fail(base::Code::permission_denied, "this credential is view-only",
                      "Sign in with one that was not made with --view.");
  }
};

}  // namespace operation
