// Each connection takes a descriptor, so the daemon raises its open file limit to the maximum. It
// starts the keeper with the original limit, because programs in terminals inherit it.

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
