// The listening sockets that the keeper holds for the daemon, so that no connection is refused
// while it restarts.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "keeper_protocol/listener.h"

namespace keeper {

class Listeners {
 public:
  // The socket for an address, existing or new. An existing one matches by its requested or actual
  // address. Addresses are `127.0.0.1:7420`, `[::1]:7420` or `unix:/path`.
  [[nodiscard]] base::Result<const Listener*> listen(std::string_view address);
  [[nodiscard]] base::Status unlisten(std::string_view address);
  // Holds a socket that is already listening, unless there is one for its address.
  [[nodiscard]] base::Status hold(Listener listener);
  // Closes all others. Connections that wait there are reset.
  void listen_only(const std::vector<std::string>& addresses);

  void restore(Listener listener) { held_.push_back(std::move(listener)); }
  [[nodiscard]] const std::vector<Listener>& held() const { return held_; }

 private:
  std::vector<Listener> held_;
};

}  // namespace keeper
