// The account a child runs as, and its resource limits: docs/keeper-protocol.md, "Another account".

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "keeper_protocol/protocol.h"

namespace keeper {

struct Account {
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> groups;  // All its groups from the group database.
};

struct Limits {
  // Per process, except account_processes, which counts all processes of the account.
  std::optional<std::uint64_t> open_files;
  std::optional<std::uint64_t> address_space;
  std::optional<std::uint64_t> account_processes;
  std::optional<std::uint64_t> cpu_seconds;
  std::optional<std::uint64_t> core_size;
  // For the child and everything it starts. These need a cgroup.
  std::optional<std::uint64_t> memory;
  std::optional<std::uint64_t> processes;

  friend bool operator==(const Limits&, const Limits&) = default;
};

struct Confinement {
  std::optional<Account> account;  // None: the keeper's own.
  Limits limits;

  [[nodiscard]] bool is_any() const { return account || limits != Limits{}; }
};

// Converts to fields of a message and back.
void add_confinement(Message& message, const Confinement& confinement);
[[nodiscard]] base::Result<Confinement> confinement_of(const Message& message);

}  // namespace keeper
