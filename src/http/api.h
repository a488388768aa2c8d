// The HTTP API: the daemon's operations for programs, under /api/v1. The table of its operations is
// the source of the checks of their parameters and of the OpenAPI document.

#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/verb.hpp>
#include <boost/json/object.hpp>

#include "base/result.h"
#include "http/response.h"
#include "http/routes.h"
#include "http/socket.h"
#include "operation/operations.h"

namespace http {

inline constexpr std::string_view kProblem = "application/problem+json";

struct ApiParameter {
  enum class In { path, query, header, body };
  enum class Kind { text, number, flag, texts, pairs, object };

  std::string_view name;
  In in;
  Kind kind;
  bool is_required;
  std::string_view meaning;
  // A number's range. Of texts and pairs only `most` counts: their total length in bytes.
  std::int64_t least = 0;
  std::int64_t most = 1 << 20;
  std::vector<std::string_view> values{};  // Of a text: what it may be. Empty: anything.
};

// A request's parameters, checked against the table.
class ApiArguments {
 public:
  explicit ApiArguments(boost::json::object values) : values_(std::move(values)) {}

  [[nodiscard]] bool has(std::string_view name) const { return values_.contains(name); }
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] boost::json::object object(std::string_view name) const;  // Empty: none.
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> pairs(std::string_view name) const;

 private:
  boost::json::object values_;
};

// The arguments, if they are what these parameters ask for.
[[nodiscard]] base::Result<ApiArguments> checked(const std::vector<ApiParameter>& parameters,
                                                 boost::json::object values);
// The JSON Schema of an object with those of them that are in the body.
[[nodiscard]] boost::json::object schema_of(const std::vector<ApiParameter>& parameters);

struct ApiOperation {
  using Run = boost::asio::awaitable<base::Result<std::string>> (*)(operation::Operations&,
                                                                    operation::Caller,
                                                                    ApiArguments);
  std::string_view name;
  boost::beast::http::verb method;
  std::string_view path;  // Below /api/v1. A part in braces is a parameter.
  std::string_view summary;
  std::vector<ApiParameter> parameters;
  boost::beast::http::status success;
  std::string_view answer;  // The name of its schema.
  Run run;
  bool may_wait = false;  // The answer may take long; a client that leaves ends it.
  std::string_view type = kJson;

  [[nodiscard]] std::string_view name_of_method() const {
    const auto name = boost::beast::http::to_string(method);
    return {name.data(), name.size()};
  }
};

[[nodiscard]] const std::vector<ApiOperation>& api_operations();
// The API's OpenAPI document.
[[nodiscard]] const std::string& openapi();

struct ApiAnswer {
  boost::beast::http::status status;
  std::string_view type;
  std::string body;
};
[[nodiscard]] ApiAnswer problem(const base::Error& error);
[[nodiscard]] ApiAnswer problem(boost::beast::http::status status, std::string_view code,
                                std::string_view detail);

// Returns when the other side has closed the connection. If it sends more instead, that stays
// unread, and this never returns.
boost::asio::awaitable<void> until_closed(Socket& socket);

// A refusal that is not the API's own, in the API's form.
[[nodiscard]] Response as_problem(const Request& request, const Response& refusal);

// What a request asks for: an operation with its arguments.
struct ApiCall {
  const ApiOperation* operation;
  ApiArguments arguments;
};
struct ApiRequest {
  boost::beast::http::verb method;
  std::string_view target;
  std::string_view content_type;
  std::string_view body;
};
// The call, or why there is none.
[[nodiscard]] std::expected<ApiCall, ApiAnswer> parse_api(const ApiRequest& request);
boost::asio::awaitable<ApiAnswer> run_api(operation::Operations& operations, ApiCall call,
                                          operation::Caller caller);

}  // namespace http
