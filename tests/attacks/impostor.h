// Somebody who sits in a runtime directory and plays keeper and daemon: accepts everybody, answers
// what a keeper would, names the process he wants to see signalled, and writes down what he hears.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace attacks {

class Impostor {
 public:
  // Acts as `uid` in `dir`, which he must be able to write to, until this object ends.
  Impostor(uid_t uid, const std::filesystem::path& dir, pid_t to_be_signalled);
  ~Impostor();
  Impostor(const Impostor&) = delete;
  Impostor& operator=(const Impostor&) = delete;

  // What was sent to him, all of it.
  [[nodiscard]] std::string heard() const;

 private:
  std::filesystem::path notes_;
  pid_t pid_ = 0;
};

}  // namespace attacks
