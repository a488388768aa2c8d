// What a runner may ask of the daemon, on behalf of an extension: one table of method names and
// handlers (docs/extensions.md).

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/result.h"
#include "extension/events.h"
#include "extension/processes.h"
#include "extension/session_extensions.h"
#include "session/sessions.h"

namespace extension {

// The calling code, of one generation.
struct Caller {
  SessionExtensionsPtr extensions;
  session::ExtensionKey key;
};

// What handlers work with.
struct MethodParts {
  session::Store& store;
  session::Sessions& sessions;
  Processes& processes;
  Events& events;
  const std::vector<std::string>& environment;  // Of processes.
};

using MethodAnswer = base::Result<boost::json::value>;

struct Method {
  std::string_view name;
  boost::asio::awaitable<MethodAnswer> (*handle)(MethodParts parts, Caller caller,
                                                 boost::json::object params);
};

// All of them.
[[nodiscard]] const std::vector<Method>& methods();

// By what they are about, each in a file of its own.
[[nodiscard]] std::vector<Method> ui_methods();
[[nodiscard]] std::vector<Method> state_methods();
[[nodiscard]] std::vector<Method> terminal_methods();
[[nodiscard]] std::vector<Method> process_methods();
[[nodiscard]] std::vector<Method> agent_methods();

}  // namespace extension
