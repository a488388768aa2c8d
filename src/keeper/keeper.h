// The keeper: owns processes, terminals, journals and listening sockets, so that they outlive the
// daemon.
//
// One thread, one epoll loop. It reads PTYs into journals and answers requests. It does not
// interpret the bytes.

#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/program.h"
#include "base/result.h"
#include "keeper/child.h"
#include "keeper/connection.h"
#include "keeper/listeners.h"
#include "keeper/loop.h"
#include "keeper/ownership.h"

namespace keeper {

class Keeper final : private ChildEvents {
 public:
  struct Options {
    std::filesystem::path runtime_dir;
    std::filesystem::path program;  // The path to execute on an upgrade.
  };

  // Starts a new keeper.
  [[nodiscard]] static base::Result<std::unique_ptr<Keeper>> start(Options options,
                                                                   const base::Clock& clock);
  // Continues as the keeper that wrote `state` and then executed this program.
  [[nodiscard]] static base::Result<std::unique_ptr<Keeper>> resume(Options options,
                                                                    const base::Clock& clock,
                                                                    const base::Fd& state);
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // Serves until SIGTERM or SIGINT, then ends all children and returns when they are gone.
  [[nodiscard]] base::Status run();

 private:
  struct Asker {
    ConnectionId connection = ConnectionId::none;
    std::uint32_t request = 0;
  };
  using Reply = base::Result<std::optional<Message>>;  // No message: the answer comes later.
  enum class For { anyone, owner };
  struct Request;
  static const Request kRequests[];

  Keeper(Options options, Loop loop);

  [[nodiscard]] base::Status watch_signals();
  [[nodiscard]] base::Status watch_socket();
  void raise_file_limit();
  void signalled();
  void accept();
  void stop();

  void add_connection(ConnectionId id, base::Fd socket, base::Peer peer);
  void connection_closed(ConnectionId id);
  void received(ConnectionId id, const base::Result<Message>& message);
  [[nodiscard]] Reply handle(Connection& from, const Message& message);
  void answer(const Asker& asker, const Message& message, std::span<const int> descriptors = {});

  // One request, one function.
  [[nodiscard]] Reply hello(Connection& from, const Message& message);
  [[nodiscard]] Reply claim(Connection& from, const Message& message);
  [[nodiscard]] Reply list(Connection& from, const Message& message);
  [[nodiscard]] Reply attach(Connection& from, const Message& message);
  [[nodiscard]] Reply spawn(Connection& from, const Message& message);
  [[nodiscard]] Reply spawn_confined(Connection& from, const Message& message);
  [[nodiscard]] Reply start_child(Connection& from, const Message& message, SpawnSpec spec);
  [[nodiscard]] Reply close(Connection& from, const Message& message);
  [[nodiscard]] Reply listen(Connection& from, const Message& message);
  [[nodiscard]] Reply unlisten(Connection& from, const Message& message);
  [[nodiscard]] Reply hold(Connection& from, const Message& message);
  [[nodiscard]] Reply listen_only(Connection& from, const Message& message);
  [[nodiscard]] Reply yield(Connection& from, const Message& message);
  [[nodiscard]] Reply upgrade(Connection& from, const Message& message);

  void child_started(Child& child, const base::Status& outcome) override;
  void child_exited(Child& child) override;
  void child_gone(Child& child) override;
  [[nodiscard]] base::Result<Child*> child_named(const Message& message);
  void send_child(const Asker& asker, const Child& child);
  void forget_child(const ChildId& id);
  // A copy, so that children may go away while the caller iterates.
  [[nodiscard]] std::vector<Child*> all_children() const;

  void owner_granted(ConnectionId id, std::uint32_t request);
  void owner_missing();  // Starts the timer for `free` output.
  void set_limit(journal::Limit limit);

  // Opens the program that an upgrade names by path.
  [[nodiscard]] base::Result<base::Program> program_at(std::filesystem::path path) const;
  [[nodiscard]] Message welcome(std::uint32_t request) const;
  // The state for the new program, which will answer `asker` and send it `previous`, this process's
  // current program, as a way back.
  [[nodiscard]] base::Result<base::Fd> save_state(
      const Asker& asker, const std::optional<base::Program>& previous) const;
  // Replaces this program. Returns only on failure, with nothing changed.
  [[nodiscard]] base::Error become(const base::Program& program, const base::Fd& state,
                                   const std::optional<base::Program>& previous);
  [[nodiscard]] base::Status restore(const std::vector<Message>& saved);
  void restore_askers(const Message& saved, const Child& child);

  Options options_;
  Loop loop_;
  base::Fd lock_;
  base::Fd socket_;
  base::Fd signals_;
  Host host_;
  Loop::Id signals_watch_ = Loop::Id::none;
  Loop::Id socket_watch_ = Loop::Id::none;

  std::uint64_t last_connection_ = 0;
  std::map<ConnectionId, std::unique_ptr<Connection>> connections_;
  std::map<ChildId, std::unique_ptr<Child>> children_;
  std::vector<std::unique_ptr<Child>> forgotten_;
  std::map<ChildId, Asker> spawn_askers_;
  std::multimap<ChildId, Asker> close_askers_;
  Listeners listeners_;
  Ownership ownership_;
  journal::Limit limit_ = journal::Limit::bounded;
  Loop::Id owner_missing_timer_ = Loop::Id::none;
  bool stopping_ = false;
};

}  // namespace keeper
