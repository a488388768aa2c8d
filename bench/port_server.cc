#include "bench/port_server.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace bench {

PortServer::PortServer(const std::vector<std::string>& command) {
  std::string file = "/tmp/holdfast-bench-XXXXXX";
  const int fd = ::mkstemp(file.data());
  if (fd < 0) throw std::runtime_error("mkstemp");
  ::close(fd);
  std::vector<std::string> argv{"/bin/sh", "-c", "exec \"$@\" >" + file, "sh"};
  argv.insert(argv.end(), command.begin(), command.end());
  process_ = std::make_unique<e2e::Process>(argv);
  const bool serves = e2e::eventually([&] {
    std::ifstream output(file);
    return !process_->is_running() || (output >> port_ && output.get() == '\n');
  });
  std::filesystem::remove(file);
  if (!serves || port_ == 0) throw std::runtime_error(command.front() + " did not start serving");
}

}  // namespace bench
