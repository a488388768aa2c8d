// The keeper becomes another program in place: same pid, same children, same connections.

#include <sys/resource.h>

#include <chrono>

#include "base/log.h"
#include "base/trial.h"
#include "base/version.h"
#include "keeper/keeper.h"
#include "keeper/state.h"

namespace keeper {
namespace {

constexpr std::chrono::milliseconds kTrialTime{3000};
constexpr const char* kUnchanged = "Nothing has changed; all terminals keep running.";

// Waits right here: the loop stops for some milliseconds, and output waits in the terminals.
base::Status outcome_of_trial(const base::Program& program, const base::Trial::Setup& setup) {
  auto trial = base::Trial::start(program, setup);
  if (!trial) return base::fail(trial.error());
  if (!trial->process().has_ended(kTrialTime))
    return base::fail(base::Code::timed_out, "it did not finish in time");
  const auto outcome = trial->outcome();
  return outcome ? base::Status{} : base::fail(outcome.error());
}

// Runs the new program to check whether it can read the state. A broken binary then costs an error
// message, not the terminals. It gets the journals too, to check their format.
base::Status try_out(const base::Program& program, const base::Fd& state,
                     std::vector<int> journals) {
  const auto tried = outcome_of_trial(
      program,
      {.argv = {program.name(), "--check-state"}, .input = &state, .kept = std::move(journals)});
  if (tried) return {};
  return base::fail(base::Code::invalid_argument,
                    program.name() + " cannot take over from this keeper: " + tried.error().what,
                    kUnchanged);
}

}  // namespace

base::Result<base::Program> Keeper::program_at(std::filesystem::path path) const {
  if (path.empty()) path = options_.program;
  if (!path.is_absolute())
    return base::fail(base::Code::invalid_argument, "the program's path is not absolute");
  return base::Program::open(path);
}

Keeper::Reply Keeper::upgrade(Connection& from, const Message& message) {
  if (stopping_) return base::fail(base::Code::busy, "the keeper is stopping");
  if (ownership_.is_changing())
    return base::fail(base::Code::busy, "a takeover is in progress",
                      "Try again when it has finished.");
  base::Fd given = from.take_descriptor();
  // A client that sends a program is new enough to receive one.
  const bool gives = given.valid();
  const auto program =
      gives ? base::Program::from(std::move(given)) : program_at(message.text(Field::path));
  if (!program)
    return base::fail(program.error().code, program.error().what,
                      program.error().advice.empty() ? kUnchanged : program.error().advice);
  std::optional<base::Program> previous;
  if (gives) {
    auto running = base::Program::running();
    if (!running) return base::fail(running.error());
    previous = std::move(*running);
  }
  const auto state = save_state({.connection = from.id(), .request = message.request()}, previous);
  if (!state) return base::fail(state.error());
  std::vector<int> journals;
  for (const auto& [id, child] : children_) journals.push_back(child->descriptors().front());
  if (auto tried = try_out(*program, *state, std::move(journals)); !tried)
    return base::fail(tried.error());
  const base::Error why = become(*program, *state, previous);
  base::log(base::Level::error, "upgrade failed; continuing with the old program",
            {{"error", why}});
  return base::fail(why);
}

base::Result<base::Fd> Keeper::save_state(const Asker& asker,
                                          const std::optional<base::Program>& previous) const {
  std::vector<Message> saved;
  Message& keeper = saved.emplace_back(Tag::saved_keeper);
  keeper.add(Field::fd_lock, static_cast<std::uint64_t>(lock_.get()))
      .add(Field::fd_socket, static_cast<std::uint64_t>(socket_.get()))
      .add(Field::files_soft, std::uint64_t{host_.files.rlim_cur})
      .add(Field::limit, static_cast<std::uint64_t>(limit_))
      .add(Field::connection, static_cast<std::uint64_t>(asker.connection))
      .add(Field::request, std::uint64_t{asker.request});
  if (ownership_.pid() != 0) keeper.add(Field::owner, static_cast<std::uint64_t>(ownership_.pid()));
  if (previous) keeper.add(Field::fd_previous, static_cast<std::uint64_t>(previous->file().get()));

  for (const auto& [id, connection] : connections_) {
    if (connection->is_closed()) continue;
    if (connection->has_unsent())
      return base::fail(base::Code::busy, "a client of the keeper does not read its answers",
                        "Try again. If it fails again, restart the daemon.");
    Message& message = saved.emplace_back(Tag::saved_connection);
    message.add(Field::connection, static_cast<std::uint64_t>(id))
        .add(Field::fd_socket, static_cast<std::uint64_t>(connection->socket().get()))
        .add(Field::owner, std::uint64_t{id == ownership_.connection()});
  }
  for (const Listener& listener : listeners_.held())
    saved.emplace_back(Tag::saved_listener)
        .add(Field::asked_address, listener.asked)
        .add(Field::address, listener.bound)
        .add(Field::fd_listener, static_cast<std::uint64_t>(listener.socket.get()));
  for (const auto& [id, child] : children_) {
    Message& message = saved.emplace_back(Tag::saved_child);
    child->save(message);
    // Who waits for this child, as pairs. The one that asked to start it comes first, if it still
    // waits.
    const auto asker = spawn_askers_.find(id);
    const auto [first, last] = close_askers_.equal_range(id);
    const auto add = [&message](const Asker& who) {
      message.add(Field::connection, static_cast<std::uint64_t>(who.connection))
          .add(Field::request, std::uint64_t{who.request});
    };
    if (asker != spawn_askers_.end()) add(asker->second);
    for (auto closer = first; closer != last; ++closer) add(closer->second);
  }
  return write_state(saved);
}

base::Error Keeper::become(const base::Program& program, const base::Fd& state,
                           const std::optional<base::Program>& previous) {
  std::vector<const base::Fd*> kept{&state, &lock_, &socket_};
  if (previous) kept.push_back(&previous->file());
  for (const auto& [id, connection] : connections_)
    if (!connection->is_closed()) kept.push_back(&connection->socket());
  for (const Listener& listener : listeners_.held()) kept.push_back(&listener.socket);
  for (const auto& [id, child] : children_)
    for (const base::Fd* fd : child->saved_descriptors()) kept.push_back(fd);

  base::Error why;
  for (const base::Fd* fd : kept)
    if (auto set = base::set_on_exec(*fd, base::OnExec::keep); !set) why = set.error();
  if (why.what.empty()) {
    base::log(base::Level::info, "executing another program", {{"program", program.name()}});
    why = program.execute({program.name(), "--runtime-dir", options_.runtime_dir, "--resume",
                           std::to_string(state.get())});
  }
  for (const base::Fd* fd : kept)
    if (auto set = base::set_on_exec(*fd, base::OnExec::close); !set)
      base::log(base::Level::error, "cannot set close-on-exec on a descriptor",
                {{"error", set.error()}});
  return why;
}

base::Result<std::unique_ptr<Keeper>> Keeper::resume(Options options, const base::Clock& clock,
                                                     const base::Fd& state) {
  const auto saved = read_state(state);
  if (!saved) return base::fail(saved.error());
  auto loop = Loop::create(clock);
  if (!loop) return base::fail(loop.error());
  std::unique_ptr<Keeper> keeper(new Keeper(std::move(options), std::move(*loop)));
  if (auto restored = keeper->restore(*saved); !restored) return base::fail(restored.error());
  if (auto watched = keeper->watch_socket(); !watched) return base::fail(watched.error());
  base::log(base::Level::info, "keeper upgraded",
            {{"version", base::version()}, {"children", keeper->children_.size()}});
  return keeper;
}

base::Status Keeper::restore(const std::vector<Message>& saved) {
  const Message& keeper = saved.front();
  lock_ = adopt(keeper, Field::fd_lock);
  socket_ = adopt(keeper, Field::fd_socket);
  limit_ = static_cast<journal::Limit>(keeper.number_or(Field::limit, 0));
  ::getrlimit(RLIMIT_NOFILE, &host_.files);
  host_.files.rlim_cur = keeper.number_or(Field::files_soft, host_.files.rlim_cur);
  host_.cgroup = delegated_cgroup();

  ConnectionId owner = ConnectionId::none;
  for (const Message& message : saved) {
    if (message.tag() == Tag::saved_connection) {
      const ConnectionId id{message.number_or(Field::connection, 0)};
      auto socket = adopt(message, Field::fd_socket);
      const auto peer = base::peer_of(socket.get());
      if (!peer) continue;  // It has disconnected.
      last_connection_ = std::max(last_connection_, static_cast<std::uint64_t>(id));
      add_connection(id, std::move(socket), *peer);
      if (message.number_or(Field::owner, 0) != 0) owner = id;
    } else if (message.tag() == Tag::saved_listener) {
      listeners_.restore({.asked = message.text(Field::asked_address),
                          .bound = message.text(Field::address),
                          .socket = adopt(message, Field::fd_listener)});
    } else if (message.tag() == Tag::saved_child) {
      auto child = Child::restore(message, loop_, *this);
      if (!child) {
        base::log(base::Level::error, "lost a child in the upgrade",
                  {{"id", message.text(Field::id)}, {"error", child.error()}});
        continue;
      }
      restore_askers(message, **child);
      children_.emplace((*child)->id(), std::move(*child));
    }
  }
  if (const auto pid = keeper.number(Field::owner)) {
    // If it has ended in the meantime, there is no owner.
    if (auto restored = ownership_.restore(owner, static_cast<pid_t>(*pid)); !restored)
      base::log(base::Level::info, "daemon ended", {{"pid", *pid}});
  }
  if (ownership_.connection() == ConnectionId::none && limit_ == journal::Limit::bounded)
    owner_missing();
  if (const auto asker = keeper.number(Field::connection)) {
    const auto request = static_cast<std::uint32_t>(keeper.number_or(Field::request, 0));
    const base::Fd previous = adopt(keeper, Field::fd_previous);
    const int number = previous.get();
    answer({.connection = ConnectionId{*asker}, .request = request}, welcome(request),
           previous ? std::span(&number, 1) : std::span<const int>());
  }
  return {};
}

void Keeper::restore_askers(const Message& message, const Child& child) {
  const auto connections = message.numbers(Field::connection);
  const auto requests = message.numbers(Field::request);
  for (std::size_t i = 0; i < std::min(connections.size(), requests.size()); ++i) {
    const Asker asker{.connection = ConnectionId{connections[i]},
                      .request = static_cast<std::uint32_t>(requests[i])};
    if (i == 0 && message.number(Field::fd_outcome))
      spawn_askers_[child.id()] = asker;
    else
      close_askers_.emplace(child.id(), asker);
  }
}

}  // namespace keeper
