#include "end_to_end/accounts_fixture.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "keeper/cgroup.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;

void must(bool done, const std::string& what) {
  if (!done) throw std::runtime_error(what + ": " + std::strerror(errno));
}

void enter_own_namespace() {
  static bool entered = false;
  if (entered) return;
  must(::unshare(CLONE_NEWNS) == 0, "unshare");
  must(::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "make mounts private");
  entered = true;
}

std::string content_of(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The file as it is, with more lines.
void replace(const fs::path& dir, const fs::path& file, const std::string& more, mode_t mode) {
  const fs::path copy = dir / ("etc-" + file.filename().string());
  std::ofstream(copy) << content_of(file) << more << std::flush;
  must(::chmod(copy.c_str(), mode) == 0, "chmod");
  must(::mount(copy.c_str(), file.c_str(), nullptr, MS_BIND, nullptr) == 0,
       "bind " + file.string());
}

}  // namespace

std::string Accounts::trouble() {
  if (::geteuid() != 0) return "only root can have programs run as other accounts";
  return {};
}

Accounts::Accounts(const fs::path& dir) : dir_(dir) {
  must(::chmod(dir.c_str(), 0755) == 0, "chmod");
  enter_own_namespace();
  std::string users;
  std::string shadows;
  const auto add = [&](const std::string& name, uid_t uid, const std::string& shell,
                       const std::string& expires = {}) {
    users += name + ":x:" + std::to_string(uid) + ":" + std::to_string(uid) +
             "::" + home_of(name).string() + ":" + shell + "\n";
    shadows += name + ":*:19000:0:99999:7::" + expires + ":\n";
    fs::create_directory(home_of(name));
    must(::chown(home_of(name).c_str(), uid, uid) == 0, "chown");
    must(::chmod(home_of(name).c_str(), 0700) == 0, "chmod");
  };
  add("ada", kAda, "/bin/bash");
  add("bob", kBob, "/bin/sh");
  add("daemonic", 321, "/bin/sh");
  add("locked", 54323, "/usr/sbin/nologin");
  add("expired", 54324, "/bin/sh", "10");
  add("toor", 0, "/bin/sh");
  replace(dir, "/etc/passwd", users, 0644);
  replace(dir, "/etc/shadow", shadows, 0600);
  replace(dir, "/etc/group",
          "ada:x:" + std::to_string(kAda) + ":\nbob:x:" + std::to_string(kBob) +
              ":\npainters:x:" + std::to_string(kPainters) + ":ada\n",
          0644);
}

Accounts::~Accounts() {
  for (const char* file : {"/etc/passwd", "/etc/shadow", "/etc/group"}) ::umount2(file, MNT_DETACH);
}

void hide_cgroups() {
  enter_own_namespace();
  for (fs::path group = cgroups(); !group.empty(); group = cgroups())
    must(::mount("none", group.c_str(), "tmpfs", MS_RDONLY, nullptr) == 0, "hide the cgroups");
}

fs::path cgroups() {
  return keeper::delegated_cgroup().value_or(fs::path());
}

}  // namespace e2e
