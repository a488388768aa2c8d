// Whom a child runs as and what it may use up: docs/keeper-protocol.md, "Another account".

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "keeper/protocol.h"

namespace keeper {

struct Account {
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> groups;  // All of them, as the group database has them.
};

struct Limits {
  // Of each process; the third counts all processes of the account.
  std::optional<std::uint64_t> open_files;
  std::optional<std::uint64_t> address_space;
  std::optional<std::uint64_t> account_processes;
  std::optional<std::uint64_t> cpu_seconds;
  std::optional<std::uint64_t> core_size;
  // Of the child with all that it starts. These need a cgroup.
  std::optional<std::uint64_t> memory;
  std::optional<std::uint64_t> processes;

  friend bool operator==(const Limits&, const Limits&) = default;
};

struct Confinement {
  std::optional<Account> account;  // None: the keeper's own.
  Limits limits;

  [[nodiscard]] bool is_any() const { return account || limits != Limits{}; }
};

// As fields of a message and back.
void add_confinement(Message& message, const Confinement& confinement);
[[nodiscard]] base::Result<Confinement> confinement_of(const Message& message);

// The rest is for a child between fork and exec: false, with errno, if it must not go on.

// For good: no identity, group or capability of before is left.
[[nodiscard]] bool become_account(const Account& account);
// Only ever less than before.
[[nodiscard]] bool apply_limits(const Limits& limits);

}  // namespace keeper
