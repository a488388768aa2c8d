#include "cli/arguments.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/duration.h"

namespace cli {

const Argument& Argument::required() const {
  option_->required();
  return *this;
}

const Argument& Argument::excludes(const Argument& other) const {
  option_->excludes(other.option_);
  return *this;
}

const Argument& Argument::between(double least, double most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

const Argument& Argument::at_least(double least) const {
  return between(least, std::numeric_limits<double>::max());
}

const Argument& Argument::check(
    const std::function<base::Status(const std::string&)>& accepts) const {
  option_->check([accepts](const std::string& text) {
    const auto accepted = accepts(text);
    return accepted ? std::string() : accepted.error().message();
  });
  return *this;
}

const Argument& Argument::is_duration() const {
  return check([](const std::string& text) -> base::Status {
    const auto time = duration(text);
    return time ? base::Status() : base::fail(time.error());
  });
}

const Argument& Argument::group(const std::string& heading) const {
  option_->group(heading);
  return *this;
}

Arguments Arguments::add_subcommand(const std::string& name, const std::string& meaning) const {
  return Arguments(*app_->add_subcommand(name, meaning));
}

void Arguments::alias(const std::string& name) const {
  app_->alias(name);
}

void Arguments::require_subcommand() const {
  app_->require_subcommand(1);
}

void Arguments::fallthrough() const {
  app_->fallthrough();
}

template <class T>
Argument Arguments::add_option(const std::string& name, T& value,
                               const std::string& meaning) const {
  return Argument(app_->add_option(name, value, meaning));
}

template <class T>
Argument Arguments::add_flag(const std::string& name, T& value, const std::string& meaning) const {
  return Argument(app_->add_flag(name, value, meaning));
}

Argument Arguments::add_flag_callback(const std::string& name, std::function<void()> given,
                                      const std::string& meaning) const {
  return Argument(app_->add_flag_callback(name, std::move(given), meaning));
}

bool Arguments::was_given() const {
  return app_->parsed();
}

void Arguments::check(std::function<base::Status()> accepts) const {
  app_->parse_complete_callback([accepts = std::move(accepts)] {
    if (const auto accepted = accepts(); !accepted)
      throw CLI::ValidationError(accepted.error().message());
  });
}

void Arguments::footer(const std::string& text) const {
  app_->footer(text);
}

std::optional<std::string> Arguments::help(const std::vector<std::string>& words) const {
  const CLI::App* found = app_;
  std::string path = found->get_name();
  for (const std::string& word : words) {
    const auto all =
        found->get_subcommands([&](const CLI::App* each) { return each->check_name(word); });
    if (all.empty()) return {};
    found = all.front();
    path += " " + found->get_name();
  }
  // Its own `help` would explain the command that was given.
  return found->get_formatter()->make_help(found, path, CLI::AppFormatMode::Normal);
}

using std::optional;
using std::string;
using std::vector;

template Argument Arguments::add_option(const string&, string&, const string&) const;
template Argument Arguments::add_option(const string&, vector<string>&, const string&) const;
template Argument Arguments::add_option(const string&, int&, const string&) const;
template Argument Arguments::add_option(const string&, std::uint64_t&, const string&) const;
template Argument Arguments::add_option(const string&, optional<std::uint64_t>&,
                                        const string&) const;
template Argument Arguments::add_option(const string&, double&, const string&) const;
template Argument Arguments::add_option(const string&, optional<double>&, const string&) const;
template Argument Arguments::add_flag(const string&, string&, const string&) const;
template Argument Arguments::add_flag(const string&, bool&, const string&) const;

}  // namespace cli
