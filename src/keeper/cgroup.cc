#include "keeper/cgroup.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "base/log.h"
#include "base/process.h"

namespace keeper {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOwnLeaf = "holdfast-keeper";
constexpr std::string_view kPrefix = "holdfast-";
constexpr const char* kAdvice =
    "Let systemd delegate a cgroup to the keeper (Delegate=yes in its unit), or remove "
    "terminal_memory and terminal_processes from the settings.";

base::Status write_to(const fs::path& file, const std::string& text) {
  const base::Fd fd(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd || ::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return base::fail(base::errno_error(errno, "write " + text + " to " + file.native()));
  return {};
}

std::string own_prefix() {
  return std::string(kPrefix) + std::to_string(::getpid()) + "-";
}

bool has_word(const fs::path& file, std::string_view wanted) {
  std::ifstream words(file);
  for (std::string word; words >> word;)
    if (word == wanted) return true;
  return false;
}

// The cgroup of a process, relative to the root of the hierarchy. Empty if there is none.
std::string group_of(const std::string& pid) {
  std::ifstream lines("/proc/" + pid + "/cgroup");
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("0::/")) return line.substr(3);
  return {};
}

// Where cgroup2 is mounted, and which cgroup is the root of that mount.
struct Mount {
  std::string point;
  std::string root;
};

std::optional<Mount> find_mount() {
  std::ifstream lines("/proc/self/mountinfo");
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" - cgroup2 ") == std::string::npos) continue;
    std::istringstream words(line);
    std::string skipped;
    Mount mount;
    words >> skipped >> skipped >> skipped >> mount.root >> mount.point;
    return mount;
  }
  return std::nullopt;
}

bool is_delegated(const fs::path& group) {
  if (::access(group.c_str(), W_OK) != 0 || ::access((group / "cgroup.procs").c_str(), W_OK) != 0)
    return false;
  if (::access("/run/systemd/system", F_OK) != 0) return true;  // Nothing else manages the tree.
  for (const char* mark : {"user.delegate", "trusted.delegate"}) {
    char value = '0';
    if (::getxattr(group.c_str(), mark, &value, 1) == 1 && value == '1') return true;
  }
  return false;
}

// A cgroup cannot have both processes and controllers for its subgroups. The root cgroup can; it
// has no cgroup.type.
base::Status make_room_for_controllers(const fs::path& parent) {
  if (::access((parent / "cgroup.type").c_str(), F_OK) != 0) return {};
  const fs::path leaf = parent / kOwnLeaf;
  if (::mkdir(leaf.c_str(), 0755) < 0 && errno != EEXIST)
    return base::fail(base::errno_error(errno, "create the cgroup " + leaf.native()));
  return write_to(leaf / "cgroup.procs", std::to_string(::getpid()));
}

base::Status enable(const fs::path& parent, const std::string& controller) {
  if (has_word(parent / "cgroup.subtree_control", controller)) return {};
  if (!has_word(parent / "cgroup.controllers", controller))
    return base::fail(
        base::Code::unsupported,
        "the " + controller + " controller is not available in the cgroup " + parent.native(),
        kAdvice);
  auto enabled = make_room_for_controllers(parent);
  if (enabled) enabled = write_to(parent / "cgroup.subtree_control", "+" + controller);
  if (enabled) return {};
  base::Error error = enabled.error();
  error.code = base::Code::unsupported;
  error.advice = kAdvice;
  return base::fail(std::move(error));
}

base::Status limit(const fs::path& parent, const fs::path& group, const std::string& controller,
                   std::optional<std::uint64_t> most) {
  if (!most) return {};
  if (auto enabled = enable(parent, controller); !enabled) return enabled;
  return write_to(group / (controller + ".max"), std::to_string(*most));
}

void remove_tree(const fs::path& group) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(group, error))
    if (entry.is_directory(error)) remove_tree(entry.path());
  if (::rmdir(group.c_str()) < 0 && errno != ENOENT)
    base::log(base::Level::warning, "cannot remove a cgroup",
              {{"error", base::errno_error(errno, "remove " + group.native())}});
}

}  // namespace

