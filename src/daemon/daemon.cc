#include "daemon/daemon.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "base/verified_process.h"
#include "base/version.h"
#include "daemon/accounts.h"
#include "daemon/control_connection.h"
#include "daemon/server_settings.h"
#include "keeper_client/start.h"
#include "session/store_path.h"

namespace holdfast {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

base::Result<http::User> default_user(session::Store& store) {
  auto user = store.ensure_user(session::kDefaultUser);
  if (!user) return base::fail(user.error());
  if (auto session = store.ensure_session(user->id, session::kDefaultSession); !session)
    return base::fail(session.error());
  return http::User{.id = user->id, .name = user->name};
}

}  // namespace

Daemon::Daemon(asio::io_context& io, const ServeOptions& options, Inherited& inherited,
               session::Store store)
    : io_(io),
      options_(options),
      inherited_(inherited),
      store_(std::move(store)),
      signals_(io, SIGTERM, SIGINT, kQuitSignal),
      reload_signal_(io, SIGHUP),
      tasks_(io.get_executor()),
      keeper_(io.get_executor(), options.config.runtime_dir,
              {.exited =
                   [this](const keeper::ChildId& id, const keeper::ChildExit& exit) {
                     sessions_.child_exited(id, exit);
                     extensions_.child_exited(id, exit);
                   },
               .let_go =
                   [this](std::chrono::milliseconds) {
                     base::log(base::Level::info, "another daemon is taking over");
                     leave();
                   },
               .lost = {},
               .unreachable = [this] { replace_keeper(); },
               .back =
                   [this] {
                     tasks_.spawn([this]() -> awaitable<void> {
                       co_await look_at_keeper();
                       co_await sessions_.look_again();
                       co_await extensions_.look_again();
                     });
                   },
               .displaced =
                   [this](const base::Error& why) {
                     base::log(base::Level::error, "another daemon took over the terminals",
                               {{"error", why}});
                     leave();
                   }}),
      sessions_(io.get_executor(), keeper_, store_, session_settings(options.config)),
      extensions_(io.get_executor(), keeper_, store_, sessions_,
                  extension_settings(options.config)),
      control_(io.get_executor(), options.arguments,
               {.served = [this] { return served(); },
                .prepare = [this](std::string address) { return listen_for_successor(address); },
                .give_up = [this] { return listen_for_nobody_else(); },
                .leave = [this] { leave(); }}) {}

awaitable<base::Status> Daemon::run() {
  auto started = co_await keeper_.start(options_.takeover);
  if (started) {
    started = co_await open();
    if (!started && !inherited_.previous) co_await let_go_of_listeners();
    // A takeover may have been asked for while this daemon was still starting.
    if (started && !leaving_) {
      const auto [error, number] =
          co_await signals_.async_wait(asio::as_tuple(asio::use_awaitable));
      quitting_ = !error && number == kQuitSignal;
    }
    co_await close();
  }
  co_await keeper_.stop();
  // A signal to end that arrived in the meantime was meant for the process, whichever program it
  // runs. So do not start the successor.
  if (control_.successor && co_await was_told_to_end()) control_.successor.reset();
  co_return started;
}

std::optional<Successor> Daemon::take_successor() {
  return std::exchange(control_.successor, std::nullopt);
}

