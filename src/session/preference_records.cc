#include "session/preference_records.h"

#include <algorithm>

#include "session/row_values.h"

namespace session {

namespace {

std::string_view id_or_none(const std::optional<SessionId>& session) {
  return session ? std::string_view(session->str()) : std::string_view();
}

Value nullable(const std::optional<SessionId>& session) {
  return session ? Value(session->str()) : Value();
}

}  // namespace

base::Result<std::vector<PreferenceRow>> PreferenceRecords::list(const PreferenceOwner& owner) {
  return database_->rows(
      "SELECT user, session, name, value, revision FROM preferences "
      "WHERE user = ? AND ifnull(session, '') = ? AND json_valid(value) ORDER BY name",
      {owner.user.str(), id_or_none(owner.session)}, read_preference);
}

base::Result<PreferenceRow> PreferenceRecords::set(const PreferenceOwner& owner,
                                                   std::string_view name,
                                                   std::optional<std::string_view> value,
                                                   std::optional<std::int64_t> expected) {
  PreferenceRow row{.user = owner.user, .session = owner.session, .name = std::string(name)};
  const auto done = database_->transaction([&]() -> base::Status {
    const auto kept = database_->number(
        "SELECT revision FROM preferences "
        "WHERE user = ? AND ifnull(session, '') = ? AND name = ?",
        {owner.user.str(), id_or_none(owner.session), name});
    if (!kept) return base::fail(kept.error());
    if (expected && *expected != *kept)
      return base::fail(base::Code::mismatch, "preference " + row.name + " was changed meanwhile",
                        "Read it, and merge.");
    if (!value)
      return database_->write(
          "DELETE FROM preferences WHERE user = ? AND ifnull(session, '') = ? AND name = ?",
          {owner.user.str(), id_or_none(owner.session), name});
    row.value = *value;
    // The time, so that no revision comes back after a removal.
    row.revision = std::max(*kept + 1, to_milliseconds(now_));
    const auto written = database_->write(
        "INSERT INTO preferences (user, session, name, value, revision) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (user, ifnull(session, ''), name) "
        "DO UPDATE SET value = excluded.value, revision = excluded.revision",
        {owner.user.str(), nullable(owner.session), name, *value, row.revision});
    return written ? check_limits(owner) : written;
  });
  if (!done) return base::fail(done.error());
  return row;
}

base::Status PreferenceRecords::check_limits(const PreferenceOwner& owner) {
  const auto sum = [&](std::string_view what) {
    return database_->number("SELECT " + std::string(what) +
                                 " FROM preferences WHERE user = ? AND ifnull(session, '') = ?",
                             {owner.user.str(), id_or_none(owner.session)});
  };
  const auto count = sum("count(*)");
  if (!count) return base::fail(count.error());
  const auto bytes = sum("sum(length(CAST(value AS BLOB)))");
  if (!bytes) return base::fail(bytes.error());
  if (*count <= kMost && *bytes <= kMostBytes) return {};
  return base::fail(base::Code::too_large,
                    "too many preferences: the limits are " + std::to_string(kMost) + " and " +
                        std::to_string(kMostBytes) + " bytes",
                    "Remove one first.");
}

}  // namespace session
