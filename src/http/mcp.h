// The Model Context Protocol: the daemon's operations as tools for language models (docs/mcp.md).
//
// Requests of the revision 2026-07-28 stand for themselves. Clients of earlier revisions begin with
// `initialize`; they get no session, because nothing has to be remembered for them either.

#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "http/api.h"
#include "operation/operations.h"

namespace http::mcp {

// --- tools ---

// What a model reads.
struct ToolResult {
  std::string text;
  bool is_error = false;
};

struct Tool {
  using Run = boost::asio::awaitable<base::Result<std::string>> (*)(operation::Operations&,
                                                                    operation::Caller,
                                                                    ApiArguments);
  std::string_view name;
  std::string_view description;
  std::vector<ApiParameter> parameters;
  bool only_reads;
  Run run;
};

// The daemon's own tools, in the order in which they are listed.
[[nodiscard]] const std::vector<Tool>& tools();
// Calls one of them.
boost::asio::awaitable<ToolResult> call_tool(const Tool& tool, operation::Operations& operations,
                                             operation::Caller caller,
                                             boost::json::object arguments);

// --- messages ---

inline constexpr std::string_view kRevision = "2026-07-28";

// The headers in which a client repeats parts of the body. Missing ones are empty.
struct Headers {
  std::string_view version;
  std::string_view method;
  std::string_view name;
};

struct Message {
  boost::json::value id;  // Null: a notification.
  std::string method;
  boost::json::object params;
  bool is_modern = false;  // Of the revision 2026-07-28.
};

// The message, or the answer to one that cannot be handled.
[[nodiscard]] std::expected<Message, ApiAnswer> parse(std::string_view body,
                                                      const Headers& headers);

struct Asker {
  operation::Caller caller;
  std::string session;  // The tools of its extensions are offered, too.
};
boost::asio::awaitable<ApiAnswer> answer(operation::Operations& operations, Asker asker,
                                         Message message);

}  // namespace http::mcp
