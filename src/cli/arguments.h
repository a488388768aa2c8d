// What a command takes: options, flags, arguments and subcommands.
//
// CLI11 does the work, behind this door. Its header defines objects that every file which includes
// it compiles, for four seconds, and that every start of the program constructs.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {  // NOLINT(readability-identifier-naming): it is CLI11's.
class App;
class Option;
}  // namespace CLI

namespace cli {

// One option, flag or argument.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  const Argument& required() const;
  // Only one of the two may be given.
  const Argument& excludes(const Argument& other) const;
  const Argument& between(double least, double most) const;
  const Argument& at_least(double least) const;
  // Wrong usage unless that accepts what was given.
  const Argument& check(const std::function<base::Status(const std::string&)>& accepts) const;
  // As people write it: 500ms, 2s, 3m.
  const Argument& is_duration() const;
  // The heading under which help shows it.
  const Argument& group(const std::string& heading) const;

 private:
  CLI::Option* option_;
};

// A command, or the whole program.
class Arguments {
 public:
  explicit Arguments(CLI::App& app) : app_(&app) {}

  [[nodiscard]] Arguments add_subcommand(const std::string& name, const std::string& meaning) const;
  void alias(const std::string& name) const;
  // Exactly one subcommand must be given.
  void require_subcommand() const;
  // What it does not know is for the command above it.
  void fallthrough() const;

  // `name` is `-s,--session`, or just a name for an argument that has none on the command line.
  // `value` is set when the command line is read; arguments.cc has the types that it may have.
  template <class T>
  Argument add_option(const std::string& name, T& value, const std::string& meaning) const;
  template <class T>
  Argument add_flag(const std::string& name, T& value, const std::string& meaning) const;
  Argument add_flag_callback(const std::string& name, std::function<void()> given,
                             const std::string& meaning) const;

  // Wrong usage unless that accepts all that was given together.
  void check(std::function<base::Status()> accepts) const;

  // What help shows last.
  void footer(const std::string& text) const;
  // The help of the command that the words lead to; none if there is no such command.
  [[nodiscard]] std::optional<std::string> help(const std::vector<std::string>& words) const;

  // Whether this subcommand was given.
  [[nodiscard]] bool was_given() const;
  [[nodiscard]] CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_;
};

}  // namespace cli
