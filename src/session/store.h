// The store: what must outlive the machine, in one SQLite file. docs/store.md describes it.
//
// Every operation is durable against the end of this process when it returns, and changed nothing
// when it returns an error. Removing what is not there is no error.
//
// A running daemon asks from its only loop, so an operation waits for another process's lock for
// `busy_timeout` at most and then is `busy`.

#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "session/extension_records.h"
#include "session/rows.h"
#include "session/sign_in_records.h"
#include "session/sqlite.h"
#include "session/wal_mover.h"

namespace session {

// Only the daemon, which nobody else's use of the file may surprise, sets a damaged one aside.
enum class OnCorrupt { fail, set_aside };

struct StoreOptions {
  std::chrono::milliseconds busy_timeout{100};
  OnCorrupt on_corrupt = OnCorrupt::set_aside;
  std::int64_t log_limit = 20'000;     // Entries kept of each user, give or take a few hundred.
  const base::Clock* clock = nullptr;  // The system's, unless told.
};

class Store {
 public:
  // Makes the directory and the file if they are not there. A newer version's file is `unsupported`
  // and stays as it is.
  [[nodiscard]] static base::Result<Store> open(const std::filesystem::path& path,
                                                const StoreOptions& options = {});

  // Whether `open` would know the file's schema; changes nothing.
  [[nodiscard]] static base::Status check(const std::filesystem::path& path,
                                          std::chrono::milliseconds busy_timeout);

  // Where the damaged file went that this store replaced.
  [[nodiscard]] const std::optional<std::filesystem::path>& recovered_from() const {
    return recovered_from_;
  }

  // Whether another process has changed it since this was last asked.
  [[nodiscard]] base::Result<bool> was_changed_elsewhere();

  // Writes the file anew if somebody has removed it, or the log beside it: SQLite still has
  // everything that was in them. True if it did; `already_exists` if there is another file in its
  // place.
  [[nodiscard]] base::Result<bool> restore_file();

  // Everything that `work` writes, or, if it returns an error, nothing. May be nested.
  [[nodiscard]] base::Status transaction(const std::function<base::Status()>& work);

  [[nodiscard]] base::Result<UserRow> ensure_user(std::string_view name);
  [[nodiscard]] base::Result<UserRow> user(std::string_view name);
  [[nodiscard]] base::Result<std::vector<UserRow>> users();

  [[nodiscard]] base::Status add_token(const UserId& user, const TokenHash& hash,
                                       std::string_view label, Access access = Access::control);
  [[nodiscard]] base::Result<TokenRow> find_token(const TokenHash& hash);
  [[nodiscard]] base::Result<std::vector<TokenRow>> tokens();
  // With the sign-ins that were made with it.
  [[nodiscard]] base::Status remove_token(const TokenHash& hash);

  // The user's session of that name, made with that kind if there is none.
  [[nodiscard]] base::Result<SessionRow> ensure_session(const UserId& user, std::string_view name,
                                                        SessionKind kind = SessionKind::interactive,
                                                        std::string_view cwd = {},
                                                        std::optional<Isolation> isolation = {});
  [[nodiscard]] base::Result<std::vector<SessionRow>> sessions(const UserId& user);
  [[nodiscard]] base::Status rename_session(const SessionId& id, std::string_view name);
  // With its terminals' rows.
  [[nodiscard]] base::Status remove_session(const SessionId& id);

  // Inserts it, or replaces the one with its id.
  [[nodiscard]] base::Status save_terminal(const TerminalRow& row);
  [[nodiscard]] base::Status remove_terminal(const TerminalId& id);
  // By session and position.
  [[nodiscard]] base::Result<std::vector<TerminalRow>> terminals();
  // All of them, or none. Ids that are not there are passed over.
  [[nodiscard]] base::Status set_positions(std::span<const std::pair<TerminalId, int>> positions);

  [[nodiscard]] ExtensionRecords extensions() { return ExtensionRecords(database_); }
  [[nodiscard]] SignInRecords sign_ins() { return {database_, options_.clock->wall()}; }

  // Its id and time are the store's to give. A long detail is cut, so that a bound on entries is
  // one on bytes.
  [[nodiscard]] base::Status append_log(const LogEntry& entry);
  // Newest first.
  [[nodiscard]] base::Result<std::vector<LogEntry>> log(const LogQuery& query = {});

 private:
  // Which file it is, whatever its name.
  using FileId = std::pair<std::uint64_t, std::uint64_t>;
  [[nodiscard]] static std::optional<FileId> file_at(const std::filesystem::path& path);

  Store(std::filesystem::path path, Database database, const StoreOptions& options)
      : path_(std::move(path)),
        file_(file_at(path_)),
        options_(options),
        log_mover_(std::make_unique<WalMover>(path_)),
        database_(std::move(database)) {
    leave_log_to_mover();
  }
  void leave_log_to_mover() {
    database_.set_on_commit(
        [mover = log_mover_.get()](int pages) { return mover->committed(pages); });
  }
  [[nodiscard]] std::int64_t now() const;
  [[nodiscard]] base::Status write(std::string_view sql, std::initializer_list<Value> values);

  std::filesystem::path path_;
  std::optional<FileId> file_;
  std::optional<FileId> log_file_;  // Made when it is first needed.
  StoreOptions options_;
  std::unique_ptr<WalMover> log_mover_;
  Database database_;
  std::optional<std::filesystem::path> recovered_from_;
  std::int64_t data_version_ = 0;
};

}  // namespace session
