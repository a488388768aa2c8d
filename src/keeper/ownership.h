// One daemon at a time: who owns the children, and how ownership changes.
//
// Invariants
// 1. At most one connection is the owner.
// 2. An owner is replaced only after it yielded or its process ended. A lost connection is
//    neither: the process may still write to the terminals, and only it may reconnect.
// 3. At most one takeover is in progress.

#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "base/process.h"
#include "base/result.h"
#include "keeper/connection.h"
#include "keeper/loop.h"

namespace keeper {

class Ownership {
 public:
  struct Handlers {
    std::function<void(ConnectionId owner, std::chrono::milliseconds grace)>
        let_go;  // Ask the owner to yield.
    std::function<void(ConnectionId claimant, std::uint32_t request)> granted;
    std::function<void()> missing;  // The owner has disconnected.
  };
  enum class Takeover { no, yes };

  Ownership(Loop& loop, Handlers handlers) : loop_(loop), handlers_(std::move(handlers)) {}
  ~Ownership();
  Ownership(const Ownership&) = delete;
  Ownership& operator=(const Ownership&) = delete;

  // Grants now, or after a takeover. Fails if another daemon is the owner.
  [[nodiscard]] base::Status claim(const Connection& claimant, std::uint32_t request,
                                   Takeover takeover);
  void yield();
  void connection_closed(ConnectionId id);
  // Restores the owner after an upgrade.
  [[nodiscard]] base::Status restore(ConnectionId connection, pid_t pid);

  [[nodiscard]] ConnectionId connection() const { return connection_; }
  [[nodiscard]] pid_t pid() const { return owner_ ? owner_->pid() : 0; }  // 0 if none.
  [[nodiscard]] bool is_changing() const { return claim_.has_value(); }

 private:
  struct Claim {
    ConnectionId connection = ConnectionId::none;
    std::uint32_t request = 0;
    base::Process process;
  };
  [[nodiscard]] static base::Result<base::Process> process_of(pid_t pid);
  [[nodiscard]] base::Status own(ConnectionId connection, base::Process process);
  void grant(Claim claim);
  void release();
  void disown();
  void kill_owner();

  Loop& loop_;
  Handlers handlers_;
  ConnectionId connection_ = ConnectionId::none;
  std::optional<base::Process> owner_;
  std::optional<Claim> claim_;
  Loop::Id ended_watch_ = Loop::Id::none;
  Loop::Id kill_timer_ = Loop::Id::none;
};

}  // namespace keeper
