// Writes down when, and from where, tokens were used last: at most once a minute for each, so that
// requests do not wait for the store.

#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "http/user.h"
#include "session/store.h"

namespace http {

class TokenUses {
 public:
  static constexpr std::chrono::minutes kApart{1};

  TokenUses(session::Store& store, const base::Clock& clock) : store_(&store), clock_(&clock) {}

  // The user's credential was used from that address. Does nothing if it came of no token.
  void note(const User& user, const std::string& address) {
    const auto token = token_of(user);
    if (!token) return;
    const auto now = clock_->now();
    const auto [noted, is_first] = noted_.try_emplace(*token, now);
    if (!is_first && now - noted->second < kApart) return;
    noted->second = now;
    if (auto written = store_->tokens().note_use(*token, address); !written)
      base::log(base::Level::warning, "Cannot record the use of a token",
                {{"error", written.error()}});
  }

 private:
  [[nodiscard]] static std::optional<session::TokenHash> token_of(const User& user) {
    if (const auto* by = std::get_if<ByToken>(&user.credential)) return by->hash;
    if (const auto* by = std::get_if<BySignIn>(&user.credential)) return by->token;
    return std::nullopt;
  }

  session::Store* store_;
  const base::Clock* clock_;
  std::map<session::TokenHash, base::MonotonicTime> noted_;  // When each was last.
};

}  // namespace http
