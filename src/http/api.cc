#include "http/api.h"

#include <algorithm>
#include <charconv>

#include <boost/json.hpp>

#include "base/percent.h"
#include "base/printable.h"
#include "http/gate.h"
#include "http/text.h"
#include "wire/bounded_json.h"

namespace http {

namespace json = boost::json;
using boost::beast::http::status;
using boost::beast::http::verb;
using In = ApiParameter::In;
using Kind = ApiParameter::Kind;

namespace {

base::Error invalid(std::string what) {
  return {.code = base::Code::invalid_argument, .what = std::move(what), .advice = ""};
}

// --- the path ---

// The parameters in the path; none if the path is another one.
std::optional<json::object> match(std::string_view pattern, std::string_view path) {
  json::object found;
  if (path.ends_with('/')) return std::nullopt;
  while (!pattern.empty() || !path.empty()) {
    const std::string_view wanted = take_until(pattern, '/');
    const std::string_view part = take_until(path, '/');
    if (wanted.starts_with('{') && !part.empty())
      found[wanted.substr(1, wanted.size() - 2)] = base::decode_percents(part);
    else if (wanted != part)
      return std::nullopt;
  }
  return found;
}

// --- values ---

// In the path and the query everything is text.
json::value from_text(const ApiParameter& parameter, std::string text) {
  if (parameter.kind == Kind::number) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return number;
  }
  if (parameter.kind == Kind::flag && (text == "true" || text == "false")) return text == "true";
  return json::value(std::move(text));
}

bool is_text(const json::value& value) {
  return value.is_string();
}

std::size_t size_of(const json::value& value) {
  if (value.is_string()) return value.get_string().size();
  std::size_t size = 0;
  if (value.is_array())
    for (const json::value& each : value.get_array()) size += each.get_string().size() + 1;
  if (value.is_object())
    for (const auto& [key, each] : value.get_object())
      size += key.size() + each.get_string().size() + 2;
  return size;
}

bool has_kind(const json::value& value, Kind kind) {
  switch (kind) {
    case Kind::text:
      return value.is_string();
    case Kind::number:
      return value.is_int64();
    case Kind::flag:
      return value.is_bool();
    case Kind::texts:
      return value.is_array() && std::ranges::all_of(value.get_array(), is_text);
    case Kind::pairs:
      return value.is_object() && std::ranges::all_of(value.get_object(), [](const auto& pair) {
               return is_text(pair.value());
             });
    case Kind::object:
      return value.is_object();
  }
  return false;
}

std::string_view in_words(Kind kind) {
  switch (kind) {
    case Kind::text:
      return "a string";
    case Kind::number:
      return "an integer";
    case Kind::flag:
      return "true or false";
    case Kind::texts:
      return "an array of strings";
    case Kind::pairs:
      return "an object of strings";
    case Kind::object:
      return "an object";
  }
  return "";
}

base::Status check(const ApiParameter& parameter, const json::value& value) {
  const std::string name(parameter.name);
  if (!has_kind(value, parameter.kind))
    return base::fail(invalid("\"" + name + "\" must be " + std::string(in_words(parameter.kind))));
  if (parameter.kind == Kind::flag || parameter.kind == Kind::object) return {};
  if (parameter.kind == Kind::number) {
    const std::int64_t number = value.get_int64();
    if (number >= parameter.least && number <= parameter.most) return {};
    return base::fail(invalid("\"" + name + "\" must be from " + std::to_string(parameter.least) +
                              " to " + std::to_string(parameter.most)));
  }
  if (size_of(value) > static_cast<std::size_t>(parameter.most))
    return base::fail(
        invalid("\"" + name + "\" is longer than " + std::to_string(parameter.most) + " bytes"));
  if (parameter.values.empty()) return {};
  if (std::ranges::find(parameter.values, std::string_view(value.get_string())) !=
      parameter.values.end())
    return {};
  std::string all;
  for (const std::string_view each : parameter.values) (all += all.empty() ? "" : ", ") += each;
  return base::fail(invalid("\"" + name + "\" must be one of: " + all));
}

using Parameters = std::vector<ApiParameter>;

const ApiParameter* find(const Parameters& parameters, std::string_view name, In in) {
  const auto found = std::ranges::find_if(
      parameters, [&](const ApiParameter& each) { return each.name == name && each.in == in; });
  return found == parameters.end() ? nullptr : &*found;
}

base::Status take_query(const Parameters& parameters, std::string_view target,
                        json::object& values) {
  std::string_view query = target;
  (void)take_until(query, '?');
  while (!query.empty()) {
    std::string_view value = take_until(query, '&');
    const std::string name = base::decode_percents(take_until(value, '='));
    const ApiParameter* const parameter = find(parameters, name, In::query);
    if (parameter == nullptr) return base::fail(invalid("there is no parameter \"" + name + "\""));
    if (values.contains(name)) return base::fail(invalid("\"" + name + "\" is given twice"));
    values[name] = from_text(*parameter, base::decode_percents(value));
  }
  return {};
}

base::Status take(const Parameters& parameters, json::object& given, json::object& values) {
  for (auto& [name, value] : given) {
    if (find(parameters, name, In::body) == nullptr)
      return base::fail(invalid("there is no field \"" + std::string(name) + "\""));
    values[name] = std::move(value);
  }
  return {};
}

base::Status take_body(const Parameters& parameters, std::string_view body, json::object& values) {
  auto parsed = wire::parse_json(body);
  if (!parsed) return base::fail(invalid("the body is not JSON: " + parsed.error()));
  if (!parsed->is_object()) return base::fail(invalid("the body must be a JSON object"));
  return take(parameters, parsed->get_object(), values);
}

base::Status check_all(const Parameters& parameters, const json::object& values) {
  for (const ApiParameter& parameter : parameters) {
    const json::value* const value = values.if_contains(parameter.name);
    if (value == nullptr && !parameter.is_required) continue;
    if (value == nullptr)
      return base::fail(invalid("\"" + std::string(parameter.name) + "\" is missing"));
    if (auto good = check(parameter, *value); !good) return good;
  }
  return {};
}

status status_of(base::Code code) {
  switch (code) {
    case base::Code::invalid_argument:
      return status::bad_request;
    case base::Code::not_found:
      return status::not_found;
    case base::Code::permission_denied:
      return status::forbidden;
    case base::Code::already_exists:
    case base::Code::busy:
    case base::Code::unsupported:
    case base::Code::cancelled:
      return status::conflict;
    case base::Code::mismatch:
      return status::unprocessable_entity;
    case base::Code::too_large:
      return status::too_many_requests;
    case base::Code::unavailable:
      return status::service_unavailable;
    case base::Code::timed_out:
      return status::gateway_timeout;
    case base::Code::corrupt:
    case base::Code::io:
      break;
  }
  return status::internal_server_error;
}

}  // namespace

