#include "session/sessions.h"

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "base/turn.h"
#include "session/label.h"
#include "session/random.h"
#include "vt/frozen_pages.h"

namespace session {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

base::Error not_found(std::string_view id) {
  return {.code = base::Code::not_found,
          .what = "there is no terminal " + std::string(id),
          .advice = {}};
}

// The key for an id that another user also has.
std::string scoped_key(const UserId& user, std::string_view id) {
  return user.str() + "." + std::string(id);
}

}  // namespace

Sessions::Sessions(asio::any_io_executor executor, keeper::KeeperClient& keeper, Store& store,
                   Settings settings)
    : executor_(executor),
      keeper_(keeper),
      store_(store),
      settings_(std::move(settings)),
      tasks_(executor),
      closed_(executor, asio::steady_timer::time_point::max()),
      unsaved_file_(settings_.unsaved_file),
      retry_(executor),
      histories_(settings_.history_dir),
      history_changed_(executor, asio::steady_timer::time_point::max()) {}

awaitable<void> Sessions::stop() {
  retry_.cancel();
  tasks_.cancel();
  co_await tasks_.join();
  for (auto& [id, held] : terminals_)
    if (held.terminal) co_await held.terminal->stop();
  co_await save_last_histories();
  save_all();
  retry_.cancel();
  terminals_.clear();
}

void Sessions::watch(const UserId& user, Watcher& watcher) {
  watchers_.emplace_back(user, &watcher);
}

void Sessions::watch_all(Watcher& watcher) {
  watchers_.emplace_back(std::nullopt, &watcher);
}

void Sessions::unwatch(Watcher& watcher) {
  std::erase_if(watchers_, [&](const auto& entry) { return entry.second == &watcher; });
}

// --- creating ---

int Sessions::next_position(const UserId& user) const {
  int next = 0;
  for (const auto& [key, held] : terminals_.of(user))
    if (is_listed(*held)) next = std::max(next, held->position + 1);
  return next;
}

keeper::SpawnRequest Sessions::spawn_request(const Held& held, const TerminalSpec& spec,
                                             Login login) {
  const vt::HistoryShape history = vt::history_shape(settings_.history);
  std::string cwd = held.session.cwd.empty() ? std::move(login.home) : held.session.cwd;
  keeper::SpawnRequest request{
      .id = keeper::ChildId(held.key.str()),
      .argv = held.command,
      .env = std::move(login.environment),
      .cwd = spec.work_dir.empty() ? std::move(cwd) : spec.work_dir,
      .rows = static_cast<std::uint16_t>(spec.size.rows),
      .cols = static_cast<std::uint16_t>(spec.size.cols),
      .label = to_text({.user = held.user,
                        .user_name = user_name(held.user),
                        .session = held.session.id,
                        .session_name = held.session.name,
                        .lifetime = held.lifetime,
                        .origin = held.origin}),
      .replay = settings_.output_buffer,
      .history = keeper::HistorySpace{.ring = history.ring, .store = history.store},
      .confinement = std::move(login.confinement),
  };
  request.env.push_back("HOLDFAST_TERMINAL=" + held.id.str());
  request.env.push_back("HOLDFAST_SESSION=" + held.session.name);
  for (const auto& [name, value] : spec.env)
    request.env.push_back(std::string(name).append("=").append(value));
  return request;
}

std::string Sessions::key_of(const UserId& user, std::string_view id) const {
  const Held* const found = terminals_.find(id);
  if (found != nullptr && found->user == user) return std::string(id);
  std::string scoped = scoped_key(user, id);
  const bool is_taken = found != nullptr || terminals_.find(scoped) != nullptr;
  return is_taken ? scoped : std::string(id);
}

TerminalId id_of_key(const TerminalId& key, const UserId& user) {
  const std::string prefix = scoped_key(user, "");
  if (!key.str().starts_with(prefix)) return key;
  return TerminalId::parse(key.str().substr(prefix.size())).value_or(key);
}

