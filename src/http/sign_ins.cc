#include "http/sign_ins.h"

#include <algorithm>

#include "base/printable.h"
#include "base/utf8.h"
#include "session/random.h"
#include "session/token.h"

namespace http {

namespace {

constexpr std::size_t kLongestBrowser = 200;
constexpr std::size_t kNameDigits = 12;

}  // namespace

base::Result<NewSignIn> SignIns::begin(const User& user, const std::string& address,
                                       std::string_view browser, base::WallTime expires) const {
  const auto cookie = session::new_token();
  if (!cookie) return base::fail(cookie.error());
  const auto secret = session::new_token();
  if (!secret) return base::fail(secret.error());
  const auto hash = session::hash_token(*cookie);
  if (!hash) return base::fail(hash.error());
  const auto secret_hash = session::hash_token(*secret);
  if (!secret_hash) return base::fail(secret_hash.error());
  session::SignInRow row{.hash = *hash,
                         .secret = *secret_hash,
                         .user = user.id,
                         .user_name = user.name,
                         .access = user.scope.access,
                         .address = address,
                         .browser = base::printable(base::cut_utf8(browser, kLongestBrowser)),
                         .expires = std::min(expires, user.until.value_or(expires))};
  if (const auto* token = std::get_if<ByToken>(&user.credential)) row.token = token->hash;
  if (auto added = store_->sign_ins().add(row); !added) return base::fail(added.error());
  return NewSignIn{.cookie = *cookie, .secret = *secret, .expires = row.expires};
}

base::Result<std::optional<session::SignInRow>> SignIns::find(std::string_view cookie) const {
  if (cookie.empty()) return std::nullopt;
  const auto hash = session::hash_token(cookie);
  if (!hash) return base::fail(hash.error());
  auto row = store_->sign_ins().find(*hash);
  if (row) return *std::move(row);
  if (row.error().code == base::Code::not_found) return std::nullopt;
  return base::fail(row.error());
}

base::Result<std::string> SignIns::new_code(const User& user,
                                            std::chrono::milliseconds lifetime) const {
  auto code = session::new_token();
  if (!code) return base::fail(code.error());
  const auto hash = session::hash_token(*code);
  if (!hash) return base::fail(hash.error());
  session::CodeRow row{.hash = *hash,
                       .user = user.id,
                       .user_name = user.name,
                       .access = user.scope.access,
                       .expires = std::chrono::system_clock::now() + lifetime};
  if (const auto* token = std::get_if<ByToken>(&user.credential)) row.token = token->hash;
  if (auto added = store_->sign_ins().add_code(row); !added) return base::fail(added.error());
  return code;
}

base::Result<std::optional<User>> SignIns::take_code(std::string_view code) const {
  if (!session::is_token(code)) return std::nullopt;
  const auto hash = session::hash_token(code);
  if (!hash) return base::fail(hash.error());
  auto row = store_->sign_ins().take_code(*hash);
  if (row) {
    User user{.id = row->user, .name = row->user_name, .scope = {.access = row->access}};
    if (row->token) user.credential = ByToken{*row->token};
    return user;
  }
  if (row.error().code == base::Code::not_found) return std::nullopt;
  return base::fail(row.error());
}

bool is_secret_of(const session::SignInRow& sign_in, std::string_view secret) {
  const auto hash = session::hash_token(secret);
  return hash && *hash == sign_in.secret;
}

std::string name_of(const session::SignInRow& sign_in) {
  return session::to_hex(sign_in.hash).substr(0, kNameDigits);
}

}  // namespace http
