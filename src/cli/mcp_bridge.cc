#include "cli/mcp_bridge.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include <boost/json.hpp>

#include "base/printable.h"
#include "cli/connect.h"
#include "cli/request.h"
#include "session/random.h"

namespace cli {

namespace json = boost::json;

namespace {

// While one daemon follows another.
constexpr int kMostTries = 50;
constexpr int kMostSends = 5;
constexpr std::chrono::milliseconds kPause{100};
constexpr int kParseError = -32700;
constexpr int kInternalError = -32603;

std::string error_answer(const json::value& id, int code, std::string_view why) {
  json::object message{{"jsonrpc", "2.0"},
                       {"error", {{"code", code}, {"message", base::printable(why)}}}};
  if (!id.is_null()) message["id"] = id;
  return json::serialize(message);
}

// For the model: a call that may or may not have taken effect.
std::string lost_answer(const json::value& id) {
  constexpr std::string_view kText =
      "The connection to the daemon was lost during this call, which may have taken effect. Check "
      "with terminal_list or terminal_read before you repeat it.";
  return json::serialize(
      json::object{{"jsonrpc", "2.0"},
                   {"id", id},
                   {"result",
                    {{"resultType", "complete"},
                     {"content", json::array{json::object{{"type", "text"}, {"text", kText}}}},
                     {"isError", true}}}});
}

const json::object* object_in(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_object();
}

std::string text_in(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

// What the transport over HTTP wants to be repeated in headers.
Headers headers_of(const json::object& message) {
  Headers headers{{"Mcp-Method", text_in(message, "method")}};
  const json::object* const params = object_in(message, "params");
  const json::object* const meta = params == nullptr ? nullptr : object_in(*params, "_meta");
  const std::string version =
      meta == nullptr ? "" : text_in(*meta, "io.modelcontextprotocol/protocolVersion");
  if (!version.empty()) headers.emplace_back("MCP-Protocol-Version", version);
  const std::string name =
      params == nullptr ? "" : text_in(*params, params->contains("uri") ? "uri" : "name");
  const bool is_plain =
      std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; }) && !name.empty();
  // Names that cannot be in a header are no names of tools: the daemon says so.
  if (is_plain) headers.emplace_back("Mcp-Name", name);
  return headers;
}

bool is_json_rpc(const std::string& text) {
  json::error_code error;
  const json::value value = json::parse(text, error);
  return !error && value.is_object() && value.get_object().contains("jsonrpc");
}

}  // namespace

McpBridge::~McpBridge() {
  std::vector<std::thread> threads;
  {
    const std::scoped_lock lock(mutex_);
    for (auto& [number, call] : calls_) {
      call.is_cancelled = true;
      if (call.connection) ::shutdown(call.connection.get(), SHUT_RDWR);
      threads.push_back(std::move(call.thread));
    }
  }
  for (std::thread& thread : threads) thread.join();
}

void McpBridge::take(const std::string& line) {
  json::error_code error;
  json::value value = json::parse(line, error);
  if (error || !value.is_object())
    return write(error_answer({}, kParseError, "Send one JSON-RPC message a line."));
  json::object& message = value.get_object();
  forget_finished();
  if (message.contains("id")) return begin(std::move(message));
  const json::object* const params = object_in(message, "params");
  if (text_in(message, "method") == "notifications/cancelled" && params != nullptr)
    if (const json::value* const id = params->if_contains("requestId")) cancel(*id);
}

void McpBridge::begin(json::object message) {
  const std::scoped_lock lock(mutex_);
  const Number number = ++last_;
  by_id_[json::serialize(message.at("id"))] = number;
  calls_[number].thread =
      std::thread([this, number, message = std::move(message)] { run(number, message); });
}

void McpBridge::run(Number number, json::object message) {
  const std::string id = json::serialize(message.at("id"));
  std::string text = answer(number, std::move(message));
  bool is_wanted = false;
  {
    const std::scoped_lock lock(mutex_);
    Call& call = calls_.at(number);
    is_wanted = !call.is_cancelled;
    if (const auto entry = by_id_.find(id); entry != by_id_.end() && entry->second == number)
      by_id_.erase(entry);
  }
  if (is_wanted) write(text);
  const std::scoped_lock lock(mutex_);
  calls_.at(number).is_over = true;
}

