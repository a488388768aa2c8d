// A runtime directory that was verified: the sockets of a keeper and its daemon, and the lock that
// makes the keeper the only one there.
//
// Invariants
// 1. An object of this class is an open directory whose owner is this user or root, that is no link
//    and that nobody else can write to or list. Everything in it is reached through the descriptor,
//    so what becomes of its path later does not matter.
// 2. Whoever answers on a socket that `connect` returns is this user or root: the kernel says so.
//    No other code of the project connects to a Unix socket.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace keeper {

class RuntimeDir {
 public:
  // Makes the directory if it is not there, mode 0700. It must be this user's own.
  [[nodiscard]] static base::Result<RuntimeDir> make(const std::filesystem::path& path);
  // The one that is there, this user's or root's; `unavailable` if there is none.
  [[nodiscard]] static base::Result<RuntimeDir> open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // A connection to a socket in it. `unavailable` if nobody listens there, `permission_denied` if
  // somebody else does.
  [[nodiscard]] base::Result<base::Fd> connect(const std::string& name, int type) const;
  // Both in one.
  [[nodiscard]] static base::Result<base::Fd> connect_in(const std::filesystem::path& path,
                                                         const std::string& name, int type);
  // A non-blocking listening socket, for its owner alone. A socket of that name is replaced.
  [[nodiscard]] base::Result<base::Fd> listen(const std::string& name, int type) const;
  // Whether somebody listens there; a socket file that a dead process left does not count.
  [[nodiscard]] bool is_served(const std::string& name) const;

  // A file in it, mode 0600 if it is made. Never follows a link.
  [[nodiscard]] base::Result<base::Fd> open_file(const std::string& name, int flags) const;
  [[nodiscard]] base::Status rename(const std::string& from, const std::string& to) const;
  void remove(const std::string& name) const;

  // Takes the keeper's lock; `busy` names the keeper that has it. Held while the Fd, or a copy of
  // it, is open.
  [[nodiscard]] base::Result<base::Fd> lock() const;

  // Who may enter the directory (but never list it or write to it), and who may connect to a socket
  // in it.
  [[nodiscard]] base::Status set_mode(mode_t mode) const;
  [[nodiscard]] base::Status set_socket_mode(const std::string& name, mode_t mode) const;

 private:
  RuntimeDir(std::filesystem::path path, base::Fd dir)
      : path_(std::move(path)), dir_(std::move(dir)) {}

  std::filesystem::path path_;
  base::Fd dir_;
};

// Writes this process's pid into the lock, for whoever finds it taken.
[[nodiscard]] base::Status sign_lock(const base::Fd& lock);

}  // namespace keeper