awaitable<base::Status> Daemon::open() {
  auto user = default_user(store_);
  if (!user) co_return base::fail(user.error());
  co_await look_at_keeper();
  if (auto recovered = co_await sessions_.recover(user->id); !recovered) co_return recovered;
  std::string address = options_.config.listen.str();
  auto network = co_await keeper_.listen(std::move(address));
  if (!network) co_return base::fail(network.error());
  std::string path = "unix:" + (options_.config.runtime_dir / "daemon.sock").string();
  auto local = co_await keeper_.listen(std::move(path));
  if (!local) co_return base::fail(local.error());
  if (auto opened = open_to_accounts(options_.config); !opened) co_return opened;

  std::string orders = "unix:" + (options_.config.runtime_dir / "control.sock").string();
  auto control = co_await keeper_.listen(std::move(orders));
  if (!control) co_return base::fail(control.error());

  std::string runners = "unix:" + (options_.config.runtime_dir / "runner.sock").string();
  auto runner = co_await keeper_.listen(std::move(runners));
  if (!runner) co_return base::fail(runner.error());
  if (auto started = co_await extensions_.start(std::move(runner->socket)); !started)
    co_return started;

  auto gate = gate_settings(options_.config);
  if (!gate) co_return base::fail(gate.error());
  gate->listening = network->address;
  gate->default_user = *user;
  gate->least_account = least_account(options_.config);
  server_ = std::make_unique<http::Server>(io_.get_executor(), sessions_, extensions_,
                                           http::Gate(std::move(*gate), store_),
                                           server_settings(options_.config));
  server_->set_keeper_version(keeper_version_);
  if (auto secured = use_tls(); !secured) co_return secured;
  for (base::Fd* socket : {&network->socket, &local->socket})
    if (auto listening = server_->listen(std::move(*socket)); !listening) co_return listening;
  if (auto listening = control_.listen(std::move(control->socket)); !listening) co_return listening;
  tasks_.spawn([this]() -> awaitable<void> { co_await reload_when_told(); });
  co_await listen_for_nobody_else();
  if (auto watched = store_watch_.start(session::store_path(options_.config.state_dir)); !watched)
    base::log(base::Level::warning,
              "Cannot watch the store; revoked tokens stay connected until the next ping",
              {{"error", watched.error()}});
  say_ready(network->address, *user);
  co_return base::Status{};
}

base::Status Daemon::use_tls() {
  const config::Config& config = options_.config;
  if (config.tls_certificate.empty()) return {};
  auto tls = http::Tls::load({.certificate = config.tls_certificate, .key = config.tls_key});
  if (!tls) return base::fail(tls.error());
  server_->use_tls(std::move(*tls));
  return {};
}

awaitable<void> Daemon::reload_when_told() {
  for (;;) {
    const auto [error, signal] =
        co_await reload_signal_.async_wait(asio::as_tuple(asio::use_awaitable));
    if (error) co_return;
    if (auto reloaded = reload(); !reloaded)
      base::log(base::Level::error, "cannot reload the configuration; keeping the old one",
                {{"error", reloaded.error()}});
  }
}

base::Status Daemon::reload() {
  const auto fresh = options_.reload();
  if (!fresh) return base::fail(fresh.error());
  auto gate = gate_settings(*fresh);
  if (!gate) return base::fail(gate.error());
  config::Config& config = options_.config;
  take_changes(config, *fresh);
  base::set_log_level(config.log_level);
  sessions_.set_orphan_grace(config.orphan_grace_period);
  sessions_.set_user_terminals(static_cast<std::size_t>(config.user_terminal_limit));
  sessions_.set_user_sessions(static_cast<std::size_t>(config.user_session_limit));
  sessions_.set_save_history(config.save_history);
  sessions_.set_shell_integration(config.shell_integration);
  extensions_.set_user_commands(static_cast<std::size_t>(config.user_command_limit));
  server_->change(server_settings(config), std::move(*gate));
  base::log(base::Level::info, "configuration reloaded");
  return {};
}

awaitable<void> Daemon::look_at_keeper() {
  const auto keeper = co_await keeper_.hello();
  if (!keeper) co_return;  // The connection was lost; `back` calls this again.
  keeper_version_ = keeper->version;
  if (server_) server_->set_keeper_version(keeper_version_);
  if (keeper_version_ != base::version())
    base::log(base::Level::warning, "keeper and daemon have different versions",
              {{"keeper", keeper_version_},
               {"daemon", base::version()},
               {"revision", keeper->revision},
               {"advice", "Run `holdfast upgrade`"}});
}

ServedCounts Daemon::served() const {
  const session::Counts counts = sessions_.terminals().counts();
  return {.sessions = sessions_.names().count(),
          .terminals = counts.active + counts.orphaned,
          .connections = server_ ? server_->clients() : 0,
          .viewers = counts.viewers};
}

awaitable<base::Status> Daemon::listen_for_successor(std::string address) {
  if (address == options_.config.listen.str()) co_return base::Status{};
  successors_address_ = address;
  auto listener = co_await keeper_.listen(std::move(address));
  if (listener) co_return base::Status{};
  successors_address_.reset();
  co_return base::fail(listener.error());
}

