// A one-process server, started by a command, that prints its port on its first line.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "end_to_end/process.h"

namespace bench {

class PortServer {
 public:
  // Throws if it prints none.
  explicit PortServer(const std::vector<std::string>& command);

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] pid_t pid() const { return process_->pid(); }

 private:
  std::unique_ptr<e2e::Process> process_;
  int port_ = 0;
};

}  // namespace bench
