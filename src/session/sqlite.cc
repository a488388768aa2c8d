#include "session/sqlite.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace session {
namespace {

bool is_no_space(int system_error) {
  return system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG;
}

base::Code code_of_constraint(int extended) {
  switch (extended) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
      return base::Code::already_exists;
    case SQLITE_CONSTRAINT_FOREIGNKEY:
      return base::Code::not_found;
    default:
      return base::Code::invalid_argument;
  }
}

struct Meaning {
  base::Code code = base::Code::io;
  std::string why;
  std::string advice;
};

Meaning cannot_open(int system_error) {
  const std::string reason = system_error == 0 ? "" : std::generic_category().message(system_error);
  return {base::errno_error(system_error, "").code,
          "cannot open it" + (reason.empty() ? "" : ": " + reason),
          "Check that its directory exists, and that you own it and the files beside it."};
}

Meaning input_output(int system_error) {
  const std::string reason = system_error == 0 ? "" : std::generic_category().message(system_error);
  return {base::Code::io, "reading or writing failed" + (reason.empty() ? "" : ": " + reason),
          "Check the disk."};
}

// `text` is SQLite's own message, for errors that are not about the file.
Meaning meaning_of(int extended, int system_error, std::string text) {
  const int primary = extended & 0xff;
  if (primary == SQLITE_FULL || (primary == SQLITE_IOERR && is_no_space(system_error)))
    return {base::Code::io, "the disk is full", "Free some space. Saved data is not lost."};
  switch (primary) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {base::Code::busy, "it is locked by another process",
              "Try again. If that does not help, stop the other program that has it open."};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {base::Code::corrupt, "it is damaged or not a database (" + text + ")",
              std::string(kDamageAdvice)};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return {base::Code::permission_denied, "it is not writable",
              "Make the file and its directory writable."};
    case SQLITE_CANTOPEN:
      return cannot_open(system_error);
    case SQLITE_IOERR:
      return input_output(system_error);
    case SQLITE_CONSTRAINT:
      return {code_of_constraint(extended), std::move(text), ""};
    case SQLITE_TOOBIG:
      return {base::Code::too_large, std::move(text), ""};
    case SQLITE_NOMEM:
      return {base::Code::unavailable, "out of memory", ""};
    default:
      return {base::Code::io, std::move(text), ""};
  }
}

std::string name_of(sqlite3* handle) {
  const char* name = sqlite3_db_filename(handle, "main");
  return name == nullptr || *name == '\0' ? "the database" : std::string("the database ") + name;
}

base::Error error_of(sqlite3* handle, const std::string& name) {
  const int extended = sqlite3_extended_errcode(handle);
  int system_error = sqlite3_system_errno(handle);
  // SQLite forgets why it could not write a commit. errno, which was 0 before, may still know.
  if (system_error == 0 && is_no_space(errno)) system_error = errno;
  Meaning meaning = meaning_of(extended, system_error, sqlite3_errmsg(handle));
  // Report a full disk as ENOSPC even if SQLite was the one to notice.
  if ((extended & 0xff) == SQLITE_FULL) system_error = ENOSPC;
  return {.code = meaning.code,
          .what = name + ": " + meaning.why,
          .advice = std::move(meaning.advice),
          .sys_errno = system_error};
}

base::Error error_of(sqlite3* handle) {
  return error_of(handle, name_of(handle));
}

}  // namespace

StatementCache::~StatementCache() {
  for (const auto& [sql, handle] : idle_) sqlite3_finalize(handle);
}

sqlite3_stmt* StatementCache::take(std::string_view sql) {
  const auto found = idle_.find(sql);
  return found == idle_.end() ? nullptr : idle_.extract(found).mapped();
}

void StatementCache::put_back(sqlite3_stmt* handle) {
  // Unbounded, because the program only has so many different statements.
  sqlite3_reset(handle);
  sqlite3_clear_bindings(handle);
  if (!idle_.emplace(sqlite3_sql(handle), handle).second) sqlite3_finalize(handle);
}

base::Result<bool> Statement::step() {
  errno = 0;
  const int result = sqlite3_step(handle_.get());
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  return base::fail(error_of(sqlite3_db_handle(handle_.get())));
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

std::vector<std::uint8_t> Statement::blob(int column) const {
  const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(handle_.get(), column));
  if (data == nullptr) return {};
  return {data, data + sqlite3_column_bytes(handle_.get(), column)};
}

