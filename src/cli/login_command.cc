#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "cli/command.h"
#include "cli/request.h"
#include "cli/server.h"
#include "cli/server_profile.h"

namespace cli {
namespace {

// What is typed does not show while this exists.
class Hidden {
 public:
  Hidden() {
    if (::isatty(STDIN_FILENO) != 1 || ::tcgetattr(STDIN_FILENO, &before_) < 0) return;
    termios hidden = before_;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    is_changed_ = ::tcsetattr(STDIN_FILENO, TCSANOW, &hidden) == 0;
  }
  Hidden(const Hidden&) = delete;
  Hidden& operator=(const Hidden&) = delete;
  ~Hidden() {
    if (is_changed_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }

 private:
  termios before_{};
  bool is_changed_ = false;
};

base::Result<std::string> typed_token() {
  if (::isatty(STDIN_FILENO) == 1) std::fprintf(stderr, "Token: ");
  std::string token;
  {
    const Hidden hidden;
    std::getline(std::cin, token);
  }
  if (::isatty(STDIN_FILENO) == 1) std::fprintf(stderr, "\n");
  while (token.ends_with('\r') || token.ends_with(' ')) token.pop_back();
  if (!token.empty()) return token;
  return base::fail(base::Code::invalid_argument, "there is no token on standard input",
                    "Make one there with: holdfast token new");
}

class LoginCommand final : public Command {
 public:
  explicit LoginCommand(const Arguments& holdfast)
      : Command(holdfast, "login", "Save the token of a daemon elsewhere, for --server",
                Where::here) {
    command()
        .add_option("server", url_, "Its address, such as https://build.example.org")
        .required();
    command().add_option("--ca", ca_, "File with the certificates to trust (PEM)");
    command().add_flag("--plain-http", plain_,
                       "Send the token even if the connection is not encrypted");
    explain(command(), {"holdfast login https://build.example.org"},
            "Reads the token from standard input, and checks it before it is saved.");
  }

  base::Result<int> run() override {
    auto address = parse_server(url_);
    if (!address) return base::fail(address.error());
    auto token = typed_token();
    if (!token) return base::fail(token.error());
    const std::filesystem::path ca = ca_.empty() ? "" : std::filesystem::absolute(ca_);
    const Server server{.address = *address, .token = *token, .ca = ca, .may_be_readable = plain_};
    if (auto known = request_of(server, "GET", "/sign-in"); !known)
      return base::fail(known.error());
    if (auto saved = save_profile(*address, {.token = *token, .ca = ca}); !saved)
      return base::fail(saved.error());
    std::printf("Saved the token for %s.\n", address->url().c_str());
    return 0;
  }

 private:
  std::string url_;
  std::string ca_;
  bool plain_ = false;
};

class LogoutCommand final : public Command {
 public:
  explicit LogoutCommand(const Arguments& holdfast)
      : Command(holdfast, "logout", "Forget the token of a daemon elsewhere", Where::here) {
    command().add_option("server", url_, "Its address, as given to login").required();
    explain(command(), {"holdfast logout https://build.example.org"});
  }

  base::Result<int> run() override {
    const auto address = parse_server(url_);
    if (!address) return base::fail(address.error());
    const auto removed = remove_profile(*address);
    if (!removed) return base::fail(removed.error());
    if (!*removed)
      return base::fail(base::Code::not_found, "there is no token for " + address->url());
    std::printf(
        "Forgot the token for %s. It is still valid there; revoke it with: holdfast token "
        "revoke\n",
        address->url().c_str());
    return 0;
  }

 private:
  std::string url_;
};

}  // namespace

std::unique_ptr<Command> make_login_command(const Arguments& holdfast) {
  return std::make_unique<LoginCommand>(holdfast);
}

std::unique_ptr<Command> make_logout_command(const Arguments& holdfast) {
  return std::make_unique<LogoutCommand>(holdfast);
}

}  // namespace cli
