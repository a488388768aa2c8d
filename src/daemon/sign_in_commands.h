// `holdfast link` and `holdfast sign-ins`: how browsers get in, and which have. Both ask the
// running daemon over its Unix socket.

#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace holdfast {

class LinkCommand {
 public:
  explicit LinkCommand(CLI::App& app);
  [[nodiscard]] bool was_given() const { return link_->parsed(); }
  // Prints the link, alone, on standard output.
  [[nodiscard]] base::Status run() const;

 private:
  CLI::App* link_;
  std::string user_;
  bool view_ = false;
};

class SignInsCommand {
 public:
  explicit SignInsCommand(CLI::App& app);
  [[nodiscard]] bool was_given() const { return sign_ins_->parsed(); }
  [[nodiscard]] base::Status run() const;

 private:
  CLI::App* sign_ins_;
  CLI::App* end_;
  std::string id_;
};

}  // namespace holdfast
