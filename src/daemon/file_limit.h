// Each connection takes a descriptor, so the daemon takes as many as it may have. A keeper that it
// starts gets what there was before: programs in terminals inherit it.

#pragma once

#include <sys/resource.h>

namespace holdfast {

class FileLimit {
 public:
  FileLimit();
  ~FileLimit() { restore(); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

  void raise() const;
  void restore() const;

 private:
  rlimit before_{};
};

}  // namespace holdfast
