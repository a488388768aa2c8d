#include "http/mcp.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include <boost/json.hpp>

#include "base/printable.h"
#include "base/version.h"
#include "wire/bounded_json.h"

namespace http::mcp {

namespace json = boost::json;
using boost::asio::awaitable;
using boost::beast::http::status;

namespace {

// The revisions that begin with `initialize`, newest first.
constexpr std::array<std::string_view, 2> kEarlier{"2025-11-25", "2025-06-18"};

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kServerKey = "io.modelcontextprotocol/serverInfo";

constexpr std::string_view kInstructions =
    "Terminals that live on by themselves. Offsets count the bytes of a terminal's output: "
    "terminal_send answers with one; give it to terminal_wait and terminal_read as `since` to see "
    "only what came after it.";

// The protocol's error codes.
enum class Code {
  parse_error = -32700,
  invalid_request = -32600,
  no_such_method = -32601,
  invalid_params = -32602,
  header_mismatch = -32020,
  unsupported_version = -32022,
};

// --- answers ---

ApiAnswer answer_with(status code, json::object message) {
  message["jsonrpc"] = "2.0";
  return {.status = code, .type = kJson, .body = json::serialize(message)};
}

ApiAnswer failed(const json::value& id, Code code, std::string_view why,
                 status http = status::bad_request, json::object data = {}) {
  // It may quote what the client sent.
  json::object error{{"code", static_cast<int>(code)}, {"message", base::printable(why)}};
  if (!data.empty()) error["data"] = std::move(data);
  json::object message{{"error", std::move(error)}};
  if (!id.is_null()) message["id"] = id;
  return answer_with(http, std::move(message));
}

json::object server_info() {
  return {{"name", "holdfast"}, {"version", base::version()}};
}

ApiAnswer result(const Message& message, json::object result) {
  if (message.is_modern) {
    result["resultType"] = "complete";
    result["_meta"] = {{kServerKey, server_info()}};
  }
  return answer_with(status::ok, {{"id", message.id}, {"result", std::move(result)}});
}

ApiAnswer accepted() {
  return {.status = status::accepted, .type = kJson, .body = ""};
}

json::array revisions() {
  json::array all{kRevision};
  for (const std::string_view each : kEarlier) all.emplace_back(each);
  return all;
}

ApiAnswer unsupported(const json::value& id, std::string_view version) {
  return failed(id, Code::unsupported_version, "Unsupported protocol version", status::bad_request,
                {{"supported", revisions()}, {"requested", base::printable(version)}});
}

// --- parsing ---

std::string_view text_at(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : "";
}

// How a client writes that text into a header if it is not plain ASCII.
std::string in_base64(std::string_view text) {
  std::string encoded(4 * ((text.size() + 2) / 3) + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                                     reinterpret_cast<const unsigned char*>(text.data()),
                                     static_cast<int>(text.size()));
  encoded.resize(static_cast<std::size_t>(length));
  return "=?base64?" + encoded + "?=";
}

// Why the headers do not fit the body; empty if they do.
std::string mismatch(const Message& message, std::string_view version, const Headers& headers) {
  if (headers.version != version) return "MCP-Protocol-Version";
  if (headers.method != message.method) return "Mcp-Method";
  const bool is_named = message.method == "tools/call" || message.method == "prompts/get" ||
                        message.method == "resources/read";
  if (!is_named) return "";
  const std::string_view name =
      text_at(message.params, message.method == "resources/read" ? "uri" : "name");
  return headers.name == name || headers.name == in_base64(name) ? "" : "Mcp-Name";
}

// Requests of the revision 2026-07-28 carry their version.
std::expected<Message, ApiAnswer> check_modern(Message message, const json::object& meta,
                                               const Headers& headers) {
  message.is_modern = true;
  const std::string_view version = text_at(meta, kVersionKey);
  if (const std::string which = mismatch(message, version, headers); !which.empty())
    return std::unexpected(
        failed(message.id, Code::header_mismatch,
               "Header mismatch: the header " + which + " is missing or does not match the body"));
  if (version != kRevision) return std::unexpected(unsupported(message.id, version));
  const json::value* const capabilities = meta.if_contains(kCapabilitiesKey);
  if (capabilities == nullptr || !capabilities->is_object())
    return std::unexpected(
        failed(message.id, Code::invalid_params, "_meta lacks " + std::string(kCapabilitiesKey)));
  return message;
}

// Earlier ones say it in a header, once they know it.
std::expected<Message, ApiAnswer> check_earlier(Message message, const Headers& headers) {
  if (headers.version == kRevision)
    return std::unexpected(
        failed(message.id, Code::invalid_params, "_meta lacks " + std::string(kVersionKey)));
  const bool is_known = headers.version.empty() || headers.version == "2025-03-26" ||
                        std::ranges::find(kEarlier, headers.version) != kEarlier.end();
  if (!is_known) return std::unexpected(unsupported(message.id, headers.version));
  return message;
}

bool is_id(const json::value& id) {
  return id.is_string() || id.is_int64() || id.is_uint64();
}

// --- methods ---

json::object initialized(const Message& message) {
  const std::string_view wanted = text_at(message.params, "protocolVersion");
  const bool is_known = std::ranges::find(kEarlier, wanted) != kEarlier.end();
  return {{"protocolVersion", is_known ? wanted : kEarlier.front()},
          {"capabilities", {{"tools", json::object()}}},
          {"serverInfo", server_info()},
          {"instructions", kInstructions}};
}

// The tools depend on the caller's session, and may change with its extensions.
void set_caching(json::object& result) {
  result["ttlMs"] = 0;
  result["cacheScope"] = "private";
}

json::object discovered() {
  json::object result{{"supportedVersions", revisions()},
                      {"capabilities", {{"tools", json::object()}}},
                      {"instructions", kInstructions}};
  set_caching(result);
  return result;
}

const Tool* find_tool(std::string_view name) {
  const auto found = std::ranges::find(tools(), name, &Tool::name);
  return found == tools().end() ? nullptr : &*found;
}

json::object described(const Tool& tool) {
  return {{"name", tool.name},
          {"description", tool.description},
          {"inputSchema", schema_of(tool.parameters)},
          {"annotations", {{"readOnlyHint", tool.only_reads}}}};
}

json::object described(const extension::Tool& tool) {
  json::object about{{"name", tool.name}};
  if (tool.description) about["description"] = *tool.description;
  const json::object* const schema = tool.parameters.if_object();
  const bool is_object = schema != nullptr && text_at(*schema, "type") == "object";
  about["inputSchema"] = is_object ? *schema : json::object{{"type", "object"}};
  return about;
}

json::object listed(operation::Operations& operations, const Asker& asker, bool is_modern) {
  json::array all;
  for (const Tool& tool : tools()) all.push_back(described(tool));
  // A credential for one terminal has no session.
  if (const auto offered = operations.extensions().tools(asker.caller, asker.session))
    for (const auto& [extension, tool] : *offered)
      if (find_tool(tool.name) == nullptr) all.push_back(described(tool));
  json::object result{{"tools", std::move(all)}};
  if (is_modern) set_caching(result);
  return result;
}

json::object in_content(ToolResult result) {
  return {
      {"content", json::array{json::object{{"type", "text"}, {"text", std::move(result.text)}}}},
      {"isError", result.is_error}};
}

// What an extension's tool answered: content for models as it is, anything else as text.
json::object in_content(base::Result<json::value> answer) {
  if (!answer) return in_content(ToolResult{.text = answer.error().message(), .is_error = true});
  if (json::object* const object = answer->if_object())
    if (const json::value* const content = object->if_contains("content");
        content != nullptr && content->is_array()) {
      json::object result{{"content", *content}};
      const json::value* const is_error = object->if_contains("isError");
      result["isError"] = is_error != nullptr && is_error->is_bool() && is_error->get_bool();
      return result;
    }
  const bool is_text = answer->is_string();
  return in_content(
      ToolResult{.text = is_text ? std::string(answer->get_string()) : json::serialize(*answer)});
}

bool has_tool(operation::Operations& operations, const Asker& asker, std::string_view name) {
  const auto offered = operations.extensions().tools(asker.caller, asker.session);
  return offered &&
         std::ranges::any_of(*offered, [&](const auto& each) { return each.second.name == name; });
}

awaitable<ApiAnswer> call(operation::Operations& operations, Asker asker, Message message) {
  const std::string name(text_at(message.params, "name"));
  json::value* const given = message.params.if_contains("arguments");
  if (given != nullptr && !given->is_object())
    co_return failed(message.id, Code::invalid_params, "\"arguments\" must be an object",
                     status::ok);
  json::object arguments = given == nullptr ? json::object() : std::move(given->get_object());
  if (const Tool* const tool = find_tool(name)) {
    auto answered =
        co_await call_tool(*tool, operations, std::move(asker.caller), std::move(arguments));
    co_return result(message, in_content(std::move(answered)));
  }
  if (!has_tool(operations, asker, name))
    co_return failed(message.id, Code::invalid_params, "Unknown tool: " + name, status::ok);
  auto& extensions = operations.extensions();
  auto answered = co_await extensions.call_tool(
      asker.caller, asker.session, name, std::move(arguments), extensions.begin(asker.caller));
  co_return result(message, in_content(std::move(answered)));
}

}  // namespace

std::expected<Message, ApiAnswer> parse(std::string_view body, const Headers& headers) {
  auto parsed = wire::parse_json(body);
  if (!parsed)
    return std::unexpected(
        failed({}, Code::parse_error, "The body is not JSON: " + parsed.error()));
  json::object* const object = parsed->if_object();
  if (object == nullptr || text_at(*object, "jsonrpc") != "2.0" ||
      text_at(*object, "method").empty())
    return std::unexpected(failed({}, Code::invalid_request,
                                  "Send one JSON-RPC 2.0 request or notification per POST."));
  Message message{.id = {}, .method = std::string(text_at(*object, "method")), .params = {}};
  if (const json::value* const id = object->if_contains("id")) {
    if (!is_id(*id))
      return std::unexpected(
          failed({}, Code::invalid_request, "The id must be a string or an integer."));
    message.id = *id;
  }
  if (json::value* const params = object->if_contains("params")) {
    if (!params->is_object())
      return std::unexpected(
          failed(message.id, Code::invalid_params, "\"params\" must be an object"));
    message.params = std::move(params->get_object());
  }
  if (message.id.is_null()) return message;  // Notifications change nothing here.
  const json::value* const meta = message.params.if_contains("_meta");
  if (meta != nullptr && meta->is_object() && meta->get_object().contains(kVersionKey)) {
    const json::object about = meta->get_object();
    return check_modern(std::move(message), about, headers);
  }
  return check_earlier(std::move(message), headers);
}

awaitable<ApiAnswer> answer(operation::Operations& operations, Asker asker, Message message) {
  if (message.id.is_null()) co_return accepted();
  const std::string& method = message.method;
  if (method == "tools/list")
    co_return result(message, listed(operations, asker, message.is_modern));
  if (method == "tools/call")
    co_return co_await call(operations, std::move(asker), std::move(message));
  if (message.is_modern && method == "server/discover") co_return result(message, discovered());
  if (!message.is_modern && method == "initialize") co_return result(message, initialized(message));
  if (!message.is_modern && method == "ping") co_return result(message, {});
  co_return failed(message.id, Code::no_such_method, "Method not found: " + method,
                   message.is_modern ? status::not_found : status::ok);
}

}  // namespace http::mcp
