// The schema of the store's database, and its migrations. docs/store.md explains the tables.

#pragma once

#include "session/sqlite.h"

namespace session {

// The version of the schema that this program reads and writes.
[[nodiscard]] int schema_version();

// Whether this program may write to the database. A newer version's or another program's database
// is `unsupported`. Only reads.
[[nodiscard]] base::Status check_schema(Database& database);

// Migrates the database to `schema_version`, one version per transaction. Foreign keys must not be
// enforced yet, so that a migration can rebuild a table.
[[nodiscard]] base::Status migrate(Database& database);

}  // namespace session
