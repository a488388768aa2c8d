#include "session/schema.h"

#include <array>
#include <string>

namespace session {
namespace {

// "HFST" in the file's header tells our database from another program's.
constexpr std::int64_t kApplicationId = 0x48465354;

// The migration at index n turns version n into version n + 1. Never change a released one.
constexpr std::array kMigrations{
    R"(
    CREATE TABLE users (
      id TEXT PRIMARY KEY NOT NULL,
      name TEXT NOT NULL UNIQUE,
      created INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE tokens (
      hash BLOB PRIMARY KEY NOT NULL,
      user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      label TEXT NOT NULL,
      created INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tokens_by_user ON tokens (user);
    CREATE TABLE sessions (
      id TEXT PRIMARY KEY NOT NULL,
      user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('interactive', 'background')),
      created INTEGER NOT NULL,
      UNIQUE (user, name)
    ) WITHOUT ROWID;
    CREATE TABLE terminals (
      id TEXT PRIMARY KEY NOT NULL,
      session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      name TEXT,
      position INTEGER NOT NULL,
      cwd TEXT NOT NULL,
      command TEXT NOT NULL,
      rows INTEGER NOT NULL,
      cols INTEGER NOT NULL,
      created INTEGER NOT NULL,
      last_activity INTEGER NOT NULL,
      exit INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX terminals_by_session ON terminals (session, position);
    CREATE TABLE log (
      id INTEGER PRIMARY KEY,
      time INTEGER NOT NULL,
      user TEXT NOT NULL,
      session TEXT NOT NULL,
      subject TEXT NOT NULL,
      event TEXT NOT NULL,
      detail TEXT NOT NULL
    );
    CREATE INDEX log_by_user ON log (user);
    CREATE INDEX log_by_session ON log (session);
    )",
    R"(
    ALTER TABLE sessions ADD COLUMN cwd TEXT NOT NULL DEFAULT '';
    ALTER TABLE sessions ADD COLUMN extensions TEXT NOT NULL DEFAULT 'never'
      CHECK (extensions IN ('never', 'open', 'closed'));
    CREATE TABLE extensions (
      session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      generation INTEGER NOT NULL,
      PRIMARY KEY (session, name)
    ) WITHOUT ROWID;
    CREATE TABLE resources (
      session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      extension TEXT NOT NULL,
      key TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('live', 'orphan', 'lost')),
      description TEXT NOT NULL,
      processes TEXT NOT NULL,
      created INTEGER NOT NULL,
      PRIMARY KEY (session, extension, key)
    ) WITHOUT ROWID;
    CREATE TABLE state (
      session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      extension TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (session, extension, key)
    ) WITHOUT ROWID;
    CREATE TABLE trusted (
      user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      directory TEXT NOT NULL,
      PRIMARY KEY (user, directory)
    ) WITHOUT ROWID;
    )",
    R"(
    ALTER TABLE sessions ADD COLUMN isolation TEXT NOT NULL DEFAULT ''
      CHECK (isolation IN ('', 'thread', 'process'));
    )",
    // Before this version the daemon printed its first token at every start.
    R"(
    DELETE FROM tokens WHERE label = 'first start';
    ALTER TABLE tokens ADD COLUMN access TEXT NOT NULL DEFAULT 'control'
      CHECK (access IN ('control', 'view'));
    CREATE TABLE sign_ins (
      hash BLOB PRIMARY KEY NOT NULL,
      secret BLOB NOT NULL,
      user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      token BLOB,
      access TEXT NOT NULL CHECK (access IN ('control', 'view')),
      address TEXT NOT NULL,
      browser TEXT NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX sign_ins_by_user ON sign_ins (user);
    CREATE TABLE codes (
      hash BLOB PRIMARY KEY NOT NULL,
      user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      access TEXT NOT NULL CHECK (access IN ('control', 'view')),
      expires INTEGER NOT NULL
    ) WITHOUT ROWID;
    )",
    R"(
    CREATE TABLE guards (
      session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      extension TEXT NOT NULL,
      events TEXT NOT NULL,
      PRIMARY KEY (session, extension)
    ) WITHOUT ROWID;
    )",
    R"(
    ALTER TABLE tokens ADD COLUMN bounds TEXT NOT NULL DEFAULT '';
    ALTER TABLE tokens ADD COLUMN expires INTEGER;
    ALTER TABLE tokens ADD COLUMN last_used INTEGER;
    ALTER TABLE tokens ADD COLUMN last_address TEXT NOT NULL DEFAULT '';
    ALTER TABLE codes ADD COLUMN token BLOB;
    )",
    R"(
    CREATE TABLE preferences (
      user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      session TEXT REFERENCES sessions (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      revision INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX preferences_by_name ON preferences (user, ifnull(session, ''), name);
    CREATE INDEX preferences_by_session ON preferences (session);
    )",
};

constexpr int kVersion = static_cast<int>(kMigrations.size());

base::Status check_is_ours(Database& database, std::int64_t version) {
  const auto application = database.number("PRAGMA application_id");
  if (!application) return base::fail(application.error());
  const auto tables = database.number("SELECT count(*) FROM sqlite_schema");
  if (!tables) return base::fail(tables.error());
  if (version == 0 ? *tables == 0 : *application == kApplicationId) return {};
  return base::fail(base::Code::unsupported, "the database does not belong to Holdfast",
                    "It was not changed. Move it away, or choose another state directory.");
}

base::Status check_version(std::int64_t version) {
  if (version >= 0 && version <= kVersion) return {};
  return base::fail(base::Code::unsupported,
                    "the database has schema version " + std::to_string(version) +
                        "; this Holdfast (" HOLDFAST_VERSION ") supports versions up to " +
                        std::to_string(kVersion),
                    "It was not changed. Run the newer Holdfast that wrote it, or choose another "
                    "state directory.");
}

base::Status apply(Database& database, int version) {
  if (auto applied = database.execute(kMigrations[version]); !applied) return applied;
  return database.execute("PRAGMA application_id = " + std::to_string(kApplicationId) +
                          "; PRAGMA user_version = " + std::to_string(version + 1));
}

base::Result<std::int64_t> checked_version(Database& database) {
  const auto version = database.number("PRAGMA user_version");
  if (!version) return base::fail(version.error());
  if (auto known = check_version(*version); !known) return base::fail(known.error());
  if (auto ours = check_is_ours(database, *version); !ours) return base::fail(ours.error());
  return *version;
}

}  // namespace

int schema_version() {
  return kVersion;
}

base::Status check_schema(Database& database) {
  const auto version = checked_version(database);
  if (!version) return base::fail(version.error());
  return {};
}

base::Status migrate(Database& database) {
  for (;;) {
    const auto seen = checked_version(database);
    if (!seen) return base::fail(seen.error());
    if (*seen == kVersion) return {};
    const auto applied = database.transaction([&]() -> base::Status {
      // Another process may have migrated it while this one waited for the lock.
      const auto version = checked_version(database);
      if (!version) return base::fail(version.error());
      if (*version == kVersion) return {};
      return apply(database, static_cast<int>(*version));
    });
    if (!applied) return applied;
  }
}

}  // namespace session
