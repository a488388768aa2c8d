// `holdfast link`: lets a browser in. It asks the running daemon over its Unix socket.

#pragma once

#include <string>

#include "base/result.h"
#include "cli/arguments.h"

namespace cli {

class LinkCommand {
 public:
  explicit LinkCommand(const Arguments& app);
  [[nodiscard]] bool was_given() const { return link_.was_given(); }
  // Prints only the link to standard output.
  [[nodiscard]] base::Status run() const;

 private:
  Arguments link_;
  std::string user_;
  bool view_ = false;
};

}  // namespace cli
