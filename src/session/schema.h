// What the store's database looks like, and how an older one becomes a new one. docs/store.md says
// what the tables mean.

#pragma once

#include "session/sqlite.h"

namespace session {

// The version of the schema that this program reads and writes.
[[nodiscard]] int schema_version();

// Whether this program may write to the database: a newer one, or one of another program, is
// `unsupported`. Only reads.
[[nodiscard]] base::Status check_schema(Database& database);

// Brings the database to that version, one version per transaction. Foreign keys must not be
// enforced yet, so that a migration can rebuild a table.
[[nodiscard]] base::Status migrate(Database& database);

}  // namespace session
