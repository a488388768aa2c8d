// The daemon's events, as they come (docs/events.md).

#pragma once

#include <functional>
#include <string>

#include <boost/json/object.hpp>

#include "base/result.h"

namespace cli {

struct Event {
  std::string id;
  std::string type;
  boost::json::object data;
};

// Whether to read on after this one.
enum class Next { go_on, stop };

// Reads events until `told` says stop, or the stream ends. Starts a daemon if none runs. `query` is
// that of GET /api/v1/events.
[[nodiscard]] base::Status read_events(const std::string& query,
                                       const std::function<Next(const Event&)>& told);
// The same, but goes on after the last event when the daemon was away, as after `kill -9`.
[[nodiscard]] base::Status follow_events(const std::string& query,
                                         const std::function<Next(const Event&)>& told);

}  // namespace cli
