#include "daemon/sign_in_commands.h"

#include <cstdio>

#include <boost/json/parse.hpp>

#include "base/id.h"
#include "base/printable.h"
#include "cli/request.h"
#include "daemon/connect.h"
#include "daemon/line.h"

namespace holdfast {
namespace {

namespace json = boost::json;

base::Result<std::string> ask(const std::string& method, const std::string& target) {
  auto socket = connect_to_daemon();
  if (!socket) return base::fail(socket.error());
  return cli::request(std::move(*socket), method, target);
}

// Prints a line for each: id, expiry, user, access, address, browser.
base::Status print_sign_ins(const std::string& text) {
  json::error_code error;
  const json::value list = json::parse(text, error);
  if (error || !list.is_array())
    return base::fail(base::Code::corrupt, "cannot read the daemon's answer");
  for (const json::value& each : list.get_array()) {
    if (!each.is_object()) continue;
    const json::object& row = each.get_object();
    std::string line;
    for (const char* key : {"id", "expires", "user", "access", "address", "browser"})
      line += (line.empty() ? "" : "  ") + text_in(row, key);
    std::printf("%s\n", base::printable(line).c_str());
  }
  return {};
}

}  // namespace

LinkCommand::LinkCommand(CLI::App& app)
    : link_(app.add_subcommand("link", "Print a one-time sign-in link, valid for 5 minutes")) {
  link_->add_option("--user", user_, "Sign in as this user; created if it does not exist");
  link_->add_flag("--view", view_, "Sign in with view-only access");
}

base::Status LinkCommand::run() const {
  if (!user_.empty() && !base::is_valid_id(user_))
    return base::fail(base::Code::invalid_argument, "invalid user name",
                      "Use 1 to 128 of A-Z a-z 0-9 . _ - and start with a letter or a digit.");
  std::string target = "/link?access=" + std::string(view_ ? "view" : "control");
  if (!user_.empty()) target += "&user=" + user_;
  const auto link = ask("POST", target);
  if (!link) return base::fail(link.error());
  std::printf("%s\n", link->c_str());
  return {};
}

SignInsCommand::SignInsCommand(CLI::App& app)
    : sign_ins_(app.add_subcommand("sign-ins", "List signed-in browsers, or sign one out")),
      end_(sign_ins_->add_subcommand("end", "Sign a browser out")) {
  end_->add_option("id", id_, "The id shown by `holdfast sign-ins`")->required();
}

base::Status SignInsCommand::run() const {
  if (!end_->parsed()) {
    const auto list = ask("GET", "/sign-ins");
    return list ? print_sign_ins(*list) : base::fail(list.error());
  }
  if (!base::is_valid_id(id_))
    return base::fail(base::Code::not_found, "no sign-in matches \"" + id_ + "\"",
                      "List them with: holdfast sign-ins");
  const auto ended = ask("DELETE", "/sign-ins/" + id_);
  if (!ended) return base::fail(ended.error());
  return {};
}

}  // namespace holdfast
