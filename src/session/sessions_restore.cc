// The part of Sessions that offers, restores and discards restorable terminals.

#include <time.h>

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "session/sessions.h"
#include "vt/saved_rows.h"

namespace session {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

std::string local_time(base::WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[32];
  return {text, ::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts)};
}

// A dim line as wide as the terminal.
std::string rule(const std::string& text, int cols) {
  std::string line = "\x1b[0;2m\u2500\u2500 ";
  for (const char byte : text) line += static_cast<unsigned char>(byte) < ' ' ? '?' : byte;
  line += ' ';
  for (int used = static_cast<int>(text.size()) + 4; used < cols; ++used) line += "\u2500";
  return line + "\x1b[m\r\n";
}

}  // namespace

void Sessions::offer_restorable(const std::set<std::string>& alive) {
  std::set<UserId> owners;
  for (const auto& [id, row] : rows_) {
    if (alive.contains(id) || terminals_.find(id) != nullptr) continue;
    const SessionRow* session = find_session(row.session);
    if (session == nullptr) continue;
    Held held;
    held.key = row.id;
    held.id = id_of_key(row.id, session->user);
    held.user = session->user;
    held.session = *session;
    held.name = row.name;
    held.position = row.position;
    held.created = row.created;
    held.command = row.command;
    held.restorable = row;
    owners.insert(held.user);
    terminals_.add(std::move(held));
  }
  for (const UserId& owner : owners) drop_oldest_restorable(owner);
  const auto count = std::ranges::count_if(
      terminals_, [](const auto& each) { return each.second.restorable.has_value(); });
  if (count > 0) base::log(base::Level::info, "found restorable terminals", {{"terminals", count}});
}

void Sessions::drop_oldest_restorable(const UserId& user) {
  std::vector<const Held*> left;
  for (const auto& [key, held] : terminals_.of(user))
    if (held->restorable && !held->closing) left.push_back(held);
  if (left.size() <= settings_.restorable_kept) return;
  std::ranges::sort(left, std::ranges::greater{},
                    [](const Held* held) { return held->restorable->last_activity; });
  for (std::size_t i = settings_.restorable_kept; i < left.size(); ++i)
    discard(std::string(left[i]->key.str()));
}

std::optional<std::string> Sessions::left_behind(const UserId& user, const std::string& session,
                                                 const std::string& id,
                                                 const std::optional<std::string>& name) const {
  std::optional<std::string> namesake;
  std::optional<std::string> nameless;
  for (const Held* held : listed(user)) {
    if (!held->restorable || held->session.name != session) continue;
    if (held->id.str() == id) return held->key.str();
    if (!held->name && !nameless) nameless = held->key.str();
    if (held->name && held->name == name && !namesake) namesake = held->key.str();
  }
  return namesake ? namesake : nameless;
}

void Sessions::discard(const std::string& id, const std::string& detail) {
  const HeldTerminals::Map::node_type gone = terminals_.take_out(id);
  save(id);
  histories_.remove(TerminalId(id));
  note(gone.mapped(), "closed", detail);
  tell(gone.mapped().user, [&](Watcher& watcher) {
    watcher.terminal_closed(gone.mapped(), CloseReason::user_requested);
  });
}

// If it still is restorable.
void Sessions::discard_restorable(const std::string& id) {
  const Held* const held = terminals_.find(id);
  if (held != nullptr && held->restorable && !held->closing) discard(id);
}

awaitable<terminal::Preamble> Sessions::preamble_of(TerminalId id, int cols, std::string trouble) {
  terminal::Preamble preamble;
  std::string mark = "restored";
  const auto saved = co_await histories_.load(id);
  if (!saved)
    base::log(base::Level::error, "cannot read a saved history",
              {{"terminal", id.str()}, {"error", saved.error()}});
  if (saved && *saved) {
    const SavedHistory& history = **saved;
    auto rows = vt::rows_as_output(history.rows, history.size.cols);
    if (rows) {
      preamble.rows = *std::move(rows);
      preamble.cols = history.size.cols;
      mark += ", saved " + local_time(history.saved);
    } else {
      histories_.set_aside(id);
    }
  }
  preamble.mark = rule(mark, cols);
  if (!trouble.empty()) preamble.mark += rule(trouble, cols);
  co_return preamble;
}

