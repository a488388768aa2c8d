#include "session/sign_in_records.h"

#include <string>

#include "session/row_values.h"

namespace session {

namespace {

constexpr std::string_view kSelectSignIns =
    "SELECT sign_ins.hash, secret, user, users.name, token, access, address, browser, "
    "sign_ins.created, expires FROM sign_ins JOIN users ON users.id = sign_ins.user ";

}  // namespace

base::Status SignInRecords::add(const SignInRow& row) {
  return database_->transaction([&]() -> base::Status {
    if (auto pruned =
            database_->write("DELETE FROM sign_ins WHERE expires <= ?", {to_milliseconds(now_)});
        !pruned)
      return pruned;
    if (auto pruned =
            database_->write("DELETE FROM sign_ins WHERE hash IN (SELECT hash FROM sign_ins "
                             "WHERE user = ? ORDER BY created DESC LIMIT -1 OFFSET ?)",
                             {row.user.str(), kMostSignIns - 1});
        !pruned)
      return pruned;
    return database_->write(
        "INSERT INTO sign_ins (hash, secret, user, token, access, address, browser, created, "
        "expires) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        {Bytes(row.hash), Bytes(row.secret), row.user.str(),
         row.token ? Value(Bytes(*row.token)) : Value(), to_string(row.access), row.address,
         row.browser, to_milliseconds(now_), to_milliseconds(row.expires)});
  });
}

base::Result<SignInRow> SignInRecords::find(const TokenHash& hash) {
  return only(
      database_->rows(std::string(kSelectSignIns).append("WHERE sign_ins.hash = ? AND expires > ?"),
                      {Bytes(hash), to_milliseconds(now_)}, read_sign_in),
      "such sign-in");
}

base::Result<std::vector<SignInRow>> SignInRecords::list(const std::optional<UserId>& user) {
  constexpr std::string_view kOrder = "ORDER BY sign_ins.created DESC, sign_ins.hash";
  if (!user)
    return database_->rows(std::string(kSelectSignIns).append("WHERE expires > ? ").append(kOrder),
                           {to_milliseconds(now_)}, read_sign_in);
  return database_->rows(
      std::string(kSelectSignIns).append("WHERE user = ? AND expires > ? ").append(kOrder),
      {user->str(), to_milliseconds(now_)}, read_sign_in);
}

base::Status SignInRecords::remove(const TokenHash& hash) {
  return database_->write("DELETE FROM sign_ins WHERE hash = ?", {Bytes(hash)});
}

base::Status SignInRecords::add_code(const CodeRow& row) {
  return database_->transaction([&]() -> base::Status {
    if (auto pruned =
            database_->write("DELETE FROM codes WHERE expires <= ?", {to_milliseconds(now_)});
        !pruned)
      return pruned;
    if (auto pruned = database_->write("DELETE FROM codes WHERE hash IN (SELECT hash FROM codes "
                                       "WHERE user = ? ORDER BY expires DESC LIMIT -1 OFFSET ?)",
                                       {row.user.str(), kMostCodes - 1});
        !pruned)
      return pruned;
    return database_->write(
        "INSERT INTO codes (hash, user, access, expires, token) VALUES (?, ?, ?, ?, ?)",
        {Bytes(row.hash), row.user.str(), to_string(row.access), to_milliseconds(row.expires),
         row.token ? Value(Bytes(*row.token)) : Value()});
  });
}

base::Result<CodeRow> SignInRecords::take_code(const TokenHash& hash) {
  std::optional<CodeRow> taken;
  const auto done = database_->transaction([&]() -> base::Status {
    auto found = database_->rows(
        "SELECT codes.hash, user, users.name, access, expires, token FROM codes "
        "JOIN users ON users.id = codes.user WHERE codes.hash = ? AND expires > ?",
        {Bytes(hash), to_milliseconds(now_)}, read_code);
    if (!found) return base::fail(found.error());
    if (!found->empty()) taken = std::move(found->front());
    return database_->write("DELETE FROM codes WHERE hash = ?", {Bytes(hash)});
  });
  if (!done) return base::fail(done.error());
  if (!taken) return base::fail(base::Code::not_found, "there is no such code");
  return *std::move(taken);
}

}  // namespace session
