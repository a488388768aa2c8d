// A verified runtime directory. It has the sockets of a keeper and its daemon, and the lock that
// allows only one keeper.
//
// Invariants
// 1. A RuntimeDir is an open directory that belongs to this user or root, is not a symlink, and
//    cannot be written to or listed by anybody else. Everything in it is reached through the
//    descriptor, so later changes to its path do not matter.
// 2. The peer of a socket that `connect` returns is this user or root, according to the kernel.
//    No other code in this project connects to a Unix socket.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace keeper {

class RuntimeDir {
 public:
  // Creates the directory with mode 0700 if it does not exist. It must belong to this user.
  [[nodiscard]] static base::Result<RuntimeDir> make(const std::filesystem::path& path);
  // Opens an existing directory that belongs to this user or root. `unavailable` if there is none.
  [[nodiscard]] static base::Result<RuntimeDir> open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // Connects to a socket in it. `unavailable` if nobody listens there, `permission_denied` if
  // another user does.
  [[nodiscard]] base::Result<base::Fd> connect(const std::string& name, int type) const;
  // `open` and `connect` in one.
  [[nodiscard]] static base::Result<base::Fd> connect_in(const std::filesystem::path& path,
                                                         const std::string& name, int type);
  // Creates a non-blocking listening socket that only this user can connect to. Replaces an
  // existing socket of that name.
  [[nodiscard]] base::Result<base::Fd> listen(const std::string& name, int type) const;
  // Whether a process listens there. A stale socket file does not count.
  [[nodiscard]] bool is_served(const std::string& name) const;

  // Opens a file in it; a new one gets mode 0600. Never follows symlinks.
  [[nodiscard]] base::Result<base::Fd> open_file(const std::string& name, int flags) const;
  [[nodiscard]] base::Status rename(const std::string& from, const std::string& to) const;
  void remove(const std::string& name) const;
  // Makes `name` a symlink to `target`, in place of whatever it was: `draft` becomes it.
  [[nodiscard]] base::Status link(const std::string& name, const std::string& draft,
                                  const std::filesystem::path& target) const;

  // Takes the keeper's lock. If it is `busy`, the error names the keeper that has it. The lock is
  // held while the Fd or a copy of it is open.
  [[nodiscard]] base::Result<base::Fd> lock() const;

  // Set who may enter the directory and who may connect to a socket in it. Other users can never
  // list the directory or write to it.
  [[nodiscard]] base::Status set_mode(mode_t mode) const;
  [[nodiscard]] base::Status set_socket_mode(const std::string& name, mode_t mode) const;

 private:
  RuntimeDir(std::filesystem::path path, base::Fd dir)
      : path_(std::move(path)), dir_(std::move(dir)) {}

  std::filesystem::path path_;
  base::Fd dir_;
};

// Writes this process's pid into the lock file, for the error above.
[[nodiscard]] base::Status sign_lock(const base::Fd& lock);

}  // namespace keeper