// The id of an exited or restorable terminal may be reused. The id of one that is being closed may
// be reused once it is gone.
awaitable<base::Status> Sessions::make_room_for(UserId user, std::string key) {
  for (;;) {
    const Held* const found = terminals_.find(key);
    if (found == nullptr) co_return base::Status{};
    const Held& held = *found;
    const std::string id = held.id.str();
    if (held.closing) {
      co_await closed_.async_wait(kNoThrow);
      const auto state = co_await asio::this_coro::cancellation_state;
      if (state.cancelled() != asio::cancellation_type::none)
        co_return base::fail(base::Code::unavailable, "the daemon is stopping");
      continue;
    }
    if (held.restorable) co_return base::Status{};
    if (!held.terminal || !held.terminal->exit())
      co_return base::fail(base::Code::already_exists, "terminal " + id + " already exists");
    if (auto closed = co_await close(user, id, CloseReason::user_requested); !closed)
      co_return base::fail(closed.error());
  }
}

base::Status Sessions::within_limit(const UserId& user) {
  const auto running = std::ranges::count_if(terminals_.of(user), [](const auto& each) {
    return !each.second->exit_code && !each.second->restorable;
  });
  if (static_cast<std::size_t>(running) < settings_.user_terminals) return {};
  ++terminals_refused_;
  return base::fail(base::Code::too_large,
                    "too many terminals: the limit is " + std::to_string(settings_.user_terminals) +
                        " running terminals per user (user_terminal_limit)",
                    "Close one first.");
}

awaitable<base::Result<Held*>> Sessions::create(UserId user, TerminalSpec spec) {
  auto fresh_id = spec.id ? base::Result<std::string>(spec.id->str()) : random_id();
  if (!fresh_id) co_return base::fail(fresh_id.error());
  const std::string id = *std::move(fresh_id);
  if (!base::is_valid_id(key_of(user, id)))
    co_return base::fail(base::Code::already_exists, "terminal " + id + " already exists");
  if (auto room = co_await make_room_for(user, key_of(user, id)); !room)
    co_return base::fail(room.error());
  if (auto allowed = within_limit(user); !allowed) co_return base::fail(allowed.error());
  auto session = find_session(user, spec.session);
  if (!session) co_return base::fail(session.error());
  auto login = login_of(user);
  if (!login) co_return base::fail(login.error());
  if (spec.command.empty()) spec.command = {login->shell};
  if (hooks_.before_create) {
    if (auto allowed = co_await hooks_.before_create(*session, spec); !allowed)
      co_return base::fail(allowed.error());
    if (auto room = co_await make_room_for(user, key_of(user, id)); !room)
      co_return base::fail(room.error());
  }
  if (auto allowed = spec.permit.check(); !allowed) co_return base::fail(allowed.error());
  const std::string key = key_of(user, id);
  Held fresh;
  fresh.id = TerminalId(id);
  fresh.key = TerminalId(key);
  fresh.user = user;
  fresh.session = *std::move(session);
  fresh.lifetime = spec.lifetime;
  fresh.name = spec.name;
  const Held* const replaced = terminals_.find(spec.replaces.value_or(""));
  fresh.position = replaced != nullptr ? replaced->position : next_position(user);
  fresh.created = std::chrono::system_clock::now();
  fresh.command = spec.command;
  if (spec.replaces) fresh.origin = Origin::restored;
  // A restorable terminal with the same key, which this one replaces.
  HeldTerminals::Map::node_type former = terminals_.take_out(key);
  terminals_.add(std::move(fresh));  // Now the id is taken.

  keeper::SpawnRequest request = spawn_request(terminals_.at(key), spec, std::move(*login));
  auto child = co_await keeper_.spawn(std::move(request));
  if (!child) {
    terminals_.take_out(key);
    if (former) terminals_.put_back(std::move(former));
    co_return base::fail(child.error());
  }
  std::optional<terminal::Preamble> preamble;
  if (spec.replaces)
    preamble = co_await preamble_of(TerminalId(*spec.replaces), spec.size.cols, "");
  else if (former)
    histories_.remove(TerminalId(key));
  Held& held = terminals_.at(key);
  follow(held, std::move(*child), std::move(preamble));
  if (spec.replaces) discard_restorable(*spec.replaces);
  save(key);
  note(held, "created", spec.permit.asker());
  if (held.lifetime == Lifetime::kept)
    tell(user, [&](Watcher& watcher) {
      if (&watcher != spec.asked_by) watcher.terminal_created(held);
    });
  if (held.early_exit) held.terminal->process_exited(*held.early_exit);
  if (held.terminal->exit()) exited(*held.terminal);
  co_return &held;
}

