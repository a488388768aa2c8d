// The runners, and which session uses which runner.

#include "extension/extensions.h"

#include <unistd.h>

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "base/peer.h"
#include "extension/discovery.h"
#include "extension/params.h"
#include "extension/process_record.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;
using session::ExtensionsWere;
using session::SessionRow;
using Local = asio::local::stream_protocol;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

// The pid of the peer if it runs as this account; 0 otherwise.
pid_t peer_of_same_user(Local::socket& socket) {
  const auto peer = base::peer_of(socket.native_handle());
  return peer && peer->uid == ::geteuid() ? peer->pid : 0;
}

bool is_runner(const ProcessInfo& process) {
  return split_word(process.name).first == Runner::process_name("");
}

}  // namespace

Extensions::Extensions(asio::any_io_executor executor, keeper::KeeperClient& keeper,
                       session::Store& store, session::Sessions& sessions, Settings settings)
    : executor_(executor),
      keeper_(keeper),
      store_(store),
      sessions_(sessions),
      settings_(std::move(settings)),
      processes_(executor, keeper),
      tasks_(executor),
      connections_(executor),
      settled_(executor, asio::steady_timer::time_point::max()) {}

awaitable<base::Status> Extensions::start(base::Fd listener) {
  auto children = co_await keeper_.list();
  if (!children) co_return base::fail(children.error());
  for (const keeper::ChildInfo& info : *children) (void)co_await processes_.adopt(info);
  for (const ProcessInfo& process : processes_.all()) {
    if (process.owner == session::ExtensionKey{} && is_runner(process))
      adopt_runner(process);
    else if (process.owner.name.empty())  // A `! command` or similar whose caller is gone.
      release_when_ended(process.id);
  }
  sessions_.watchers().add_for_all_users(*this);
  sessions_.set_hooks(
      {.before_create =
           [this](SessionRow session, session::TerminalSpec& spec) {
             return before_create(std::move(session), spec);
           },
       .before_close = [this](SessionRow session) { return close_to_the_end(space_of(session)); }});
  const auto shared = std::make_shared<base::Fd>(std::move(listener));
  if (settings_.off.empty())
    tasks_.spawn([this, shared]() -> awaitable<void> { co_await accept(std::move(*shared)); });
  tasks_.spawn([this]() -> awaitable<void> { co_await open_all(); });
  co_return base::Status{};
}

awaitable<void> Extensions::quit() {
  std::vector<SpacePtr> open;
  for (const auto& [id, space] : spaces_)
    if (space->is_open) open.push_back(space);
  for (const SpacePtr& space : open) co_await close(space, "quit");
}

awaitable<void> Extensions::stop() {
  sessions_.set_hooks({});
  sessions_.watchers().remove(*this);
  // If the runner is gone later, the next daemon knows that all was well when this one ended.
  for (const auto& [id, space] : spaces_)
    if (space->is_open) set_were(*space, ExtensionsWere::closed);
  tasks_.cancel();
  for (const auto& link : links_) link->close();
  co_await connections_.join();
  co_await tasks_.join();
  co_await processes_.stop();
}

void Extensions::child_exited(const keeper::ChildId& id, const keeper::ChildExit& exit) {
  processes_.child_exited(id, exit);
}

awaitable<void> Extensions::look_again() {
  co_await processes_.look_again();
}

// --- runners ---

awaitable<void> Extensions::accept(base::Fd listener) {
  Local::acceptor acceptor(executor_, Local(), listener.release());
  for (;;) {
    auto [error, socket] = co_await acceptor.async_accept(kNoThrow);
    if (error == asio::error::operation_aborted) co_return;
    const pid_t peer = error ? 0 : peer_of_same_user(socket);
    if (peer == 0) continue;
    // Handlers hold the link weakly, so that they do not keep it alive.
    auto link = std::make_shared<std::weak_ptr<Rpc>>();
    auto rpc = std::make_shared<Rpc>(
        std::move(socket),
        Rpc::Handlers{.request =
                          [this, link, peer](std::string method, Object params) {
                            return request(*link, peer, std::move(method), std::move(params));
                          },
                      .notification =
                          [this, link](std::string_view method, const Object& params) {
                            if (is_from_runner(*link)) notified(method, params);
                          }});
    *link = rpc;
    links_.insert(rpc);
    connections_.spawn([this, rpc]() -> awaitable<void> { co_await serve(rpc); });
  }
}

// Whether it has said hello and was accepted as a runner.
bool Extensions::is_from_runner(const std::weak_ptr<Rpc>& link) const {
  const auto asking = link.lock();
  return asking && std::ranges::any_of(
                       runners_, [&](const auto& each) { return each.second->link() == asking; });
}

awaitable<void> Extensions::serve(std::shared_ptr<Rpc> link) {
  co_await link->run();
  for (auto& [only, runner] : runners_) runner->disconnected(link.get());
  links_.erase(link);
}

