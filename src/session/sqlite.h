// A safe wrapper around SQLite: connections and statements clean up after themselves, bound values
// are copied, and failures are a base::Error with advice. Use a connection from one thread only.

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
    "Restart the daemon: it sets a damaged file aside and starts a new one. If that does not help, "
    "stop the daemon and move the file away yourself.";

// Prepared statements, kept for reuse: parsing the SQL takes longer than running most of them.
class StatementCache {
 public:
  StatementCache() = default;
  StatementCache(const StatementCache&) = delete;
  StatementCache& operator=(const StatementCache&) = delete;
  ~StatementCache();

  // Null if there is no idle one.
  [[nodiscard]] sqlite3_stmt* take(std::string_view sql);
  void put_back(sqlite3_stmt* handle);

 private:
  std::map<std::string, sqlite3_stmt*, std::less<>> idle_;
};

class Statement {
 public:
  // Moves to the next row. False if there is none.
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
  // Opens an existing file. Operations wait up to `busy_timeout` for another connection's lock.
  [[nodiscard]] static base::Result<Database> open(const std::filesystem::path& path,
                                                   std::chrono::milliseconds busy_timeout);

  // Runs statements without values or results.
  [[nodiscard]] base::Status execute(const std::string& sql);
  // Prepares one statement and binds its values.
  [[nodiscard]] base::Result<Statement> prepare(std::string_view sql,
                                                std::initializer_list<Value> values = {});
  // Runs one statement to its end and returns the number of rows it changed.
  base::Result<std::int64_t> run(std::string_view sql, std::initializer_list<Value> values = {});
  // The same, for those who do not ask how many.
  [[nodiscard]] base::Status write(std::string_view sql, std::initializer_list<Value> values);
  // The first column of the first row, or 0 if there is no row.
  [[nodiscard]] base::Result<std::int64_t> number(std::string_view sql,
                                                  std::initializer_list<Value> values = {});
  // All rows, each converted by `read`.
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

  // Commits everything that `work` writes, or nothing if it or the commit fails. `work` must return
  // at the first error, because SQLite may have rolled back by then. May be nested.
  [[nodiscard]] base::Status transaction(const std::function<base::Status()>& work);

  [[nodiscard]] std::int64_t last_insert_id() const;
  // Whether closing the last connection moves the write-ahead log into the file.
  enum class OnClose { checkpoint, leave };
  void set_on_close(OnClose what);
  // `asked` is called after each commit with the number of pages in the write-ahead log. It returns
  // whether to move the log into the file now.
  void set_on_commit(std::function<bool(int pages)> asked);
  // Keeps the log's file when the database is closed: the disk may be full when it is opened again.
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

// The first row, or `not_found`.
template <class Row>
base::Result<Row> only(base::Result<std::vector<Row>> rows, std::string_view what) {
  if (!rows) return base::fail(rows.error());
  if (rows->empty()) return base::fail(base::Code::not_found, "there is no " + std::string(what));
  return std::move(rows->front());
}

}  // namespace session