void Sessions::follow(Held& held, keeper::AttachedChild child,
                      std::optional<terminal::Preamble> preamble) {
  held.terminal = terminal::Terminal::start(
      executor_, std::move(child), settings_.terminal,
      {.exited = [this](terminal::Terminal& terminal) { exited(terminal); },
       .grace_over =
           [this](terminal::Terminal& terminal) {
             if (const Held* held = terminals_.find(terminal.id().str()))
               start_close(*held, CloseReason::idle_timeout);
           },
       .attached = [this](terminal::Terminal& terminal) { looked_at(terminal); },
       .orphaned = [this](terminal::Terminal& terminal) { looked_at(terminal); },
       .printed = [this](terminal::Terminal& terminal) { history_changed(terminal.id().str()); }},
      std::move(preamble));
  history_changed(held.key.str());
}

// --- finding and changing ---

base::Result<Held*> Sessions::find(const UserId& user, std::string_view id) {
  Held* const held = terminals_.find(key_of(user, id));
  if (held == nullptr || held->closing || !held->terminal) return base::fail(not_found(id));
  return held;
}

base::Result<Held*> Sessions::find_listed(const UserId& user, std::string_view id) {
  Held* const held = terminals_.find(key_of(user, id));
  if (held != nullptr && held->restorable && !held->closing) return held;
  return find(user, id);
}

std::vector<const Held*> Sessions::list(const UserId& user) const {
  std::vector<const Held*> living = listed(user);
  std::erase_if(living, [](const Held* held) { return held->restorable.has_value(); });
  return living;
}

std::vector<const Held*> Sessions::listed(const UserId& user) const {
  std::vector<const Held*> mine;
  for (const auto& [key, held] : terminals_.of(user))
    if (is_listed(*held)) mine.push_back(held);
  std::ranges::sort(mine, {}, [](const Held* held) { return std::tie(held->position, held->id); });
  return mine;
}

awaitable<Sessions::Doings> Sessions::doings(UserId user, std::optional<std::string> session) {
  std::vector<std::string> keys;
  for (const Held* held : list(user))
    if (!session || *session == held->session.name) keys.push_back(held->key.str());
  Doings doings;
  base::Turn turn(executor_);
  for (const std::string& key : keys) {
    const Held* const held = terminals_.find(key);
    if (held != nullptr && held->terminal) doings.emplace(key, held->terminal->doing());
    if (turn.is_over()) co_await turn.next();
  }
  if (!keys.empty())
    co_await turn.next();  // The caller's work with the result gets a turn of its own.
  co_return doings;
}

base::Status Sessions::rename(const UserId& user, std::string_view id, std::string name) {
  auto held = find_listed(user, id);
  if (!held) return base::fail(held.error());
  (*held)->name = name.empty() ? std::nullopt : std::optional(std::move(name));
  save((*held)->key.str());
  tell(user, [&](Watcher& watcher) { watcher.terminal_renamed(**held); });
  return {};
}

awaitable<base::Status> Sessions::reorder(UserId user, std::vector<std::string> ids,
                                          const Watcher* asked_by) {
  std::vector<Held*> order;
  std::set<const Held*> placed;
  for (const std::string& id : ids) {
    auto held = find_listed(user, id);
    if (!held) co_return base::fail(held.error());
    if (placed.insert(*held).second) order.push_back(*held);
  }
  for (const Held* held : listed(user))
    if (!placed.contains(held)) order.push_back(&terminals_.at(held->key.str()));
  std::vector<TerminalId> moved;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (const int place = static_cast<int>(i); std::exchange(order[i]->position, place) != place)
      moved.push_back(order[i]->key);
  co_await save_positions(std::move(moved));
  const auto now = listed(user);
  tell(user, [&](Watcher& watcher) {
    if (&watcher != asked_by) watcher.terminals_reordered(now);
  });
  co_return base::Status{};
}

// --- ending ---

awaitable<base::Status> Sessions::close(UserId user, std::string id, CloseReason reason,
                                        Permit permit) {
  {
    auto held = find_listed(user, id);
    if (!held) co_return base::fail(held.error());
    id = (*held)->key.str();
    if ((*held)->restorable) {
      discard(id, permit.asker());
      co_return base::Status{};
    }
    (*held)->closing = true;
  }
  co_return co_await finish_close(std::move(id), reason, std::move(permit));
}

