#include "session/extension_records.h"

#include <iterator>
#include <sstream>

#include "session/row_values.h"

namespace session {

namespace {

std::string first_column(const Statement& row) {
  return row.text(0);
}

// Event names contain no spaces.
std::string to_words(const EventNames& events) {
  std::string words;
  for (const std::string& event : events) words += (words.empty() ? "" : " ") + event;
  return words;
}

EventNames from_words(const std::string& words) {
  std::istringstream stream(words);
  return {std::istream_iterator<std::string>(stream), {}};
}

struct GuardRow {
  bool is_here;
  std::string extension;
  EventNames events;
};

GuardRow read_guard(const Statement& row) {
  return {
      .is_here = row.integer(0) != 0, .extension = row.text(1), .events = from_words(row.text(2))};
}

base::Error too_much(std::string what) {
  return {.code = base::Code::too_large,
          .what = std::move(what),
          .advice = "Keep large data in files and store their names."};
}

}  // namespace

base::Status ExtensionRecords::set_were(const SessionId& session, ExtensionsWere what) {
  return database_->write("UPDATE sessions SET extensions = ? WHERE id = ?",
                          {to_string(what), session.str()});
}

base::Result<std::int64_t> ExtensionRecords::next_generation(const ExtensionKey& key) {
  return database_->number(
      "INSERT INTO extensions VALUES (?, ?, 1) "
      "ON CONFLICT (session, name) DO UPDATE SET generation = generation + 1 RETURNING generation",
      {key.session.str(), key.name});
}

base::Status ExtensionRecords::save_resource(const ResourceRow& row) {
  return database_->write(
      "INSERT INTO resources VALUES (?, ?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (session, extension, key) DO UPDATE SET state = excluded.state, "
      "description = excluded.description, processes = excluded.processes",
      {row.session.str(), row.extension, row.key, to_string(row.state), row.description,
       processes_to_json(row.processes), to_milliseconds(row.created)});
}

base::Status ExtensionRecords::remove_resource(const ExtensionKey& owner, std::string_view key) {
  return database_->write("DELETE FROM resources WHERE session = ? AND extension = ? AND key = ?",
                          {owner.session.str(), owner.name, key});
}

base::Result<std::vector<ResourceRow>> ExtensionRecords::resources(const SessionId& session) {
  return database_->rows(
      "SELECT session, extension, key, state, description, processes, created FROM resources "
      "WHERE session = ? ORDER BY created, extension, key",
      {session.str()}, read_resource);
}

base::Result<std::optional<std::string>> ExtensionRecords::state(const ExtensionKey& owner,
                                                                 std::string_view key) {
  auto rows =
      database_->rows("SELECT value FROM state WHERE session = ? AND extension = ? AND key = ?",
                      {owner.session.str(), owner.name, key}, first_column);
  if (!rows) return base::fail(rows.error());
  if (rows->empty()) return std::nullopt;
  return std::move(rows->front());
}

base::Status ExtensionRecords::set_state(const ExtensionKey& owner, std::string_view key,
                                         std::string_view value) {
  if (key.size() + value.size() > kMaxStateValue)
    return base::fail(too_much("the value is larger than 256 KiB"));
  return database_->transaction([&]() -> base::Status {
    if (auto written =
            database_->write("INSERT INTO state VALUES (?, ?, ?, ?) "
                             "ON CONFLICT (session, extension, key) DO UPDATE SET value = "
                             "excluded.value",
                             {owner.session.str(), owner.name, key, value});
        !written)
      return written;
    const auto total = database_->number(
        "SELECT sum(length(CAST(key AS BLOB)) + length(CAST(value AS BLOB))) FROM state "
        "WHERE session = ? AND extension = ?",
        {owner.session.str(), owner.name});
    if (!total) return base::fail(total.error());
    if (*total > static_cast<std::int64_t>(kMaxState))
      return base::fail(too_much("the extension's state in this session would exceed 4 MiB"));
    return {};
  });
}

base::Status ExtensionRecords::remove_state(const ExtensionKey& owner, std::string_view key) {
  return database_->write("DELETE FROM state WHERE session = ? AND extension = ? AND key = ?",
                          {owner.session.str(), owner.name, key});
}

base::Result<std::vector<std::string>> ExtensionRecords::state_keys(const ExtensionKey& owner) {
  return database_->rows("SELECT key FROM state WHERE session = ? AND extension = ? ORDER BY key",
                         {owner.session.str(), owner.name}, first_column);
}

base::Result<Guards> ExtensionRecords::guards(const SessionId& session) {
  auto rows = database_->rows(
      "SELECT guards.session = ?1, extension, events FROM guards "
      "JOIN sessions ON sessions.id = guards.session "
      "WHERE user = (SELECT user FROM sessions WHERE id = ?1) ORDER BY 1",
      {session.str()}, read_guard);
  if (!rows) return base::fail(rows.error());
  Guards guards;
  for (GuardRow& row : *rows) {
    EventNames& events = guards[row.extension];
    if (row.is_here)  // These come last.
      events = std::move(row.events);
    else
      events.merge(row.events);
  }
  return guards;
}

base::Status ExtensionRecords::set_guard(const ExtensionKey& key, const EventNames& events) {
  return database_->write(
      "INSERT INTO guards VALUES (?, ?, ?) "
      "ON CONFLICT (session, extension) DO UPDATE SET events = excluded.events",
      {key.session.str(), key.name, to_words(events)});
}

base::Status ExtensionRecords::trust(const UserId& user, std::string_view directory) {
  return database_->write("INSERT INTO trusted VALUES (?, ?) ON CONFLICT DO NOTHING",
                          {user.str(), directory});
}

base::Status ExtensionRecords::distrust(const UserId& user, std::string_view directory) {
  return database_->write("DELETE FROM trusted WHERE user = ? AND directory = ?",
                          {user.str(), directory});
}

base::Result<std::vector<std::string>> ExtensionRecords::trusted(const UserId& user) {
  return database_->rows("SELECT directory FROM trusted WHERE user = ? ORDER BY directory",
                         {user.str()}, first_column);
}

}  // namespace session
