// Parameters that several operations of the API have.

#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "http/api.h"
#include "wire/limits.h"

namespace http::api {

using In = ApiParameter::In;
using Kind = ApiParameter::Kind;

inline constexpr std::int64_t kLongestTarget = 256;
inline constexpr std::int64_t kMostHistory = 1'000'000;
inline constexpr std::int64_t kLargestOffset =
    (std::int64_t{1} << 53) - 1;  // What JavaScript can count.
inline constexpr std::int64_t kLongestLease = 64;
inline constexpr std::int64_t kLongestLeaseTime = 3600;
inline constexpr std::int64_t kLongestWait =
    std::chrono::milliseconds(operation::kLongestWait).count();

[[nodiscard]] inline ApiParameter in_path(std::string_view name, std::string_view meaning) {
  return {.name = name,
          .in = In::path,
          .kind = Kind::text,
          .is_required = true,
          .meaning = meaning,
          .least = 1,
          .most = kLongestTarget};
}

[[nodiscard]] inline ApiParameter target() {
  return in_path("terminal",
                 "The terminal: its id, SESSION:NAME, its name, or the start of its id, where "
                 "those are unique.");
}

[[nodiscard]] inline ApiParameter session_in(In in, std::string_view meaning) {
  return {.name = "session",
          .in = in,
          .kind = Kind::text,
          .is_required = false,
          .meaning = meaning,
          .most = kLongestTarget};
}

[[nodiscard]] inline ApiParameter side_of(std::string_view name, bool is_required,
                                          std::string_view meaning) {
  return {.name = name,
          .in = In::body,
          .kind = Kind::number,
          .is_required = is_required,
          .meaning = meaning,
          .least = 1,
          .most = wire::kMaxRows};
}

[[nodiscard]] inline ApiParameter name_for(bool is_required, std::string_view meaning) {
  return {.name = "name",
          .in = In::body,
          .kind = Kind::text,
          .is_required = is_required,
          .meaning = meaning,
          .most = 4 * wire::kMaxNameCharacters};
}

[[nodiscard]] inline ApiParameter in_body(std::string_view name, Kind kind,
                                          std::string_view meaning, std::int64_t most = 1 << 20) {
  return {.name = name,
          .in = In::body,
          .kind = kind,
          .is_required = false,
          .meaning = meaning,
          .most = most};
}

[[nodiscard]] inline ApiParameter in_query(std::string_view name, Kind kind,
                                           std::string_view meaning, std::int64_t most = 0) {
  return {.name = name,
          .in = In::query,
          .kind = kind,
          .is_required = false,
          .meaning = meaning,
          .most = most};
}

[[nodiscard]] inline ApiParameter held_lease() {
  return in_body("lease", Kind::text, "The lease that you hold, if you hold one.", kLongestLease);
}

[[nodiscard]] inline ApiParameter if_idle() {
  return in_body("ifIdle", Kind::number,
                 "Refuse if a person typed there within that many milliseconds.", kLongestWait);
}

[[nodiscard]] inline ApiParameter required(ApiParameter parameter) {
  parameter.is_required = true;
  return parameter;
}

}  // namespace http::api
