#include "session/login.h"

#include <grp.h>
#include <pwd.h>
#include <shadow.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace session {
namespace {

constexpr uid_t kNobody = 65534;
constexpr const char* kUsualPath = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games";

base::Error refused(const std::string& name, const std::string& why) {
  return {.code = base::Code::permission_denied,
          .what = "cannot run terminals as account " + name + ": it " + why,
          .advice =
              "With user_accounts, a user's terminals run as the account with the same name; see "
              "docs/operations.md."};
}

bool is_expired(const std::string& name) {
  using Days = std::chrono::duration<long, std::ratio<86400>>;
  const spwd* const shadow = ::getspnam(name.c_str());
  const auto today = std::chrono::floor<Days>(std::chrono::system_clock::now().time_since_epoch());
  return shadow != nullptr && shadow->sp_expire > 0 && today.count() >= shadow->sp_expire;
}

base::Status check(const passwd& account, uid_t least) {
  const std::string name = account.pw_name;
  if (account.pw_uid == 0) return base::fail(refused(name, "is root"));
  if (account.pw_uid < least || account.pw_uid == kNobody)
    return base::fail(
        refused(name, "is a system account (uid " + std::to_string(account.pw_uid) + ")"));
  const std::string shell = std::filesystem::path(account.pw_shell).filename();
  if (shell == "nologin" || shell == "false")
    return base::fail(refused(name, "does not allow logins"));
  if (is_expired(name)) return base::fail(refused(name, "has expired"));
  return {};
}

std::vector<gid_t> groups_of(const passwd& account) {
  std::vector<gid_t> groups(64);
  for (;;) {
    int count = static_cast<int>(groups.size());
    const bool all = ::getgrouplist(account.pw_name, account.pw_gid, groups.data(), &count) >= 0;
    groups.resize(static_cast<std::size_t>(std::max(count, 1)));
    if (all) return groups;
  }
}

// The same as login(1) uses: ENV_PATH PATH=/usr/local/bin:…
std::string login_path() {
  std::ifstream lines("/etc/login.defs");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    std::string value;
    if (!(words >> key >> value) || key != "ENV_PATH") continue;
    constexpr std::string_view kName = "PATH=";
    return value.starts_with(kName) ? value.substr(kName.size()) : value;
  }
  return kUsualPath;
}

bool is_about_no_account(std::string_view entry) {
  constexpr std::array<std::string_view, 6> kKept{"LANG=", "LANGUAGE=", "LC_",
                                                  "TZ=",   "TERM=",     "COLORTERM="};
  return std::ranges::any_of(kKept, [&](std::string_view each) { return entry.starts_with(each); });
}

}  // namespace

base::Result<Login> login_of_account(const std::string& name, uid_t least,
                                     const std::vector<std::string>& environment) {
  errno = 0;
  const passwd* const found = ::getpwnam(name.c_str());
  // A case-insensitive account directory must not merge two users into one.
  if (found == nullptr || found->pw_name != name) {
    if (found == nullptr && (errno == EIO || errno == EMFILE || errno == ENFILE || errno == EAGAIN))
      return base::fail(base::errno_error(errno, "look up account " + name, "Try again."));
    return base::fail(
        base::Code::permission_denied, "there is no account " + name + " on this machine",
        "With user_accounts, a user's terminals run as the account with the same name. Create the "
        "account, or sign in as a user who has one: holdfast token new --user NAME");
  }
  if (auto allowed = check(*found, least); !allowed) return base::fail(allowed.error());
  keeper::Account account{.uid = found->pw_uid, .gid = found->pw_gid, .groups = groups_of(*found)};
  Login login;
  login.confinement.account = std::move(account);
  login.home = found->pw_dir;
  login.shell = *found->pw_shell == '\0' ? "/bin/sh" : found->pw_shell;
  std::ranges::copy_if(environment, std::back_inserter(login.environment), is_about_no_account);
  for (const auto& [variable, value] : {std::pair<const char*, std::string>{"HOME", login.home},
                                        {"USER", name},
                                        {"LOGNAME", name},
                                        {"SHELL", login.shell},
                                        {"PATH", login_path()}})
    login.environment.push_back(std::string(variable) + "=" + value);
  return login;
}

std::optional<std::string> account_of(uid_t uid, uid_t least) {
  const passwd* const found = ::getpwuid(uid);
  if (found == nullptr || !check(*found, least)) return std::nullopt;
  return found->pw_name;
}

}  // namespace session
