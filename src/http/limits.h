// Limits on what one client may use, and how often they were hit. The values are settings
// (docs/operations.md). docs/protocol.md has what clients get as an answer.

#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "http/sign_in_failures.h"
#include "http/token_bucket.h"

namespace http {

struct Limits {
  std::uint64_t message_size = 1024 * 1024;
  std::int64_t message_rate = 1000;  // Per second, on one connection.
  std::int64_t message_burst = 5000;
  std::int64_t request_rate = 1000;  // Per second and address; the burst is 5 times that.
  std::int64_t user_connections = 256;
  std::int64_t address_connections = 1024;
  std::int64_t waiting_connections = 512;  // Not WebSockets; all addresses together.
  std::int64_t failed_sign_ins = 10;       // Per minute and address.
  std::chrono::milliseconds handshake_time{10'000};
  std::int64_t viewers = 1024;           // Per connection.
  std::uint64_t send = 8 * 1024 * 1024;  // Queued bytes per connection.
};

enum class Limit {
  message_size,
  message_rate,
  user_connection,
  address_connection,
  user_terminal,
  failed_sign_in,
  handshake_time,
  viewer,
  send,
  input,
  request_rate,
  waiting_connection,
};

// The labels in /metrics, in the order of the enum: the setting's key without `_limit`.
inline constexpr std::array<std::string_view, 12> kLimitNames{
    "message_size",  "message_rate",   "user_connection", "address_connection",
    "user_terminal", "failed_sign_in", "handshake_time",  "viewer",
    "send",          "input",          "request_rate",    "waiting_connection"};

// Counts places per user or address, its key.
class Places {
 public:
  // Taken until it is destroyed. Must not outlive the Places.
  class Place {
   public:
    Place(Places& places, std::string key) : places_(&places), key_(std::move(key)) {}
    Place(Place&& other) noexcept
        : places_(std::exchange(other.places_, nullptr)), key_(std::move(other.key_)) {}
    Place& operator=(Place&& other) noexcept {
      std::swap(places_, other.places_);
      key_.swap(other.key_);
      return *this;
    }
    ~Place() {
      if (places_ != nullptr) places_->give_back(key_);
    }

   private:
    Places* places_;
    std::string key_;
  };

  // None if `most` places are taken already.
  [[nodiscard]] std::optional<Place> take(const std::string& key, std::int64_t most);

 private:
  void give_back(const std::string& key);

  std::map<std::string, std::int64_t> taken_;
};

// Request rates per user or address. Only `kMost` are remembered; with more, a frequent one may
// start over.
class Rates {
 public:
  static constexpr std::size_t kMost = 10'000;

  // False if this is more than the rate allows.
  [[nodiscard]] bool take(const std::string& key, base::MonotonicTime now, double rate,
                          double burst);
  [[nodiscard]] std::size_t size() const { return buckets_.size(); }

 private:
  std::map<std::string, TokenBucket> buckets_;
};

// The current limits, and what is counted against them.
struct Limiter {
  Limits limits;
  Places by_user;
  Places by_address;
  SignInFailures failures;
  Rates requests;

  // A client hit this limit.
  void met(Limit limit) { ++counts_.at(static_cast<std::size_t>(limit)); }
  [[nodiscard]] const std::array<std::uint64_t, kLimitNames.size()>& counts() const {
    return counts_;
  }

 private:
  std::array<std::uint64_t, kLimitNames.size()> counts_{};
};

}  // namespace http