awaitable<void> Daemon::listen_for_nobody_else() {
  base::Status settled;
  if (successors_address_) {
    std::string address = *std::exchange(successors_address_, std::nullopt);
    settled = co_await keeper_.unlisten(std::move(address));
  }
  if (settled) settled = co_await keeper_.listen_nowhere_else();
  if (!settled)
    base::log(base::Level::warning, "the keeper may still be listening on old addresses",
              {{"error", settled.error()}});
}

awaitable<void> Daemon::let_go_of_listeners() {
  const auto closed = co_await keeper_.listen_nowhere();
  if (!closed)
    base::log(base::Level::warning, "the keeper may still be listening",
              {{"error", closed.error()}});
}

awaitable<bool> Daemon::was_told_to_end() {
  asio::post(io_, [this] { signals_.cancel(); });
  const auto [error, number] = co_await signals_.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return !error;
}

void Daemon::leave() {
  leaving_ = true;
  signals_.cancel();
}

void Daemon::replace_keeper() const {
  if (!options_.config.start_keeper) return;  // Somebody else starts it; wait.
  file_limit_.restore();
  if (auto ensured = keeper::ensure_keeper(options_.config.runtime_dir, keeper::keeper_program());
      !ensured)
    base::log(base::Level::error, "cannot start the keeper", {{"error", ensured.error()}});
  file_limit_.raise();
}

void Daemon::say_address(const http::User& user) const {
  std::string said = server_->address();
  if (::isatty(STDOUT_FILENO) == 1) {
    if (auto link = server_->new_link(user))
      said = *std::move(link);
    else
      base::log(base::Level::error, "Cannot make a link", {{"error", link.error()}});
  }
  std::printf("%s\n", said.c_str());
  std::fflush(stdout);
}

void Daemon::say_ready(const std::string& address, const http::User& user) {
  say_address(user);
  base::log(base::Level::info,
            options_.config.user_accounts
                ? "each user's terminals run as the account with the same name; extensions are off"
                : "all users' terminals run as the daemon's own account",
            {{"uid", ::geteuid()}});
  base::log(base::Level::info, "daemon serves",
            {{"address", address},
             {"terminals",
              sessions_.terminals().counts().active + sessions_.terminals().counts().orphaned}});
  inherited_.previous.reset();
  if (!inherited_.asker) return;
  const ControlConnection asker(std::move(inherited_.asker));
  if (auto told = asker.send(status_line("serves", served())); !told)
    base::log(base::Level::info, "the upgrade command is gone; nobody to report to");
}

awaitable<void> Daemon::close() {
  store_watch_.stop();
  if (server_) co_await server_->stop(http::CloseCode::restart, "the daemon restarts");
  co_await control_.stop();
  tasks_.cancel();
  co_await tasks_.join();
  const session::Counts left = sessions_.terminals().counts();
  if (quitting_) co_await extensions_.quit();
  co_await extensions_.stop();
  co_await sessions_.stop();
  if (quitting_) co_return co_await end_keeper();
  if (control_.successor) {
    // Do not yield the terminals: to the keeper the successor is the same process.
    base::log(base::Level::info, "upgrading the daemon; the terminals keep running",
              {{"program", control_.successor->program->name()},
               {"terminals", left.active + left.orphaned}});
    co_return;
  }
  // If this fails, the keeper is gone or another daemon has taken over. Either way nothing is
  // left to yield.
  if (auto yielded = co_await keeper_.yield(); !yielded)
    base::log(base::Level::info, "no terminals to hand back to the keeper",
              {{"error", yielded.error()}});
  base::log(base::Level::info, "daemon stopped; the keeper and its terminals keep running",
            {{"terminals", left.active + left.orphaned}});
}

awaitable<void> Daemon::end_keeper() {
  if (const auto keeper = co_await keeper_.hello()) {
    const auto process = base::VerifiedProcess::open(keeper->pid);
    const auto told = process && *process ? (*process)->signal(SIGTERM) : base::Status{};
    if (!process || !told)
      base::log(base::Level::error, "cannot stop the keeper",
                {{"error", process ? told.error() : process.error()}});
  }
  base::log(base::Level::info, "daemon stopped, with the keeper and its terminals");
}

}  // namespace holdfast
