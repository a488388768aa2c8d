#include "keeper/confine.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>

namespace keeper {
namespace {

constexpr mode_t kUmask = 022;

bool drop_capabilities() {
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL)
    return false;
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  return ::syscall(SYS_capset, &header, none.data()) == 0;
}

bool lower(__rlimit_resource resource, std::optional<std::uint64_t> wanted, rlim_t beyond = 0) {
  if (!wanted) return true;
  rlimit limit{};
  if (::getrlimit(resource, &limit) < 0) return false;
  const rlim_t most = limit.rlim_max;
  limit.rlim_max = std::min<rlim_t>(most, *wanted + beyond);
  limit.rlim_cur = std::min<rlim_t>(most, *wanted);
  return ::setrlimit(resource, &limit) == 0;
}

}  // namespace

bool become_account(const Account& account) {
  const uid_t uid = account.uid;
  const gid_t gid = account.gid;
  if (::setgroups(account.groups.size(), account.groups.data()) < 0) return false;
  if (::setresgid(gid, gid, gid) < 0) return false;
  if (::setresuid(uid, uid, uid) < 0) return false;
  if (!drop_capabilities()) return false;
  uid_t real = 0, effective = 0, saved = 0;
  if (::getresuid(&real, &effective, &saved) < 0) return false;
  if (real != uid || effective != uid || saved != uid || ::setresuid(0, 0, 0) == 0) {
    errno = EPERM;
    return false;
  }
  ::umask(kUmask);
  return true;
}

bool apply_limits(const Limits& limits) {
  // At the CPU limit a process gets SIGXCPU; a second later it is killed.
  return lower(RLIMIT_NOFILE, limits.open_files) && lower(RLIMIT_AS, limits.address_space) &&
         lower(RLIMIT_CPU, limits.cpu_seconds, 1) && lower(RLIMIT_CORE, limits.core_size) &&
         lower(RLIMIT_NPROC, limits.account_processes);
}

}  // namespace keeper
