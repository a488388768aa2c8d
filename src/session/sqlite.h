// SQLite without its pitfalls: a connection and a statement that clean up after themselves, values
// that are copied when they are bound, and results that are a base::Error with advice. A connection
// is used from one thread.

#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace session {

using Bytes = std::span<const std::uint8_t>;
using Value = std::variant<std::monostate, std::int64_t, std::string_view, Bytes>;

inline constexpr std::string_view kDamageAdvice =
    "Restart the daemon: it sets a damaged file aside and begins a new one. If this stays, stop it "
    "and move the file away.";

// Statements that were run before and are kept, ready to be run again: parsing the SQL takes longer
// than most of them.
class StatementCache {
 public:
  StatementCache() = default;
  StatementCache(const StatementCache&) = delete;
  StatementCache& operator=(const StatementCache&) = delete;
  ~StatementCache();

  // None if there is none that nobody uses.
  [[nodiscard]] sqlite3_stmt* take(std::string_view sql);
  void put_back(sqlite3_stmt* handle);

 private:
  std::map<std::string, sqlite3_stmt*, std::less<>> idle_;
};

class Statement {
 public:
  // To the next row: true if there is one.
  [[nodiscard]] base::Result<bool> step();

  // Columns of the current row, counted from 0. A NULL reads as empty or 0.
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::vector<std::uint8_t> blob(int column) const;

 private:
  friend class Database;
  struct PutBack {
    std::shared_ptr<StatementCache> cache;
    void operator()(sqlite3_stmt* handle) const { cache->put_back(handle); }
  };

  Statement(sqlite3_stmt* handle, std::shared_ptr<StatementCache> cache)
      : handle_(handle, {std::move(cache)}) {}
  [[nodiscard]] int bind(int parameter, const Value& value);

  std::unique_ptr<sqlite3_stmt, PutBack> handle_;
};

class Database {
 public:
  // Opens a file that is there. A lock that another connection holds is waited for, up to
  // `busy_timeout`.
  [[nodiscard]] static base::Result<Database> open(const std::filesystem::path& path,
                                                   std::chrono::milliseconds busy_timeout);

  // Runs statements that give no rows and take no values.
  [[nodiscard]] base::Status execute(const std::string& sql);
  // Prepares one statement, with values for its question marks.
  [[nodiscard]] base::Result<Statement> prepare(std::string_view sql,
                                                std::initializer_list<Value> values = {});
  // Runs one statement to its end; the number of rows it changed.
  base::Result<std::int64_t> run(std::string_view sql, std::initializer_list<Value> values = {});
  // The first column of the first row, or 0 if there is no row.
  [[nodiscard]] base::Result<std::int64_t> number(std::string_view sql,
                                                  std::initializer_list<Value> values = {});
  // Every row, as `read` makes it of the statement.
  template <class Read>
  [[nodiscard]] auto rows(std::string_view sql, std::initializer_list<Value> values, Read read)
      -> base::Result<std::vector<std::invoke_result_t<Read, const Statement&>>> {
    auto statement = prepare(sql, values);
    if (!statement) return base::fail(statement.error());
    std::vector<std::invoke_result_t<Read, const Statement&>> rows;
    for (;;) {
      const auto more = statement->step();
      if (!more) return base::fail(more.error());
      if (!*more) return rows;
      rows.push_back(read(*statement));
    }
  }

  // Everything that `work` writes, or, if it or the commit fails, nothing of it. `work` returns the
  // first error it meets, for SQLite may have undone everything then. May be nested.
  [[nodiscard]] base::Status transaction(const std::function<base::Status()>& work);

  [[nodiscard]] std::int64_t last_insert_id() const;
  // Whether the last connection to close moves the write-ahead log into the file.
  enum class OnClose { checkpoint, leave };
  void set_on_close(OnClose what);
  // Asked after each commit, with the number of pages that the write-ahead log has, whether to move
  // it into the file now.
  void set_on_commit(std::function<bool(int pages)> asked);
  // The log's file stays when the database is closed: there may be no room for a new one when it is
  // opened again.
  void keep_log_file();

 private:
  explicit Database(sqlite3* handle) : handle_(handle) {}
  [[nodiscard]] bool in_transaction() const;

  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::unique_ptr<std::function<bool(int)>> on_commit_;
  std::unique_ptr<sqlite3, Close> handle_;
  std::shared_ptr<StatementCache> statements_ = std::make_shared<StatementCache>();
};

}  // namespace session