awaitable<base::Status> Sessions::finish_close(std::string id, CloseReason reason, Permit permit) {
  auto closed = co_await keeper_.close(keeper::ChildId(id));
  Held* const held = terminals_.find(id);
  if (held == nullptr) co_return base::Status{};
  if (!closed && closed.error().code != base::Code::not_found) {
    held->closing = false;
    co_return base::fail(closed.error());
  }
  held->terminal->detach_viewers(terminal::Detached::closed);
  co_await held->terminal->stop();
  const HeldTerminals::Map::node_type taken = terminals_.take_out(id);
  const Held& gone = taken.mapped();
  save(id);
  histories_.remove(TerminalId(id));
  note(gone, "closed",
       reason == CloseReason::idle_timeout ? "orphan grace period expired" : permit.asker());
  tell(gone.user, [&](Watcher& watcher) { watcher.terminal_closed(gone, reason); });
  closed_.cancel();
  co_return base::Status{};
}

void Sessions::start_close(const Held& held, CloseReason reason) {
  // Set it now, not when the task starts: nobody may find it in between.
  Held& closing = terminals_.at(held.key.str());
  if (std::exchange(closing.closing, true)) return;
  tasks_.spawn([this, id = held.key.str(), reason]() -> awaitable<void> {
    if (auto closed = co_await finish_close(id, reason, {}); !closed)
      base::log(base::Level::warning, "cannot close a terminal",
                {{"terminal", id}, {"error", closed.error()}});
  });
}

void Sessions::child_exited(const keeper::ChildId& id, const keeper::ChildExit& exit) {
  Held* const held = terminals_.find(id.str());
  if (held == nullptr) return;
  if (!held->terminal)
    held->early_exit = exit;
  else if (held->closing)  // Watchers are told that it was closed.
    held->exit_code = terminal::exit_code(exit.status);
  else
    held->terminal->process_exited(exit);
}

void Sessions::exited(terminal::Terminal& terminal) {
  Held* const found = terminals_.find(terminal.id().str());
  if (found == nullptr || found->terminal.get() != &terminal || found->exit_code) return;
  Held& held = *found;
  held.exit_code = terminal::exit_code(*terminal.exit());
  save(held.key.str());
  note(held, "exited", std::to_string(*held.exit_code));
  if (held.lifetime == Lifetime::kept)
    tell(held.user, [&](Watcher& watcher) { watcher.terminal_exited(held); });
  drop_oldest_exited(held.user);
}

void Sessions::looked_at(const terminal::Terminal& terminal) {
  const Held* const found = terminals_.find(terminal.id().str());
  if (found == nullptr || found->terminal.get() != &terminal) return;
  const Held& held = *found;
  if (held.lifetime == Lifetime::connection || held.closing) return;
  tell(held.user, [&](Watcher& watcher) {
    if (terminal.viewers() > 0)
      watcher.terminal_attached(held);
    else
      watcher.terminal_orphaned(held);
  });
}

void Sessions::drop_oldest_exited(const UserId& user) {
  std::vector<const Held*> exited;
  for (const auto& [key, held] : terminals_.of(user))
    if (held->exit_code && !held->closing) exited.push_back(held);
  if (exited.size() <= settings_.exited_kept) return;
  std::ranges::sort(exited, {}, [](const Held* held) { return held->created; });
  for (std::size_t i = 0; i + settings_.exited_kept < exited.size(); ++i)
    start_close(*exited[i], CloseReason::process_exit);
}

void Sessions::set_orphan_grace(std::chrono::milliseconds grace) {
  settings_.terminal.orphan_grace = grace;
  for (auto& [id, held] : terminals_)
    if (held.terminal) held.terminal->set_orphan_grace(grace);
}

Counts Sessions::counts() const {
  Counts counts{.sessions = sessions_.size()};
  for (const auto& [id, held] : terminals_) {
    if (!held.terminal || held.closing) continue;
    counts.viewers += held.terminal->viewers();
    if (held.exit_code)
      ++counts.exited;
    else
      ++(held.terminal->viewers() > 0 ? counts.active : counts.orphaned);
  }
  return counts;
}

}  // namespace session