// A runner that an earlier daemon started. If there are two for the same sessions, one is the
// record of a runner that was replaced.
void Extensions::adopt_runner(const ProcessInfo& process) {
  Runner& runner = runner_for(std::string(split_word(process.name).second));
  if (process.exit_code || runner.is_running()) return release_when_ended(process.id);
  runner.adopt(process);
  watch(runner);
}

void Extensions::release_when_ended(const std::string& process) {
  tasks_.spawn([this, process]() -> awaitable<void> {
    (void)co_await processes_.wait(process);
    (void)co_await processes_.close(process);  // It may be gone already.
  });
}

Runner& Extensions::runner_for(const std::string& only) {
  auto& runner = runners_[only];
  if (!runner)
    runner = std::make_unique<Runner>(executor_, processes_, settings_.runner, only,
                                      [this](Runner& started) { watch(started); });
  return *runner;
}

bool Extensions::has_own_runner(const SessionRow& session) const {
  return session.isolation.value_or(settings_.isolation) == Isolation::process;
}

bool Extensions::is_for_somebody(const Runner& runner) const {
  return std::ranges::any_of(sessions_.names().all_sessions(), [&](const SessionRow& session) {
    return runner.only() == (has_own_runner(session) ? session.id.str() : "");
  });
}

Runner& Extensions::runner_of(const Space& space) {
  return runner_for(has_own_runner(space.session) ? space.session.id.str() : "");
}

void Extensions::watch(Runner& runner) {
  tasks_.spawn([this, &runner]() -> awaitable<void> {
    const std::string why = co_await runner.ended();
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) co_return;
    runner_ended(runner, why);
  });
}

void Extensions::runner_ended(Runner& runner, const std::string& why) {
  base::log(base::Level::error, "the extension runner exited", {{"reason", why}});
  if (const auto link = runner.link()) {
    link->close();
    runner.disconnected(link.get());
  }
  for (const auto& [id, space] : spaces_)
    if (space->is_open && &runner_of(*space) == &runner) worker_ended(space, "crashed", why);
}

// --- spaces ---

Extensions::SpacePtr Extensions::space_of(const SessionRow& session) {
  auto& space = spaces_[session.id.str()];
  if (space) return space;
  space = std::make_shared<Space>();
  space->session = session;
  if (auto rows = store_.extensions().resources(session.id))
    for (session::ResourceRow& row : *rows)
      space->resources.emplace(std::pair(row.extension, row.key), std::move(row));
  read_guards(*space);
  return space;
}

Extensions::SpacePtr Extensions::space_of(std::string_view session_id) {
  const auto known = spaces_.find(session_id);
  if (known != spaces_.end()) return known->second;
  const SessionRow* const session =
      sessions_.names().find_session(session::SessionId(std::string(session_id)));
  return session == nullptr ? nullptr : space_of(*session);
}

awaitable<void> Extensions::settled(SpacePtr space) {
  for (;;) {
    if (!space->changing && !space->recovering && opened_all_) co_return;
    co_await settled_.async_wait(kNoThrow);
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) co_return;
  }
}

// Waits for the runner too, which may be reconnecting or being replaced.
awaitable<void> Extensions::recovered(SpacePtr space) {
  Runner& runner = runner_of(*space);
  if (space->is_open && !runner.link() && runner.is_running()) (void)co_await runner.ready();
  co_await settled(space);
}

json::object Extensions::describe(const Space& space) const {
  const SessionRow& session = space.session;
  return {{"id", session.id.str()},
          {"name", session.name},
          {"kind", session.kind == session::SessionKind::background ? "background" : "interactive"},
          {"userId", session.user.str()},
          {"cwd", sessions_.logins().directory_of(session)}};
}

void Extensions::set_were(const Space& space, ExtensionsWere what) {
  if (auto set = store_.extensions().set_were(space.session.id, what); !set)
    base::log(base::Level::warning, "cannot record the state of a session's extensions",
              {{"session", space.session.name}, {"error", set.error()}});
}

// --- session events ---

void Extensions::session_created(const SessionRow& session) {
  open_soon(space_of(session), "new");
}

void Extensions::session_renamed(const SessionRow& session, const std::string&) {
  const SpacePtr space = space_of(session);
  space->session = session;
  if (const auto link = runner_of(*space).link(); link && space->is_open)
    link->notify("session.renamed", {{"session", session.id.str()}, {"name", session.name}});
}

void Extensions::session_closed(const SessionRow& session) {
  spaces_.erase(session.id.str());
  if (runners_.contains(session.id.str()))
    tasks_.spawn([this, id = session.id.str()]() -> awaitable<void> {
      if (const auto runner = runners_.find(id); runner != runners_.end())
        co_await runner->second->kill();
    });
}

}  // namespace extension
