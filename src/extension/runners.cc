#include "extension/runners.h"

#include <unistd.h>

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "base/peer.h"
#include "extension/instances.h"
#include "extension/params.h"
#include "extension/process_record.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;
using session::SessionRow;
using Local = asio::local::stream_protocol;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::int64_t kProtocol = 1;
constexpr std::chrono::milliseconds kAcceptPause{100};

// The pid of the peer if it runs as this account; 0 otherwise.
pid_t peer_of_same_user(Local::socket& socket) {
  const auto peer = base::peer_of(socket.native_handle());
  return peer && peer->uid == ::geteuid() ? peer->pid : 0;
}

bool is_runner(const ProcessInfo& process) {
  return process.owner == session::ExtensionKey{} &&
         split_word(process.name).first == Runner::process_name("");
}

}  // namespace

Runners::Runners(asio::any_io_executor executor, Processes& processes, const Settings& settings,
                 Handlers handlers)
    : executor_(executor),
      processes_(processes),
      settings_(settings),
      handlers_(std::move(handlers)),
      tasks_(executor),
      serving_(executor) {}

// If there are two for the same sessions, one is the record of a runner that was replaced.
bool Runners::adopt(const ProcessInfo& process) {
  if (!is_runner(process)) return false;
  Runner& runner = named(std::string(split_word(process.name).second));
  if (process.exit_code || runner.is_running()) {
    processes_.close_when_ended(process.id);
    return true;
  }
  runner.adopt(process);
  watch(runner);
  return true;
}

void Runners::accept_at(base::Fd listener) {
  const auto shared = std::make_shared<base::Fd>(std::move(listener));
  tasks_.spawn([this, shared]() -> awaitable<void> { co_await accept(std::move(*shared)); });
}

awaitable<void> Runners::stop() {
  tasks_.cancel();
  for (const auto& connection : connections_) connection->close();
  co_await serving_.join();
  co_await tasks_.join();
}

awaitable<void> Runners::accept(base::Fd listener) {
  Local::acceptor acceptor(executor_, Local(), listener.release());
  asio::steady_timer pause(executor_);
  for (;;) {
    auto [error, socket] = co_await acceptor.async_accept(kNoThrow);
    if (error == asio::error::operation_aborted) co_return;
    if (error) {  // Most likely out of descriptors. Queued connections are not lost.
      base::log(base::Level::warning, "cannot accept a runner", {{"error", error.message()}});
      pause.expires_after(kAcceptPause);
      if (const auto [stopped] = co_await pause.async_wait(kNoThrow); stopped) co_return;
      continue;
    }
    if (const pid_t peer = peer_of_same_user(socket); peer != 0) serve(std::move(socket), peer);
  }
}

void Runners::serve(Rpc::Socket socket, pid_t peer) {
  // Handlers hold the connection weakly, so that they do not keep it alive.
  auto connection = std::make_shared<std::weak_ptr<Rpc>>();
  auto rpc = std::make_shared<Rpc>(
      std::move(socket),
      Rpc::Handlers{.request =
                        [this, connection, peer](std::string method, Object params) {
                          return request(*connection, peer, std::move(method), std::move(params));
                        },
                    .notification =
                        [this, connection](std::string_view method, const Object& params) {
                          if (is_from_runner(*connection)) handlers_.notification(method, params);
                        }});
  *connection = rpc;
  connections_.insert(rpc);
  serving_.spawn([this, rpc]() -> awaitable<void> { co_await run(rpc); });
}

awaitable<void> Runners::run(std::shared_ptr<Rpc> connection) {
  co_await connection->run();
  for (auto& [only, runner] : runners_) runner->disconnected(connection.get());
  connections_.erase(connection);
}

