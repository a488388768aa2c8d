// `holdfast link`: lets a browser in. It asks the running daemon over its Unix socket.

#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace cli {

class LinkCommand {
 public:
  explicit LinkCommand(CLI::App& app);
  [[nodiscard]] bool was_given() const { return link_->parsed(); }
  // Prints only the link to standard output.
  [[nodiscard]] base::Status run() const;

 private:
  CLI::App* link_;
  std::string user_;
  bool view_ = false;
};

}  // namespace cli
