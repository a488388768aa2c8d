#include "attacks/attacks_fixture.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace attacks {

namespace fs = std::filesystem;

bool has_second_account() {
  return ::geteuid() == kRoot;
}

std::vector<uid_t> victims() {
  if (has_second_account()) return {kRoot, kAda};
  return {::geteuid()};
}

std::vector<std::string> as(uid_t uid, const std::vector<std::string>& argv) {
  if (uid == ::geteuid()) return argv;
  const std::string id = std::to_string(uid);
  std::vector<std::string> all{"/usr/bin/setpriv", "--reuid=" + id, "--regid=" + id,
                               "--clear-groups"};
  all.insert(all.end(), argv.begin(), argv.end());
  return all;
}

void AttackTest::SetUp() {
  fs::permissions(dir(), fs::perms(0755));
  for (const auto& [path, owner] :
       {std::pair{victims_dir(), victim()}, {mallorys_dir(), kMallory}}) {
    fs::create_directory(path);
    fs::permissions(path, fs::perms(0755));
    if (has_second_account() && ::chown(path.c_str(), owner, owner) != 0)
      throw std::runtime_error("chown");
  }
}

void AttackTest::TearDown() {
  // Where a test failed, a daemon may have started one.
  pid_t keeper = 0;
  if (std::ifstream(victims_dir() / "run" / "keeper.lock") >> keeper &&
      e2e::proc_file(keeper, "cmdline").contains(dir().native()))
    ::kill(keeper, SIGTERM);
}

std::vector<std::string> AttackTest::environment(const fs::path& runtime_dir) const {
  return {"HOME=" + victims_dir().string(), "SHELL=/bin/bash",
          "XDG_RUNTIME_DIR=", "HOLDFAST_STATE_DIR=" + (victims_dir() / "state").string(),
          "HOLDFAST_RUNTIME_DIR=" + runtime_dir.string()};
}

Process::Outcome AttackTest::call(const std::vector<std::string>& argv,
                                  const fs::path& runtime_dir) const {
  return Process(as(victim(), argv), environment(runtime_dir)).wait();
}

std::string name_of(const testing::TestParamInfo<uid_t>& info) {
  return info.param == kRoot ? "Root" : "OrdinaryUser";
}

}  // namespace attacks
