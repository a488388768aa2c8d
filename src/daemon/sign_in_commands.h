// `holdfast link` lets a browser in; `holdfast sign-ins` lists those that are in. Both ask the
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
  // Prints only the link to standard output.
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
