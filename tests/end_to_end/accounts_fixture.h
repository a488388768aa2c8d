// Accounts of a test's own: /etc/passwd, group and shadow in a mount namespace that only this
// process and its children see, and that is gone with them. Nothing of the machine is changed.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace e2e {

inline constexpr uid_t kAda = 54321;
inline constexpr uid_t kBob = 54322;
inline constexpr gid_t kPainters = 54400;  // A group of ada's besides her own.

class Accounts {
 public:
  // ada and bob, with homes of mode 0700 in `dir`; and some that nobody may become: `daemonic` (a
  // system account), `locked` (without a login shell), `expired`, and `toor` (a second root).
  // Throws if that cannot be.
  explicit Accounts(const std::filesystem::path& dir);
  ~Accounts();
  Accounts(const Accounts&) = delete;
  Accounts& operator=(const Accounts&) = delete;

  // Why such accounts cannot be made here; empty if they can.
  [[nodiscard]] static std::string trouble();
  [[nodiscard]] std::filesystem::path home_of(const std::string& name) const { return dir_ / name; }

 private:
  std::filesystem::path dir_;
};

// In the same way: no cgroups for this process and its children.
void hide_cgroups();

// Where this process may make cgroups; empty if nowhere.
[[nodiscard]] std::filesystem::path cgroups();

}  // namespace e2e
