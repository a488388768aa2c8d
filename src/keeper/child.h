// A process that the keeper holds, with its PTY or pipe, its journal and its exit record.
//
// Output goes from the PTY to the journal and nowhere else: one read per wake-up, straight into the
// ring. When the journal is full, the descriptor is not watched until the consumer has made room.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "journal/producer.h"
#include "keeper/cgroup.h"
#include "keeper/loop.h"
#include "keeper/spawn.h"
#include "keeper_protocol/protocol.h"

namespace keeper {

class Child;

inline constexpr std::chrono::milliseconds kCloseGrace{2000};
inline constexpr std::chrono::milliseconds kLongestCloseGrace{60'000};

// Receives a child's events. None of these calls may destroy the child right away.
class ChildEvents {
 public:
  virtual void child_started(Child& child, const base::Status& outcome) = 0;
  virtual void child_exited(Child& child) = 0;
  virtual void child_gone(Child& child) = 0;  // All its processes have ended.

 protected:
  ~ChildEvents() = default;
};

// What every child gets from its keeper.
struct Host {
  rlimit files{};                               // The limit on open files.
  std::optional<std::filesystem::path> cgroup;  // The parent of the children's cgroups.
};

class Child {
 public:
  // Starts a child. `child_started` follows with the outcome.
  [[nodiscard]] static base::Result<std::unique_ptr<Child>> start(ChildId id, SpawnSpec spec,
                                                                  const journal::Shape& shape,
                                                                  const Host& host, Loop& loop,
                                                                  ChildEvents& events);
  // Restores a child from what the previous keeper program wrote with `save`.
  [[nodiscard]] static base::Result<std::unique_ptr<Child>> restore(const Message& saved,
                                                                    Loop& loop,
                                                                    ChildEvents& events);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Sets whether output may overwrite what has not been consumed.
  void set_limit(journal::Limit limit);
  // Call after SIGCHLD: checks whether this child has exited.
  void check_exit();
  // Ends every process of the child; `child_gone` follows.
  void close(std::chrono::milliseconds grace);

  [[nodiscard]] const ChildId& id() const { return id_; }
  [[nodiscard]] State state() const;
  [[nodiscard]] const std::optional<Exit>& exit() const { return exit_; }
  void describe(Message& message) const;               // Adds the fields of a `child` message.
  [[nodiscard]] std::vector<int> descriptors() const;  // The descriptors of that message.
  void describe_exit(Message& message) const;          // Adds the fields of an `exited` message.

  // Everything that `restore` needs, and the descriptors that must stay open for it.
  void save(Message& message) const;
  [[nodiscard]] std::vector<const base::Fd*> saved_descriptors() const;

 private:
  Child(ChildId id, Loop& loop, ChildEvents& events, journal::Producer producer);

  [[nodiscard]] base::Status watch_all();
  void watch_output();
  void unwatch_output();
  void read_output();
  enum class Read { some, none, no_room };
  [[nodiscard]] Read read_once();
  void drain();
  void end_output();
  [[nodiscard]] bool pause();  // False if there is room now.
  void resume();
  void look_at_outcome();
  void give_back_when_quiet();
  void settle();
  void settle_later(std::chrono::milliseconds longest);
  void drop_cgroup();
  void hang_up();
  void kill_members();
  void kill_session();

  ChildId id_;
  Loop& loop_;
  ChildEvents& events_;

  SpawnSpec spec_;  // Without its environment.
  std::uint64_t created_ = 0;
  pid_t pid_ = 0;
  base::Fd output_;
  base::Fd slave_;
  base::Fd outcome_;
  std::optional<Cgroup> cgroup_;
  journal::Producer producer_;
  journal::Limit limit_ = journal::Limit::bounded;

  std::optional<Exit> exit_;
  std::optional<journal::Offset> exit_offset_;  // Set when the exit was announced.
  std::size_t drain_left_ = 0;
  bool reaped_ = false;
  bool closing_ = false;
  bool gone_ = false;
  base::MonotonicTime kill_at_{};
  std::chrono::milliseconds kill_pause_{0};
  std::chrono::milliseconds settle_pause_{0};

  Loop::Id output_watch_ = Loop::Id::none;
  Loop::Id space_watch_ = Loop::Id::none;
  Loop::Id outcome_watch_ = Loop::Id::none;
  Loop::Id kill_timer_ = Loop::Id::none;
  Loop::Id retry_timer_ = Loop::Id::none;
  Loop::Id settle_timer_ = Loop::Id::none;
  Loop::Id quiet_timer_ = Loop::Id::none;
};

}  // namespace keeper
