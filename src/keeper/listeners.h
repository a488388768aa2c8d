// The listening sockets that the keeper holds for the daemon, so that no connection is refused
// while it restarts.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace keeper {

struct Listener {
  std::string asked;  // The address as it was asked for, `127.0.0.1:0` say,
  std::string bound;  // and as it came to be.
  base::Fd socket;
};

class Listeners {
 public:
  // The socket for an address: the one that is held, under the name it was asked by or came to
  // have, or a new one. Addresses are `127.0.0.1:7420`, `[::1]:7420` or `unix:/path`.
  [[nodiscard]] base::Result<const Listener*> listen(std::string_view address);
  [[nodiscard]] base::Status unlisten(std::string_view address);

  void restore(Listener listener) { held_.push_back(std::move(listener)); }
  [[nodiscard]] const std::vector<Listener>& held() const { return held_; }

 private:
  std::vector<Listener> held_;
};

}  // namespace keeper
