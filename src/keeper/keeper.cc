#include "keeper/keeper.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/log.h"
#include "keeper/state.h"
#include "keeper_protocol/runtime_dir.h"

namespace keeper {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxConnections = 256;
constexpr milliseconds kAcceptRetry{200};
// How long children may block while no daemon consumes their output.
constexpr milliseconds kOwnerMissingGrace{10'000};

sigset_t handled_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT}) ::sigaddset(&signals, signal);
  return signals;
}

}  // namespace

Keeper::Keeper(Options options, Loop loop)
    : options_(std::move(options)),
      loop_(std::move(loop)),
      ownership_(loop_, {.let_go =
                             [this](ConnectionId owner, milliseconds grace) {
                               Message message(Tag::let_go);
                               message.add(Field::grace, static_cast<std::uint64_t>(grace.count()));
                               answer({.connection = owner}, message);
                             },
                         .granted = [this](ConnectionId id,
                                           std::uint32_t request) { owner_granted(id, request); },
                         .missing = [this] { owner_missing(); }}) {}

Keeper::~Keeper() {
  children_.clear();
  forgotten_.clear();
  connections_.clear();
}

base::Result<std::unique_ptr<Keeper>> Keeper::start(Options options, const base::Clock& clock) {
  // Hold signals back until `run`, so that a keeper that can be reached always ends cleanly.
  const sigset_t signals = handled_signals();
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  const auto dir = RuntimeDir::make(options.runtime_dir);
  if (!dir) return base::fail(dir.error());
  auto lock = dir->lock();
  if (!lock) return base::fail(lock.error());
  auto socket = dir->listen("keeper.sock", SOCK_SEQPACKET);
  if (!socket) return base::fail(socket.error());
  auto loop = Loop::create(clock);
  if (!loop) return base::fail(loop.error());

  std::unique_ptr<Keeper> keeper(new Keeper(std::move(options), std::move(*loop)));
  keeper->lock_ = std::move(*lock);
  keeper->socket_ = std::move(*socket);
  ::getrlimit(RLIMIT_NOFILE, &keeper->host_.files);
  keeper->host_.cgroup = delegated_cgroup();
  if (keeper->host_.cgroup) sweep_cgroups(*keeper->host_.cgroup);
  keeper->raise_file_limit();
  if (auto watched = keeper->watch_socket(); !watched) return base::fail(watched.error());
  return keeper;
}

void Keeper::raise_file_limit() {
  rlimit most{};
  ::getrlimit(RLIMIT_NOFILE, &most);
  most.rlim_cur = most.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &most) < 0)
    base::log(base::Level::warning, "cannot raise the limit on open files",
              {{"error", base::errno_error(errno, "setrlimit")}});
}

base::Status Keeper::watch_signals() {
  const sigset_t wanted = handled_signals();
  ::sigprocmask(SIG_BLOCK, &wanted, nullptr);
  ::signal(SIGHUP, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  signals_.reset(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals_) return base::fail(base::errno_error(errno, "watch for signals"));
  auto watch = loop_.on_readable(signals_, [this] { signalled(); });
  if (!watch) return base::fail(watch.error());
  signals_watch_ = *watch;
  return {};
}

base::Status Keeper::watch_socket() {
  auto watch = loop_.on_readable(socket_, [this] { accept(); });
  if (!watch) return base::fail(watch.error());
  socket_watch_ = *watch;
  return {};
}

base::Status Keeper::run() {
  if (auto signed_lock = sign_lock(lock_); !signed_lock) return signed_lock;
  // Not earlier: epoll reports the signals of the process that added the descriptor, and the keeper
  // may have forked into the background since.
  if (auto watched = watch_signals(); !watched) return watched;
  // A child of the previous program may have ended during the upgrade.
  for (Child* child : all_children()) child->check_exit();
  while (!stopping_ || !children_.empty())
    if (auto ran = loop_.run_once(); !ran) return ran;
  if (const auto dir = RuntimeDir::open(options_.runtime_dir)) dir->remove("keeper.sock");
  base::log(base::Level::info, "keeper stopped");
  return {};
}

void Keeper::signalled() {
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGCHLD)
      for (Child* child : all_children()) child->check_exit();
    else
      stop();
  }
}

void Keeper::stop() {
  base::log(base::Level::info, "ending all children", {{"count", children_.size()}});
  stopping_ = true;
  for (Child* child : all_children()) child->close(kCloseGrace);
}