std::optional<fs::path> delegated_cgroup() {
  const auto mount = find_mount();
  std::string own = group_of("self");
  if (!mount || own.empty()) return std::nullopt;
  if (mount->root != "/") {
    if (own != mount->root && !own.starts_with(mount->root + "/")) return std::nullopt;
    own.erase(0, mount->root.size());
  }
  fs::path group = mount->point;
  if (own.size() > 1) group += own;
  if (group.filename() == kOwnLeaf) group = group.parent_path();
  if (!is_delegated(group)) return std::nullopt;
  return group;
}

void sweep_cgroups(const fs::path& parent) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kPrefix) || name == kOwnLeaf) continue;
    const pid_t keeper = std::atoi(name.c_str() + kPrefix.size());
    const bool is_left = keeper > 0 && (keeper == ::getpid() || ::kill(keeper, 0) < 0);
    if (is_left && Cgroup(entry.path()).is_empty()) remove_tree(entry.path());
  }
}

base::Result<Cgroup> Cgroup::create(const fs::path& parent, const Limits& limits) {
  static std::uint64_t last = 0;
  fs::path path;
  do {
    path = parent / (own_prefix() + std::to_string(++last));
    errno = 0;
  } while (::mkdir(path.c_str(), 0755) < 0 && errno == EEXIST);  // Created before an upgrade.
  if (errno != 0) return base::fail(base::errno_error(errno, "create the cgroup " + path.native()));
  const Cgroup group{path};
  base::Status made;
  if (::access((path / "cgroup.kill").c_str(), W_OK) != 0)
    made = base::fail(base::Code::unsupported, "this kernel does not support cgroup.kill",
                      "Linux 5.14 or newer is required.");
  if (made) made = limit(parent, path, "memory", limits.memory);
  if (made) made = limit(parent, path, "pids", limits.processes);
  if (made) return group;
  group.remove();
  return base::fail(made.error());
}

base::Result<base::Fd> Cgroup::open() const {
  base::Fd directory(::open(path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return base::fail(base::errno_error(errno, "open the cgroup " + path_.native()));
  return directory;
}

bool Cgroup::is_empty() const {
  std::ifstream events(path_ / "cgroup.events");
  if (!events) return ::access(path_.c_str(), F_OK) != 0 && errno == ENOENT;
  for (std::string line; std::getline(events, line);)
    if (line == "populated 0") return true;
  return false;
}

void Cgroup::terminate_all_outside(pid_t sid) const {
  std::ifstream members(path_ / "cgroup.procs");
  for (pid_t pid = 0; members >> pid;) {
    const auto process = base::Process::open(pid);
    // Check after opening it: if the pid is in the group now, the process is a member.
    if (!process || ::getsid(pid) == sid) continue;
    if (!group_of(std::to_string(pid)).ends_with("/" + path_.filename().native())) continue;
    for (const int number : {SIGTERM, SIGCONT}) (void)process->signal(number);  // SIGKILL follows.
  }
}

base::Status Cgroup::kill() const {
  return write_to(path_ / "cgroup.kill", "1");
}

void Cgroup::remove() const {
  remove_tree(path_);
}

void take_out_of_child(const fs::path& parent, pid_t pid) {
  const fs::path group = group_of(std::to_string(pid));
  if (!group.filename().native().starts_with(own_prefix())) return;
  const fs::path leaf = parent / kOwnLeaf;
  const bool has_leaf = ::access(leaf.c_str(), F_OK) == 0;
  const auto moved = write_to((has_leaf ? leaf : parent) / "cgroup.procs", std::to_string(pid));
  if (!moved)
    base::log(base::Level::warning,
              "cannot move the daemon out of a terminal's cgroup; it will end with that terminal",
              {{"pid", pid}, {"error", moved.error()}});
}

}  // namespace keeper