awaitable<Runners::Answer> Runners::request(std::weak_ptr<Rpc> connection, pid_t peer,
                                            std::string method, Object params) {
  if (method == "hello") {
    const auto from = connection.lock();
    if (!from) co_return base::fail(base::Code::unavailable, "the connection has ended");
    co_return hello(from, peer, params);
  }
  if (!is_from_runner(connection))
    co_return base::fail(base::Code::permission_denied, "only the extension runner may call this",
                         "Call hello first.");
  auto handled = handlers_.request(std::move(method), std::move(params));
  co_return co_await std::move(handled);
}

Runners::Answer Runners::hello(const std::shared_ptr<Rpc>& connection, pid_t peer,
                               const Object& params) {
  Params hello(params);
  if (const auto protocol = hello.number("protocol", 0); protocol != kProtocol)
    return base::fail(
        base::Code::unsupported,
        "this daemon speaks protocol 1, the runner protocol " + std::to_string(protocol));
  const std::vector<Object> sessions = hello.objects("sessions");
  const std::string only = hello.optional_text("only").value_or("");
  if (auto fault = hello.fault(); !fault) return base::fail(fault.error());
  Runner& runner = named(only);
  // The pid comes from the kernel, not from the peer.
  if (!runner.has_pid(peer)) {
    // The keeper's answer may be on its way; the right runner tries again.
    if (runner.is_starting())
      return base::fail(base::Code::unavailable, "a runner is being started");
    // A runner that the keeper does not hold has outlived its keeper and was replaced.
    tasks_.spawn(
        [strays = records_of({peer})]() -> awaitable<void> { co_await end_processes(strays); });
    return base::fail(base::Code::unavailable, "another runner has taken over");
  }
  handlers_.hello(runner, connection, sessions);
  return json::object{
      {"settings", {{"memory", settings_.memory}, {"stuckAfter", settings_.stuck_after.count()}}}};
}

// Whether it has said hello and was accepted as a runner.
bool Runners::is_from_runner(const std::weak_ptr<Rpc>& connection) const {
  const auto asking = connection.lock();
  return asking && std::ranges::any_of(runners_, [&](const auto& each) {
           return each.second->connection() == asking;
         });
}

// --- which is whose ---

std::string Runners::only(const SessionRow& session) const {
  const bool has_own = session.isolation.value_or(settings_.isolation) == Isolation::process;
  return has_own ? session.id.str() : "";
}

Runner& Runners::named(const std::string& only) {
  auto& runner = runners_[only];
  if (!runner)
    runner = std::make_unique<Runner>(executor_, processes_, settings_.runner, only,
                                      [this](Runner& started) { watch(started); });
  return *runner;
}

Runner& Runners::of(const SessionRow& session) {
  return named(only(session));
}

Runner* Runners::find(const SessionRow& session) {
  const auto runner = runners_.find(only(session));
  return runner == runners_.end() ? nullptr : runner->second.get();
}

bool Runners::is_for(const Runner& runner, const SessionRow& session) const {
  return runner.only() == only(session);
}

std::vector<Runner*> Runners::all() const {
  std::vector<Runner*> all;
  for (const auto& [only, runner] : runners_) all.push_back(runner.get());
  return all;
}

void Runners::end_own(const session::SessionId& session) {
  const auto runner = runners_.find(session.str());
  if (runner == runners_.end()) return;
  tasks_.spawn([own = runner->second.get()]() -> awaitable<void> { co_await own->kill(); });
}

void Runners::notify_all(std::string_view method, const Object& params) const {
  for (const auto& [only, runner] : runners_)
    if (runner->connection()) runner->connection()->notify(method, params);
}

void Runners::watch(Runner& runner) {
  tasks_.spawn([this, &runner]() -> awaitable<void> {
    const std::string why = co_await runner.ended([&] { handlers_.exited(runner); });
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) co_return;
    base::log(base::Level::error, "the extension runner exited", {{"reason", why}});
    if (const auto connection = runner.connection()) {
      connection->close();
      runner.disconnected(connection.get());
    }
    handlers_.ended(runner, why);
  });
}

}  // namespace extension