void McpBridge::cancel(const json::value& id) {
  const std::scoped_lock lock(mutex_);
  const auto entry = by_id_.find(json::serialize(id));
  if (entry == by_id_.end()) return;
  Call& call = calls_.at(entry->second);
  call.is_cancelled = true;
  if (call.connection) ::shutdown(call.connection.get(), SHUT_RDWR);
}

void McpBridge::forget_finished() {
  const std::scoped_lock lock(mutex_);
  for (auto entry = calls_.begin(); entry != calls_.end();) {
    if (!entry->second.is_over) {
      ++entry;
      continue;
    }
    entry->second.thread.join();
    entry = calls_.erase(entry);
  }
}

std::string McpBridge::answer(Number number, json::object message) {
  const json::value id = message.at("id");
  const bool repeats = can_repeat(number, message);
  for (int tries = 1;; ++tries) {
    const auto text = post(number, message);
    if (text && is_json_rpc(*text)) return *text;
    if (text) return error_answer(id, kInternalError, *text);
    if (is_cancelled(number)) return "";
    if (text.error().code != base::Code::unavailable || tries == kMostSends)
      return error_answer(id, kInternalError, text.error().message());
    if (!repeats) return lost_answer(id);
  }
}

bool McpBridge::is_cancelled(Number number) {
  const std::scoped_lock lock(mutex_);
  return calls_.at(number).is_cancelled;
}

base::Result<base::Fd> McpBridge::connect(Number number) {
  for (int tries = 1;; ++tries) {
    auto connection = connect_or_start();
    if (connection || connection.error().code != base::Code::unavailable || tries == kMostTries ||
        is_cancelled(number))
      return connection;
    std::this_thread::sleep_for(kPause);
  }
}

base::Result<std::string> McpBridge::post(Number number, const json::object& message) {
  auto connection = connect(number);
  if (!connection) return base::fail(connection.error());
  {
    const std::scoped_lock lock(mutex_);
    Call& call = calls_.at(number);
    if (call.is_cancelled) return base::fail(base::Code::cancelled, "the call was cancelled");
    auto another = base::duplicate(*connection);
    if (!another) return base::fail(another.error());
    call.connection = *std::move(another);
  }
  auto text =
      cli::post(*std::move(connection), target_, headers_of(message), json::serialize(message));
  const std::scoped_lock lock(mutex_);
  calls_.at(number).connection.reset();
  return text;
}

bool McpBridge::can_repeat(Number number, json::object& message) {
  if (text_in(message, "method") != "tools/call") return true;
  json::value* const params = message.if_contains("params");
  if (params == nullptr || !params->is_object()) return true;  // It is refused.
  const auto known = tool(number, text_in(params->get_object(), "name"));
  if (!known) return false;
  if (!known->takes_key) return known->only_reads;
  json::value& arguments = params->get_object()["arguments"];
  if (!arguments.is_object()) return false;
  if (!arguments.get_object().contains("key")) {
    const auto key = session::random_id();
    if (!key) return false;
    arguments.get_object()["key"] = *key;
  }
  return true;
}

// Asks the daemon once, and again when it does not know the tool.
std::optional<McpBridge::Tool> McpBridge::tool(Number number, const std::string& name) {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = tools_.find(name); known != tools_.end()) return known->second;
  }
  const auto text = post(number, {{"jsonrpc", "2.0"}, {"id", 0}, {"method", "tools/list"}});
  if (!text) return std::nullopt;
  json::error_code error;
  const json::value answer = json::parse(*text, error);
  const json::object* const result =
      error || !answer.is_object() ? nullptr : object_in(answer.get_object(), "result");
  const json::value* const all = result == nullptr ? nullptr : result->if_contains("tools");
  if (all == nullptr || !all->is_array()) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  for (const json::value& each : all->get_array()) {
    const json::object& about = each.as_object();
    Tool tool;
    if (const json::object* const hints = object_in(about, "annotations"))
      if (const json::value* const only_reads = hints->if_contains("readOnlyHint"))
        tool.only_reads = only_reads->is_bool() && only_reads->get_bool();
    if (const json::object* const schema = object_in(about, "inputSchema"))
      if (const json::object* const properties = object_in(*schema, "properties"))
        tool.takes_key = properties->contains("key") && about.contains("annotations");
    tools_[text_in(about, "name")] = tool;
  }
  const auto known = tools_.find(name);
  return known == tools_.end() ? std::nullopt : std::optional(known->second);
}

void McpBridge::write(const std::string& line) {
  const std::scoped_lock lock(writing_);
  const std::string text = line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(out_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;  // The client is gone; so is its end of standard input.
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace cli