void Keeper::accept() {
  base::Fd socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket) {
    if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED) return;
    base::log(base::Level::error, "cannot accept a connection now",
              {{"error", base::errno_error(errno, "accept")}});
    loop_.unwatch(socket_, socket_watch_);
    (void)loop_.after(kAcceptRetry, [this] {
      if (auto watched = watch_socket(); !watched)
        base::log(base::Level::error, "cannot accept connections", {{"error", watched.error()}});
    });
    return;
  }
  const auto peer = base::peer_of(socket.get());
  if (!peer || (peer->uid != ::geteuid() && peer->uid != 0)) {
    base::log(base::Level::warning, "refused a connection from another user",
              {{"uid", peer ? peer->uid : -1U}});
    return;
  }
  const ConnectionId id{++last_connection_};
  add_connection(id, std::move(socket), *peer);
  if (connections_.size() > kMaxConnections) {
    answer({.connection = id}, error_message(0, {.code = base::Code::busy,
                                                 .what = "the keeper has too many connections",
                                                 .advice = ""}));
    connections_.at(id)->close();
  }
}

void Keeper::add_connection(ConnectionId id, base::Fd socket, base::Peer peer) {
  auto connection = std::make_unique<Connection>(
      id, std::move(socket), peer, loop_,
      Connection::Handlers{
          .received = [this, id](const base::Result<Message>& message) { received(id, message); },
          .closed = [this, id] { connection_closed(id); }});
  Connection& added = *connections_.emplace(id, std::move(connection)).first->second;
  if (auto opened = added.open(); !opened) {
    base::log(base::Level::error, "cannot serve a connection", {{"error", opened.error()}});
    added.close();
  }
}

void Keeper::connection_closed(ConnectionId id) {
  ownership_.connection_closed(id);
  // Deferred: the caller is the connection itself.
  (void)loop_.after(milliseconds(0), [this, id] { connections_.erase(id); });
}

void Keeper::received(ConnectionId id, const base::Result<Message>& message) {
  Connection& from = *connections_.at(id);
  if (!message) {
    // A connection that sends an unreadable message is closed. A packet that is only too long is
    // not fatal.
    from.send(error_message(0, message.error()));
    if (message.error().code != base::Code::too_large) from.close();
    return;
  }
  const Reply reply = handle(from, *message);
  if (!reply)
    from.send(error_message(message->request(), reply.error()));
  else if (*reply)
    from.send(**reply);
}

void Keeper::answer(const Asker& asker, const Message& message, std::span<const int> descriptors) {
  const auto found = connections_.find(asker.connection);
  if (found != connections_.end()) found->second->send(message, descriptors);
}

void Keeper::owner_granted(ConnectionId id, std::uint32_t request) {
  loop_.cancel(owner_missing_timer_);
  // Set the limit before telling the daemon: from here on nothing is overwritten before it is
  // consumed.
  set_limit(journal::Limit::bounded);
  // A daemon that was started in a terminal must not end with that terminal.
  if (host_.cgroup) take_out_of_child(*host_.cgroup, ownership_.pid());
  Message message(Tag::granted, request);
  message.add(Field::count, std::uint64_t{children_.size()});
  answer({.connection = id, .request = request}, message);
}

void Keeper::owner_missing() {
  loop_.cancel(owner_missing_timer_);
  owner_missing_timer_ = loop_.after(kOwnerMissingGrace, [this] {
    owner_missing_timer_ = Loop::Id::none;
    base::log(base::Level::warning,
              "no daemon connected in time; old output will now be overwritten");
    set_limit(journal::Limit::free);
  });
}

void Keeper::set_limit(journal::Limit limit) {
  limit_ = limit;
  for (Child* child : all_children()) child->set_limit(limit);
}

void Keeper::child_started(Child& child, const base::Status& outcome) {
  const auto asker = spawn_askers_.extract(child.id());
  if (outcome) {
    base::log(base::Level::info, "child started", {{"id", child.id().str()}});
    if (!asker.empty()) send_child(asker.mapped(), child);
    return;
  }
  if (!asker.empty())
    answer(asker.mapped(), error_message(asker.mapped().request, outcome.error()));
  forget_child(child.id());
}

void Keeper::child_exited(Child& child) {
  base::log(
      base::Level::info, "child exited",
      {{"id", child.id().str()}, {"code", child.exit()->code}, {"signal", child.exit()->signal}});
  Message message(Tag::exited);
  message.add(Field::id, child.id().str());
  child.describe_exit(message);
  answer({.connection = ownership_.connection()}, message);
}

void Keeper::child_gone(Child& child) {
  base::log(base::Level::info, "child closed", {{"id", child.id().str()}});
  const auto [first, last] = close_askers_.equal_range(child.id());
  for (auto asker = first; asker != last; ++asker)
    answer(asker->second, Message(Tag::done, asker->second.request));
  close_askers_.erase(first, last);
  forget_child(child.id());
}

// Deferred: the caller is the child itself. Its id is free right away.
void Keeper::forget_child(const ChildId& id) {
  auto node = children_.extract(id);
  if (node.empty()) return;
  forgotten_.push_back(std::move(node.mapped()));
  (void)loop_.after(milliseconds(0), [this] { forgotten_.clear(); });
}

std::vector<Child*> Keeper::all_children() const {
  std::vector<Child*> all;
  for (const auto& [id, child] : children_) all.push_back(child.get());
  return all;
}

}  // namespace keeper