int Statement::bind(int parameter, const Value& value) {
  sqlite3_stmt* to = handle_.get();
  if (const auto* number = std::get_if<std::int64_t>(&value))
    return sqlite3_bind_int64(to, parameter, *number);
  // An empty view may have a null pointer, which SQLite would bind as NULL.
  if (const auto* text = std::get_if<std::string_view>(&value))
    return sqlite3_bind_text64(to, parameter, text->empty() ? "" : text->data(), text->size(),
                               SQLITE_TRANSIENT, SQLITE_UTF8);
  if (const auto* bytes = std::get_if<Bytes>(&value))
    return sqlite3_bind_blob64(to, parameter, bytes->data(), bytes->size(), SQLITE_TRANSIENT);
  return sqlite3_bind_null(to, parameter);
}

base::Result<Database> Database::open(const std::filesystem::path& path,
                                      std::chrono::milliseconds busy_timeout) {
  sqlite3* handle = nullptr;
  errno = 0;
  const int result =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(handle);
  if (handle == nullptr)
    return base::fail(base::Code::unavailable, "cannot open the database: out of memory");
  if (result != SQLITE_OK) return base::fail(error_of(handle, "the database " + path.native()));
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, static_cast<int>(busy_timeout.count()));
  // The file may be damaged or planted, so do not let its schema call functions.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return database;
}

base::Status Database::execute(const std::string& sql) {
  errno = 0;
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return base::fail(error_of(handle_.get()));
  return {};
}

base::Result<Statement> Database::prepare(std::string_view sql,
                                          std::initializer_list<Value> values) {
  sqlite3_stmt* handle = statements_->take(sql);
  errno = 0;
  if (handle == nullptr &&
      sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                         SQLITE_PREPARE_PERSISTENT, &handle, nullptr) != SQLITE_OK)
    return base::fail(error_of(handle_.get()));
  Statement statement(handle, statements_);
  int parameter = 0;
  for (const Value& value : values)
    if (statement.bind(++parameter, value) != SQLITE_OK) return base::fail(error_of(handle_.get()));
  return statement;
}

base::Result<std::int64_t> Database::run(std::string_view sql,
                                         std::initializer_list<Value> values) {
  auto statement = prepare(sql, values);
  if (!statement) return base::fail(statement.error());
  for (;;) {
    const auto more = statement->step();
    if (!more) return base::fail(more.error());
    if (!*more) return sqlite3_changes64(handle_.get());
  }
}

base::Status Database::write(std::string_view sql, std::initializer_list<Value> values) {
  const auto changed = run(sql, values);
  if (!changed) return base::fail(changed.error());
  return {};
}

base::Result<std::int64_t> Database::number(std::string_view sql,
                                            std::initializer_list<Value> values) {
  auto statement = prepare(sql, values);
  if (!statement) return base::fail(statement.error());
  const auto row = statement->step();
  if (!row) return base::fail(row.error());
  return *row ? statement->integer(0) : 0;
}

base::Status Database::transaction(const std::function<base::Status()>& work) {
  const bool nested = in_transaction();
  // IMMEDIATE waits for the lock here, so the transaction cannot fail halfway for lack of it.
  if (auto begun = run(nested ? "SAVEPOINT nested" : "BEGIN IMMEDIATE"); !begun)
    return base::fail(begun.error());
  // Roll back also when `work` throws: a transaction left open would swallow everything after it.
  // SQLite may have rolled back by itself; then there is nothing to undo.
  struct Undo {
    Database& database;
    bool nested;
    bool wanted = true;
    ~Undo() {
      if (!wanted || !database.in_transaction()) return;
      const auto undone =
          database.execute(nested ? "ROLLBACK TO nested; RELEASE nested" : "ROLLBACK");
      if (!undone)
        base::log(base::Level::error, "cannot roll back a transaction",
                  {{"error", undone.error()}});
    }
  } undo{.database = *this, .nested = nested};
  if (auto worked = work(); !worked) return worked;
  if (auto committed = run(nested ? "RELEASE nested" : "COMMIT"); !committed)
    return base::fail(committed.error());
  undo.wanted = false;
  return {};
}

std::int64_t Database::last_insert_id() const {
  return sqlite3_last_insert_rowid(handle_.get());
}

void Database::set_on_close(OnClose what) {
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, what == OnClose::leave ? 1 : 0,
                    nullptr);
}

void Database::set_on_commit(std::function<bool(int pages)> asked) {
  on_commit_ = std::make_unique<std::function<bool(int)>>(std::move(asked));
  const auto call = [](void* asked, sqlite3* handle, const char* name, int pages) {
    // What cannot be moved now stays in the log, where it is just as safe.
    if ((*static_cast<std::function<bool(int)>*>(asked))(pages))
      sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    return SQLITE_OK;
  };
  sqlite3_wal_hook(handle_.get(), call, on_commit_.get());
}

void Database::keep_log_file() {
  int keep = 1;
  sqlite3_file_control(handle_.get(), nullptr, SQLITE_FCNTL_PERSIST_WAL, &keep);
}

bool Database::in_transaction() const {
  return sqlite3_get_autocommit(handle_.get()) == 0;
}

}  // namespace session
