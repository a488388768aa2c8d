#include "session/launcher.h"

#include <algorithm>

#include "base/log.h"
#include "session/label.h"
#include "session/random.h"
#include "session/shell_integration.h"
#include "vt/frozen_pages.h"

namespace session {

namespace asio = boost::asio;
using asio::awaitable;

keeper::SpawnRequest Launcher::spawn_request(const TerminalEntry& entry, const TerminalSpec& spec,
                                             Login login) {
  const vt::HistoryShape history = vt::history_shape(parts_.settings.history);
  std::string cwd = entry.session.cwd.empty() ? std::move(login.home) : entry.session.cwd;
  keeper::SpawnRequest request{
      .id = keeper::ChildId(entry.key.str()),
      .argv = entry.command,
      .env = std::move(login.environment),
      .cwd = spec.work_dir.empty() ? std::move(cwd) : spec.work_dir,
      .rows = static_cast<std::uint16_t>(spec.size.rows),
      .cols = static_cast<std::uint16_t>(spec.size.cols),
      .label = to_text({.user = entry.user,
                        .user_name = parts_.logins.user_name(entry.user),
                        .session = entry.session.id,
                        .session_name = entry.session.name,
                        .lifetime = entry.lifetime,
                        .origin = entry.origin}),
      .replay = parts_.settings.output_buffer,
      .history =
          keeper::HistorySpace{
              .ring = history.ring, .store = history.store, .has_input_area = true},
      .confinement = std::move(login.confinement),
  };
  request.env.push_back("HOLDFAST_TERMINAL=" + entry.id.str());
  request.env.push_back("HOLDFAST_SESSION=" + entry.session.name);
  for (const auto& [name, value] : spec.env)
    request.env.push_back(std::string(name).append("=").append(value));
  if (integrates(request.argv))
    integrate_shell(parts_.settings.shell_scripts, request.argv, request.env);
  return request;
}

bool Launcher::integrates(const std::vector<std::string>& command) const {
  const Settings& settings = parts_.settings;
  const Readers readers = settings.least_account ? Readers::all : Readers::own;
  return settings.shell_integration &&
         is_integrated_shell(settings.shell_scripts, readers, command);
}

base::Status Launcher::within_limit(const UserId& user) {
  const auto running = std::ranges::count_if(parts_.terminals.of(user), [](const auto& each) {
    return !each.second->exit_code && each.second->stage() != Stage::restorable;
  });
  if (static_cast<std::size_t>(running) < parts_.settings.user_terminals) return {};
  ++refused_;
  return base::fail(base::Code::too_large,
                    "too many terminals: the limit is " +
                        std::to_string(parts_.settings.user_terminals) +
                        " running terminals per user (user_terminal_limit)",
                    "Close one first.");
}

// --- new ones ---

// The id of an exited or restorable terminal may be reused. The id of one that is being closed may
// be reused once it is gone.
awaitable<base::Status> Launcher::make_room_for(Reach reach, std::string key) {
  for (;;) {
    const TerminalEntry* const found = parts_.terminals.find(key);
    if (found == nullptr) co_return base::Status{};
    const TerminalEntry& entry = *found;
    const std::string id = entry.id.str();
    const Stage stage = entry.stage();
    const bool is_taken = stage == Stage::starting || stage == Stage::running || !reach.has(entry);
    if (stage == Stage::restorable && !is_taken) co_return base::Status{};
    if (is_taken)
      co_return base::fail(base::Code::already_exists, "terminal " + id + " already exists");
    if (stage == Stage::exited) {
      auto closed = co_await parts_.closer.close(reach, id, CloseReason::user_requested, nullptr);
      if (!closed) co_return base::fail(closed.error());
    } else if (auto waited = co_await parts_.terminals.while_in(key, stage); !waited) {
      co_return waited;
    }
  }
}

TerminalEntry Launcher::fresh(const UserId& user, const std::string& id, SessionRow session,
                              const TerminalSpec& spec) const {
  TerminalEntry entry;
  entry.id = TerminalId(id);
  entry.key = TerminalId(parts_.terminals.key_of(user, id));
  entry.user = user;
  entry.session = std::move(session);
  entry.lifetime = spec.lifetime;
  entry.name = spec.name;
  const TerminalEntry* const replaced = parts_.terminals.find(spec.replaces.value_or(""));
  entry.position = replaced != nullptr ? replaced->position : parts_.terminals.next_position(user);
  entry.created = std::chrono::system_clock::now();
  entry.command = spec.command;
  if (spec.replaces) entry.origin = Origin::restored;
  return entry;
}

awaitable<base::Result<TerminalEntry*>> Launcher::create(Reach reach, TerminalSpec spec) {
  if (auto allowed = reach.may_create_terminals(); !allowed) co_return base::fail(allowed.error());
  const UserId user = reach.user;
  if (spec.session.empty()) spec.session = parts_.names.home(reach);
  auto fresh_id = spec.id ? base::Result<std::string>(spec.id->str()) : random_id();
  if (!fresh_id) co_return base::fail(fresh_id.error());
  const std::string id = *std::move(fresh_id);
  if (!base::is_valid_id(parts_.terminals.key_of(user, id)))
    co_return base::fail(base::Code::already_exists, "terminal " + id + " already exists");
  if (auto room = co_await make_room_for(reach, parts_.terminals.key_of(user, id)); !room)
    co_return base::fail(room.error());
  if (auto allowed = within_limit(user); !allowed) co_return base::fail(allowed.error());
  auto session = parts_.names.find_or_default(reach, spec.session);
  if (!session) co_return base::fail(session.error());
  auto login = parts_.logins.of(user);
  if (!login) co_return base::fail(login.error());
  if (spec.command.empty()) spec.command = {login->shell};
  if (before_create_) {
    if (auto allowed = co_await before_create_(*session, spec); !allowed)
      co_return base::fail(allowed.error());
    if (auto room = co_await make_room_for(reach, parts_.terminals.key_of(user, id)); !room)
      co_return base::fail(room.error());
  }
  if (auto allowed = spec.permit.check(); !allowed) co_return base::fail(allowed.error());
  TerminalEntry made = fresh(user, id, *std::move(session), spec);
  const std::string key = made.key.str();
  // A restorable terminal with the same key, which this one replaces.
  Terminals::Map::node_type former = parts_.terminals.take_out(key);
  parts_.terminals.add(std::move(made));  // Now the id is taken.

  keeper::SpawnRequest request = spawn_request(parts_.terminals.at(key), spec, std::move(*login));
  auto child = co_await parts_.keeper.spawn(std::move(request));
  if (!child) {
    parts_.terminals.take_out(key);
    if (former) parts_.terminals.put_back(std::move(former));
    co_return base::fail(child.error());
  }
  std::optional<terminal::Preamble> preamble;
  if (spec.replaces)
    preamble =
        co_await parts_.histories.preamble_of(TerminalId(*spec.replaces), spec.size.cols, "");
  else if (former)
    parts_.histories.remove(TerminalId(key));
  TerminalEntry& entry = parts_.terminals.at(key);
  parts_.follower.follow(entry, std::move(*child), std::move(preamble));
  if (spec.replaces) parts_.closer.discard_restorable(*spec.replaces);
  announce(entry, "created", spec.asker, spec.permit);
  co_return &entry;
}

void Launcher::announce(TerminalEntry& entry, std::string_view event, const Watcher* asker,
                        const Permit& permit) {
  parts_.rows.save(entry.key.str());
  parts_.rows.note(entry, event, permit.asker());
  if (entry.lifetime == Lifetime::kept)
    parts_.watchers.tell(entry, asker, [&](Watcher& watcher) { watcher.terminal_created(entry); });
  parts_.follower.tell_early_exit(entry);
}

// --- restorable ones ---

std::optional<std::string> Launcher::left_behind(const Reach& reach, const std::string& session,
                                                 const std::string& id,
                                                 const std::optional<std::string>& name) const {
  std::optional<std::string> namesake;
  std::optional<std::string> nameless;
  for (const TerminalEntry* entry : parts_.terminals.living_or_restorable(reach)) {
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
  const TerminalEntry& entry = parts_.terminals.at(key);
  TerminalSpec spec;
  spec.size = size;
  spec.work_dir = entry.saved->cwd;
  keeper::SpawnRequest request = spawn_request(entry, spec, std::move(login));
  const std::string directory = request.cwd;
  keeper::SpawnRequest second = request;
  second.cwd = parts_.logins.directory_of(entry.session);
  auto child = co_await parts_.keeper.spawn(std::move(request));
  if (child || second.cwd == directory || child.error().code == base::Code::unavailable)
    co_return child;
  std::string why = child.error().what;
  const std::string elsewhere = second.cwd;
  auto again = co_await parts_.keeper.spawn(std::move(second));
  if (!again) co_return child;
  trouble = why + "; started in " + elsewhere + " instead";
  base::log(base::Level::warning, "cannot use a restored terminal's directory; using another one",
            {{"terminal", key}, {"directory", directory}, {"instead", elsewhere}});
  co_return again;
}

awaitable<base::Result<TerminalEntry*>> Launcher::restore(Reach reach, std::string id,
                                                          std::optional<std::uint16_t> rows,
                                                          std::optional<std::uint16_t> cols,
                                                          const Watcher* asker, Permit permit) {
  const UserId user = reach.user;
  // Two windows may restore the same terminal. The second waits here and then finds it alive.
  const auto waited =
      co_await parts_.terminals.while_in(parts_.terminals.key_of(user, id), Stage::restoring);
  if (!waited) co_return base::fail(waited.error());
  if (auto allowed = permit.check(); !allowed) co_return base::fail(allowed.error());
  auto login = parts_.logins.of(user);
  if (!login) co_return base::fail(login.error());
  auto found = parts_.terminals.find_living_or_restorable(reach, id);
  if (!found) co_return base::fail(found.error());
  if ((*found)->stage() != Stage::restorable)
    co_return base::fail(base::Code::already_exists, "terminal " + id + " is alive");
  if (auto allowed = within_limit(user); !allowed) co_return base::fail(allowed.error());
  // Nobody takes the entry out while it is being restored.
  TerminalEntry& entry = **found;
  const vt::Size size{.cols = cols.value_or(entry.saved->cols),
                      .rows = rows.value_or(entry.saved->rows)};
  if (entry.command.empty()) entry.command = {login->shell};
  parts_.terminals.enter(entry, Stage::restoring);
  entry.origin = Origin::restored;
  entry.untold_exit.reset();
  std::string trouble;
  auto child = co_await spawn_again(entry.key.str(), size, std::move(*login), trouble);
  if (!child) {
    parts_.terminals.enter(entry, Stage::restorable);
    co_return base::fail(child.error());
  }
  auto preamble = co_await parts_.histories.preamble_of(entry.key, size.cols, trouble);
  entry.created = std::chrono::system_clock::now();
  parts_.follower.follow(entry, std::move(*child), std::move(preamble));
  announce(entry, "restored", asker, permit);
  co_return &entry;
}

}  // namespace session