std::optional<std::string> ApiArguments::text(std::string_view name) const {
  const json::value* const value = values_.if_contains(name);
  return value == nullptr ? std::nullopt : std::optional(std::string(value->get_string()));
}

std::optional<std::int64_t> ApiArguments::number(std::string_view name) const {
  const json::value* const value = values_.if_contains(name);
  return value == nullptr ? std::nullopt : std::optional(value->get_int64());
}

bool ApiArguments::flag(std::string_view name) const {
  const json::value* const value = values_.if_contains(name);
  return value != nullptr && value->get_bool();
}

json::object ApiArguments::object(std::string_view name) const {
  const json::value* const value = values_.if_contains(name);
  return value == nullptr ? json::object() : value->get_object();
}

std::vector<std::string> ApiArguments::texts(std::string_view name) const {
  std::vector<std::string> all;
  if (const json::value* const value = values_.if_contains(name))
    for (const json::value& each : value->get_array()) all.emplace_back(each.get_string());
  return all;
}

std::vector<std::pair<std::string, std::string>> ApiArguments::pairs(std::string_view name) const {
  std::vector<std::pair<std::string, std::string>> all;
  if (const json::value* const value = values_.if_contains(name))
    for (const auto& [key, each] : value->get_object())
      all.emplace_back(std::string(key), std::string(each.get_string()));
  return all;
}

base::Result<ApiArguments> checked(const Parameters& parameters, json::object given) {
  json::object values;
  if (auto taken = take(parameters, given, values); !taken) return base::fail(taken.error());
  if (auto good = check_all(parameters, values); !good) return base::fail(good.error());
  return ApiArguments(std::move(values));
}

ApiAnswer problem(status code, std::string_view name, std::string_view detail) {
  const json::object body{{"title", json::string_view(boost::beast::http::obsolete_reason(code))},
                          {"status", static_cast<unsigned>(code)},
                          // It may quote what the client sent.
                          {"detail", base::printable(detail, base::Lines::many)},
                          {"code", json::string_view(name)}};
  return {.status = code, .type = kProblem, .body = json::serialize(body)};
}

ApiAnswer problem(const base::Error& error) {
  std::string name(base::to_string(error.code));
  std::ranges::replace(name, ' ', '_');
  return problem(status_of(error.code), name, error.message());
}

std::expected<ApiCall, ApiAnswer> parse_api(const ApiRequest& request) {
  const std::string_view path = path_of(request.target).substr(kApiPath.size() - 1);
  const verb method = request.method == verb::head ? verb::get : request.method;
  std::string methods;
  for (const ApiOperation& operation : api_operations()) {
    auto values = match(operation.path, path);
    if (!values) continue;
    if (operation.method != method) {
      (methods += methods.empty() ? "" : " or ") += operation.name_of_method();
      continue;
    }
    auto taken = take_query(operation.parameters, request.target, *values);
    if (taken && !request.body.empty()) {
      if (!request.content_type.starts_with("application/json"))
        return std::unexpected(problem(status::unsupported_media_type, "invalid_argument",
                                       "Send the body as application/json."));
      taken = take_body(operation.parameters, request.body, *values);
    }
    if (taken) taken = check_all(operation.parameters, *values);
    if (!taken) return std::unexpected(problem(taken.error()));
    return ApiCall{.operation = &operation, .arguments = ApiArguments(*std::move(values))};
  }
  if (methods.empty())
    return std::unexpected(problem(status::not_found, "not_found",
                                   "There is no such operation. See /api/v1/openapi.json."));
  return std::unexpected(
      problem(status::method_not_allowed, "invalid_argument", "Use " + methods + "."));
}

boost::asio::awaitable<ApiAnswer> run_api(operation::Operations& operations, ApiCall call,
                                          operation::Caller caller) {
  auto answer =
      co_await call.operation->run(operations, std::move(caller), std::move(call.arguments));
  if (!answer) co_return problem(answer.error());
  co_return ApiAnswer{
      .status = call.operation->success, .type = "application/json", .body = *std::move(answer)};
}

}  // namespace http
