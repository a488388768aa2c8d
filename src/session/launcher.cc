#include "session/launcher.h"

#include <algorithm>

#include "base/log.h"
#include "session/label.h"
#include "session/random.h"
#include "vt/frozen_pages.h"

namespace session {

namespace asio = boost::asio;
using asio::awaitable;

Launcher::Launcher(keeper::KeeperClient& keeper, Terminals& terminals, RowSaver& rows,
                   HistorySaver& histories, Closer& closer, Follower& follower, Names& names,
                   Logins& logins, const Watchers& watchers, const Settings& settings)
    : keeper_(keeper),
      terminals_(terminals),
      rows_(rows),
      histories_(histories),
      closer_(closer),
      follower_(follower),
      names_(names),
      logins_(logins),
      watchers_(watchers),
      settings_(settings) {}

keeper::SpawnRequest Launcher::spawn_request(const TerminalEntry& entry, const TerminalSpec& spec,
                                             Login login) {
  const vt::HistoryShape history = vt::history_shape(settings_.history);
  std::string cwd = entry.session.cwd.empty() ? std::move(login.home) : entry.session.cwd;
  keeper::SpawnRequest request{
      .id = keeper::ChildId(entry.key.str()),
      .argv = entry.command,
      .env = std::move(login.environment),
      .cwd = spec.work_dir.empty() ? std::move(cwd) : spec.work_dir,
      .rows = static_cast<std::uint16_t>(spec.size.rows),
      .cols = static_cast<std::uint16_t>(spec.size.cols),
      .label = to_text({.user = entry.user,
                        .user_name = logins_.user_name(entry.user),
                        .session = entry.session.id,
                        .session_name = entry.session.name,
                        .lifetime = entry.lifetime,
                        .origin = entry.origin}),
      .replay = settings_.output_buffer,
      .history = keeper::HistorySpace{.ring = history.ring, .store = history.store},
      .confinement = std::move(login.confinement),
  };
  request.env.push_back("HOLDFAST_TERMINAL=" + entry.id.str());
  request.env.push_back("HOLDFAST_SESSION=" + entry.session.name);
  for (const auto& [name, value] : spec.env)
    request.env.push_back(std::string(name).append("=").append(value));
  return request;
}

base::Status Launcher::within_limit(const UserId& user) {
  const auto running = std::ranges::count_if(terminals_.of(user), [](const auto& each) {
    return !each.second->exit_code && each.second->stage() != Stage::restorable;
  });
  if (static_cast<std::size_t>(running) < settings_.user_terminals) return {};
  ++refused_;
  return base::fail(base::Code::too_large,
                    "too many terminals: the limit is " + std::to_string(settings_.user_terminals) +
                        " running terminals per user (user_terminal_limit)",
                    "Close one first.");
}

// --- new ones ---

// The id of an exited or restorable terminal may be reused. The id of one that is being closed may
// be reused once it is gone.
awaitable<base::Status> Launcher::make_room_for(UserId user, std::string key) {
  for (;;) {
    const TerminalEntry* const found = terminals_.find(key);
    if (found == nullptr) co_return base::Status{};
    const TerminalEntry& entry = *found;
    const std::string id = entry.id.str();
    const Stage stage = entry.stage();
    if (stage == Stage::restorable) co_return base::Status{};
    if (stage == Stage::starting || stage == Stage::running)
      co_return base::fail(base::Code::already_exists, "terminal " + id + " already exists");
    if (stage == Stage::exited) {
      auto closed = co_await closer_.close(user, id, CloseReason::user_requested, nullptr);
      if (!closed) co_return base::fail(closed.error());
    } else if (auto waited = co_await terminals_.while_in(key, stage); !waited) {
      co_return waited;
    }
  }
}

TerminalEntry Launcher::fresh(const UserId& user, const std::string& id, SessionRow session,
                              const TerminalSpec& spec) const {
  TerminalEntry entry;
  entry.id = TerminalId(id);
  entry.key = TerminalId(terminals_.key_of(user, id));
  entry.user = user;
  entry.session = std::move(session);
  entry.lifetime = spec.lifetime;
  entry.name = spec.name;
  const TerminalEntry* const replaced = terminals_.find(spec.replaces.value_or(""));
  entry.position = replaced != nullptr ? replaced->position : terminals_.next_position(user);
  entry.created = std::chrono::system_clock::now();
  entry.command = spec.command;
  if (spec.replaces) entry.origin = Origin::restored;
  return entry;
}

awaitable<base::Result<TerminalEntry*>> Launcher::create(UserId user, TerminalSpec spec) {
  auto fresh_id = spec.id ? base::Result<std::string>(spec.id->str()) : random_id();
  if (!fresh_id) co_return base::fail(fresh_id.error());
  const std::string id = *std::move(fresh_id);
  if (!base::is_valid_id(terminals_.key_of(user, id)))
    co_return base::fail(base::Code::already_exists, "terminal " + id + " already exists");
  if (auto room = co_await make_room_for(user, terminals_.key_of(user, id)); !room)
    co_return base::fail(room.error());
  if (auto allowed = within_limit(user); !allowed) co_return base::fail(allowed.error());
  auto session = names_.find_or_default(user, spec.session);
  if (!session) co_return base::fail(session.error());
  auto login = logins_.of(user);
  if (!login) co_return base::fail(login.error());
  if (spec.command.empty()) spec.command = {login->shell};
  if (before_create_) {
    if (auto allowed = co_await before_create_(*session, spec); !allowed)
      co_return base::fail(allowed.error());
    if (auto room = co_await make_room_for(user, terminals_.key_of(user, id)); !room)
      co_return base::fail(room.error());
  }
  if (auto allowed = spec.permit.check(); !allowed) co_return base::fail(allowed.error());
  TerminalEntry made = fresh(user, id, *std::move(session), spec);
  const std::string key = made.key.str();
  // A restorable terminal with the same key, which this one replaces.
  Terminals::Map::node_type former = terminals_.take_out(key);
  terminals_.add(std::move(made));  // Now the id is taken.

  keeper::SpawnRequest request = spawn_request(terminals_.at(key), spec, std::move(*login));
  auto child = co_await keeper_.spawn(std::move(request));
  if (!child) {
    terminals_.take_out(key);
    if (former) terminals_.put_back(std::move(former));
    co_return base::fail(child.error());
  }
  std::optional<terminal::Preamble> preamble;
  if (spec.replaces)
    preamble = co_await histories_.preamble_of(TerminalId(*spec.replaces), spec.size.cols, "");
  else if (former)
    histories_.remove(TerminalId(key));
  TerminalEntry& entry = terminals_.at(key);
  follower_.follow(entry, std::move(*child), std::move(preamble));
  if (spec.replaces) closer_.discard_restorable(*spec.replaces);
  announce(entry, "created", spec.asker, spec.permit);
  co_return &entry;
}

void Launcher::announce(TerminalEntry& entry, std::string_view event, const Watcher* asker,
                        const Permit& permit) {
  rows_.save(entry.key.str());
  rows_.note(entry, event, permit.asker());
  if (entry.lifetime == Lifetime::kept)
    watchers_.tell(entry.user, asker, [&](Watcher& watcher) { watcher.terminal_created(entry); });
  follower_.tell_early_exit(entry);
}

// --- restorable ones ---

std::optional<std::string> Launcher::left_behind(const UserId& user, const std::string& session,
                                                 const std::string& id,
                                                 const std::optional<std::string>& name) const {
  std::optional<std::string> namesake;
  std::optional<std::string> nameless;
  for (const TerminalEntry* entry : terminals_.listed(user)) {
    if (entry->stage() != Stage::restorable || entry->session.name != session) continue;
    if (entry->id.str() == id) return entry->key.str();
    if (!entry->name && !nameless) nameless = entry->key.str();
    if (entry->name && entry->name == name && !namesake) namesake = entry->key.str();
  }
  return namesake ? namesake : nameless;
}

// Starts it in its old directory or, if that fails, in the session's. Then `trouble` says why.
awaitable<base::Result<keeper::AttachedChild>> Launcher::spawn_again(std::string key, vt::Size size,
                                                                     Login login,
                                                                     std::string& trouble) {
  const TerminalEntry& entry = terminals_.at(key);
  TerminalSpec spec;
  spec.size = size;
  spec.work_dir = entry.saved->cwd;
  keeper::SpawnRequest request = spawn_request(entry, spec, std::move(login));
  const std::string directory = request.cwd;
  keeper::SpawnRequest second = request;
  second.cwd = logins_.directory_of(entry.session);
  auto child = co_await keeper_.spawn(std::move(request));
  if (child || second.cwd == directory || child.error().code == base::Code::unavailable)
    co_return child;
  std::string why = child.error().what;
  const std::string elsewhere = second.cwd;
  auto again = co_await keeper_.spawn(std::move(second));
  if (!again) co_return child;
  trouble = why + "; started in " + elsewhere + " instead";
  base::log(base::Level::warning, "cannot use a restored terminal's directory; using another one",
            {{"terminal", key}, {"directory", directory}, {"instead", elsewhere}});
  co_return again;
}

awaitable<base::Result<TerminalEntry*>> Launcher::restore(UserId user, std::string id,
                                                          std::optional<std::uint16_t> rows,
                                                          std::optional<std::uint16_t> cols,
                                                          const Watcher* asker, Permit permit) {
  // Two windows may restore the same terminal. The second waits here and then finds it alive.
  const auto waited = co_await terminals_.while_in(terminals_.key_of(user, id), Stage::restoring);
  if (!waited) co_return base::fail(waited.error());
  if (auto allowed = permit.check(); !allowed) co_return base::fail(allowed.error());
  auto login = logins_.of(user);
  if (!login) co_return base::fail(login.error());
  auto found = terminals_.find_listed(user, id);
  if (!found) co_return base::fail(found.error());
  if ((*found)->stage() != Stage::restorable)
    co_return base::fail(base::Code::already_exists, "terminal " + id + " is alive");
  if (auto allowed = within_limit(user); !allowed) co_return base::fail(allowed.error());
  // Nobody takes the entry out while it is being restored.
  TerminalEntry& entry = **found;
  const vt::Size size{.cols = cols.value_or(entry.saved->cols),
                      .rows = rows.value_or(entry.saved->rows)};
  if (entry.command.empty()) entry.command = {login->shell};
  terminals_.enter(entry, Stage::restoring);
  entry.origin = Origin::restored;
  entry.untold_exit.reset();
  std::string trouble;
  auto child = co_await spawn_again(entry.key.str(), size, std::move(*login), trouble);
  if (!child) {
    terminals_.enter(entry, Stage::restorable);
    co_return base::fail(child.error());
  }
  auto preamble = co_await histories_.preamble_of(entry.key, size.cols, trouble);
  entry.created = std::chrono::system_clock::now();
  follower_.follow(entry, std::move(*child), std::move(preamble));
  announce(entry, "restored", asker, permit);
  co_return &entry;
}

}  // namespace session
