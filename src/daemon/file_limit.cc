#include "daemon/file_limit.h"

#include <cerrno>

#include "base/log.h"

namespace holdfast {
namespace {

void set(const rlimit& limit) {
  if (::setrlimit(RLIMIT_NOFILE, &limit) < 0)
    base::log(base::Level::warning, "cannot change the open file limit",
              {{"error", base::errno_error(errno, "setrlimit")}});
}

}  // namespace

FileLimit::FileLimit() {
  if (::getrlimit(RLIMIT_NOFILE, &before_) == 0) raise();
}

void FileLimit::raise() const {
  rlimit most = before_;
  most.rlim_cur = most.rlim_max;
  set(most);
}

void FileLimit::restore() const {
  set(before_);
}

}  // namespace holdfast
