#include "keeper/ownership.h"

#include <signal.h>

#include <utility>

#include "base/log.h"

namespace keeper {
namespace {

constexpr std::chrono::milliseconds kLetGoGrace{5000};

}  // namespace

Ownership::~Ownership() {
  disown();
  loop_.cancel(kill_timer_);
}

base::Result<base::Process> Ownership::process_of(pid_t pid) {
  auto process = base::Process::open(pid);
  if (process) return process;
  return base::fail(
      base::errno_error(process.error().sys_errno, "watch process " + std::to_string(pid)));
}

base::Status Ownership::own(ConnectionId connection, base::Process process) {
  disown();
  owner_ = std::move(process);
  connection_ = connection;
  auto watch = loop_.on_readable(owner_->descriptor(), [this] {
    base::log(base::Level::info, "daemon ended", {{"pid", pid()}});
    release();
  });
  if (!watch) return base::fail(watch.error());
  ended_watch_ = *watch;
  return {};
}

void Ownership::disown() {
  if (owner_) loop_.unwatch(owner_->descriptor(), ended_watch_);
  owner_.reset();
  connection_ = ConnectionId::none;
}

base::Status Ownership::claim(const Connection& claimant, std::uint32_t request,
                              Takeover takeover) {
  auto process = process_of(claimant.peer().pid);
  if (!process) return base::fail(process.error());
  Claim claim{.connection = claimant.id(), .request = request, .process = std::move(*process)};
  // The loop may not have seen the owner's end yet.
  if (owner_ && owner_->has_ended()) release();
  if (!owner_ || owner_->pid() == claim.process.pid()) {
    grant(std::move(claim));
    // An owner that reconnected has not received let_go yet.
    if (claim_) handlers_.let_go(connection_, kLetGoGrace);
    return {};
  }
  const std::string serving =
      "the daemon with pid " + std::to_string(owner_->pid()) + " is already running";
  if (takeover == Takeover::no)
    return base::fail(base::Code::busy, serving, "Replace it with: holdfast serve --takeover");
  if (claim_)
    return base::fail(base::Code::busy, serving + ", and another takeover is in progress");
  base::log(base::Level::info, "takeover requested",
            {{"owner", owner_->pid()}, {"by", claim.process.pid()}});
  claim_ = std::move(claim);
  if (connection_ != ConnectionId::none) handlers_.let_go(connection_, kLetGoGrace);
  kill_timer_ = loop_.after(kLetGoGrace, [this] { kill_owner(); });
  return {};
}

void Ownership::grant(Claim claim) {
  const pid_t pid = claim.process.pid();
  if (auto owned = own(claim.connection, std::move(claim.process)); !owned)
    base::log(base::Level::error, "cannot watch for the daemon's end",
              {{"pid", pid}, {"error", owned.error()}});
  base::log(base::Level::info, "daemon now owns the children", {{"pid", pid}});
  handlers_.granted(claim.connection, claim.request);
}

void Ownership::yield() {
  base::log(base::Level::info, "daemon released the children", {{"pid", pid()}});
  release();
}

void Ownership::release() {
  loop_.cancel(kill_timer_);
  disown();
  if (claim_)
    grant(*std::exchange(claim_, std::nullopt));
  else
    handlers_.missing();
}

void Ownership::kill_owner() {
  kill_timer_ = Loop::Id::none;
  base::log(base::Level::warning, "daemon did not release the children in time; killing it",
            {{"pid", pid()}});
  // The pidfd reports its end, and only then is the claim granted.
  if (owner_) (void)owner_->signal(SIGKILL);
}

void Ownership::connection_closed(ConnectionId id) {
  if (connection_ == id) {
    connection_ = ConnectionId::none;
    handlers_.missing();
  }
  if (claim_ && claim_->connection == id) {
    loop_.cancel(kill_timer_);
    claim_.reset();
  }
}

base::Status Ownership::restore(ConnectionId connection, pid_t pid) {
  auto process = process_of(pid);
  if (!process) return base::fail(process.error());
  return own(connection, std::move(*process));
}

}  // namespace keeper