// Two windows may restore the same terminal. The second waits here and then finds it alive.
awaitable<void> Sessions::while_being_restored(std::string id) {
  for (;;) {
    const Held* const held = terminals_.find(id);
    if (held == nullptr || !held->restorable || !held->closing) co_return;
    co_await closed_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
}

// Starts it in its old directory or, if that fails, in the session's. Then `trouble` says why.
awaitable<base::Result<keeper::AttachedChild>> Sessions::spawn_again(std::string id, vt::Size size,
                                                                     Login login,
                                                                     std::string& trouble) {
  const Held& held = terminals_.at(id);
  TerminalSpec spec;
  spec.size = size;
  spec.work_dir = held.restorable->cwd;
  keeper::SpawnRequest request = spawn_request(held, spec, std::move(login));
  const std::string directory = request.cwd;
  keeper::SpawnRequest second = request;
  second.cwd = directory_of(held.session);
  auto child = co_await keeper_.spawn(std::move(request));
  if (child || second.cwd == directory || child.error().code == base::Code::unavailable)
    co_return child;
  std::string why = child.error().what;
  const std::string elsewhere = second.cwd;
  auto again = co_await keeper_.spawn(std::move(second));
  if (!again) co_return child;
  trouble = why + "; started in " + elsewhere + " instead";
  base::log(base::Level::warning, "cannot use a restored terminal's directory; using another one",
            {{"terminal", id}, {"directory", directory}, {"instead", elsewhere}});
  co_return again;
}

awaitable<base::Result<Held*>> Sessions::restore(UserId user, std::string id,
                                                 std::optional<std::uint16_t> rows,
                                                 std::optional<std::uint16_t> cols,
                                                 const Watcher* asked_by, Permit permit) {
  co_await while_being_restored(key_of(user, id));
  if (auto allowed = permit.check(); !allowed) co_return base::fail(allowed.error());
  vt::Size size;
  auto login = login_of(user);
  if (!login) co_return base::fail(login.error());
  {
    auto found = find_listed(user, id);
    if (!found) co_return base::fail(found.error());
    Held& held = **found;
    if (!held.restorable)
      co_return base::fail(base::Code::already_exists, "terminal " + id + " is alive");
    id = held.key.str();
    if (auto allowed = within_limit(user); !allowed) co_return base::fail(allowed.error());
    size = {.cols = cols.value_or(held.restorable->cols),
            .rows = rows.value_or(held.restorable->rows)};
    if (held.command.empty()) held.command = {login->shell};
    held.closing = true;  // Hides it from everybody else.
    held.origin = Origin::restored;
    held.early_exit.reset();
  }
  std::string trouble;
  auto child = co_await spawn_again(id, size, std::move(*login), trouble);
  std::optional<terminal::Preamble> preamble;
  if (child) preamble = co_await preamble_of(TerminalId(id), size.cols, trouble);
  Held& held = terminals_.at(id);
  held.closing = false;
  closed_.cancel();
  if (!child) co_return base::fail(child.error());
  held.restorable.reset();
  held.created = std::chrono::system_clock::now();
  follow(held, std::move(*child), std::move(preamble));
  save(id);
  note(held, "restored", permit.asker());
  tell(user, [&](Watcher& watcher) {
    if (&watcher != asked_by) watcher.terminal_created(held);
  });
  if (held.early_exit) held.terminal->process_exited(*held.early_exit);
  if (held.terminal->exit()) exited(*held.terminal);
  co_return &held;
}

}  // namespace session
