// Accounts of this machine: those that every Debian has.

#include "session/login.h"

#include <pwd.h>

#include <algorithm>

#include "session/logins.h"
#include "session/test_files.h"

namespace session {
namespace {

using Variables = std::vector<std::string>;

constexpr uid_t kAny = 1;

std::string refusal(const std::string& name, uid_t least) {
  const auto login = login_of_account(name, least, {});
  if (login) return "";
  EXPECT_EQ(login.error().code, base::Code::permission_denied);
  return login.error().what;
}

TEST(LoginTest, AnAccountThatMayLogInHasItsOwnHomeShellAndPath) {
  const passwd* const sync = ::getpwnam("sync");
  ASSERT_NE(sync, nullptr);
  const auto login = login_of_account("sync", kAny, {"LANG=C", "HOME=/root", "SECRET=x", "TZ=UTC"});
  ASSERT_TRUE(login) << login.error().what;
  ASSERT_TRUE(login->confinement.account);
  EXPECT_EQ(login->confinement.account->uid, sync->pw_uid);
  EXPECT_EQ(login->confinement.account->gid, sync->pw_gid);
  EXPECT_EQ(std::ranges::count(login->confinement.account->groups, sync->pw_gid), 1);
  EXPECT_EQ(login->home, sync->pw_dir);
  EXPECT_EQ(login->shell, sync->pw_shell);
  const auto has = [&](const std::string& variable) {
    return std::ranges::count(login->environment, variable) == 1;
  };
  EXPECT_TRUE(has("LANG=C") && has("TZ=UTC") && has("USER=sync") && has("LOGNAME=sync"));
  EXPECT_TRUE(has("HOME=" + login->home) && has("SHELL=" + login->shell));
  EXPECT_FALSE(has("SECRET=x") || has("HOME=/root")) << "what is the daemon's stays with it";
  EXPECT_TRUE(std::ranges::any_of(login->environment, [](const std::string& each) {
    return each.starts_with("PATH=/") && each.find("bin") != std::string::npos;
  }));
  EXPECT_EQ(account_of(sync->pw_uid, kAny), "sync");
}

TEST(LoginTest, NobodysTerminalsRunAsRootOrAsAService) {
  EXPECT_EQ(refusal("root", kAny), "cannot run terminals as account root: it is root");
  EXPECT_EQ(refusal("sync", 1000),
            "cannot run terminals as account sync: it is a system account (uid 4)");
  EXPECT_EQ(refusal("nobody", kAny),
            "cannot run terminals as account nobody: it is a system account (uid 65534)");
  EXPECT_EQ(refusal("daemon", kAny),
            "cannot run terminals as account daemon: it does not allow logins");
  EXPECT_EQ(refusal("no-such-account", kAny),
            "there is no account no-such-account on this machine");
  EXPECT_EQ(account_of(0, kAny), std::nullopt);
  EXPECT_EQ(account_of(4'000'000'000, kAny), std::nullopt);
}

class LoginsTest : public StoreTest {
 protected:
  Store store_ = Store::open(path()).value();
  UserRow ann_ = store_.ensure_user("ann").value();
  Settings settings_;
  Logins logins_{store_, settings_};
};

TEST_F(LoginsTest, WithoutAccountsEverybodyRunsAsTheDaemon) {
  settings_.home = "/home/daemon";
  settings_.environment = {"A=1"};
  settings_.limits.open_files = 10;
  const auto login = logins_.of(ann_.id);
  ASSERT_TRUE(login);
  EXPECT_FALSE(login->confinement.account);
  EXPECT_EQ(login->confinement.limits.open_files, 10u);
  EXPECT_EQ(login->home, "/home/daemon");
  EXPECT_EQ(login->environment, Variables{"A=1"});
  SessionRow session;
  session.user = ann_.id;
  EXPECT_EQ(logins_.directory_of(session), "/home/daemon");
  session.cwd = "/srv";
  EXPECT_EQ(logins_.directory_of(session), "/srv");
}

TEST_F(LoginsTest, WithAccountsAUserWithoutOneRunsNothing) {
  settings_.least_account = kAny;
  settings_.limits.open_files = 10;
  const UserRow sync = store_.ensure_user("sync").value();
  const auto login = logins_.of(sync.id);
  ASSERT_TRUE(login) << login.error().what;
  EXPECT_EQ(login->confinement.limits.open_files, 10u);
  EXPECT_FALSE(logins_.of(ann_.id));
  SessionRow session;
  session.user = ann_.id;
  EXPECT_EQ(logins_.directory_of(session), "/");
}

TEST_F(LoginsTest, AUserWhoCameLaterIsFound) {
  logins_.learn_users();
  const UserRow bob = store_.ensure_user("bob").value();
  EXPECT_EQ(logins_.user_name(bob.id), "bob");
  EXPECT_EQ(logins_.user_name(UserId("nobody")), "");
}

}  // namespace
}  // namespace session
