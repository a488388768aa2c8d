#include "end_to_end/protocol_fixture.h"

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace e2e {

namespace {

json::string_view text(std::string_view view) {
  return {view.data(), view.size()};
}

bool is_output(const json::object& message) {
  const auto& type = message.at("type").as_string();
  return type == "output" || type == "scrollback";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
  return out << refusal.error << " (" << refusal.details << ")";
}

std::string string_at(const json::object& object, std::string_view key) {
  const json::value* found = object.if_contains(text(key));
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

std::string data_text(const json::object& message, std::string_view key) {
  const json::value* data = message.if_contains("data");
  return data == nullptr ? "" : string_at(data->as_object(), key);
}

std::int64_t data_number(const json::object& message, std::string_view key) {
  return message.at("data").as_object().at(text(key)).to_number<std::int64_t>();
}

Refusal refused_text(WebSocketClient& client, std::string_view message) {
  client.send_text(message);
  const auto error = client.expect("error");
  return {.error = data_text(error, "error"), .details = data_text(error, "details")};
}

Refusal refused(WebSocketClient& client, const json::value& message) {
  return refused_text(client, json::serialize(message));
}

std::vector<json::object> until_pong(WebSocketClient& client) {
  static int count = 0;
  const std::string mark = "mark-" + std::to_string(++count);
  client.send(message("ping", {}, mark));
  std::vector<json::object> before;
  client.expect([&](const json::object& each) {
    if (each.at("type").as_string() == "pong" && string_at(each, "sessionId") == mark) return true;
    before.push_back(each);
    return false;
  });
  return before;
}

std::vector<std::string> types_of(const std::vector<json::object>& messages) {
  std::vector<std::string> types;
  for (const json::object& each : messages)
    if (!is_output(each)) types.push_back(string_at(each, "type"));
  return types;
}

json::object create(WebSocketClient& client, std::string_view id) {
  client.send(create_session(id));
  return client.expect("session_created");
}

json::object reattached(WebSocketClient& client, const json::value& request) {
  client.send(request);
  client.expect("session_reattached");
  return client.expect("scrollback");
}

std::vector<json::object> sessions_of(WebSocketClient& client) {
  client.send(message("list_sessions"));
  std::vector<json::object> sessions;
  const auto list = client.expect("session_list");
  for (const json::value& each : list.at("data").at("sessions").as_array())
    sessions.push_back(each.as_object());
  return sessions;
}

std::vector<std::string> session_ids(WebSocketClient& client) {
  std::vector<std::string> ids;
  for (const json::object& each : sessions_of(client)) ids.push_back(string_at(each, "sessionId"));
  return ids;
}

std::string type(WebSocketClient& client, std::string_view id, const std::string& command,
                 std::string_view wanted) {
  client.send(input(id, command + "\r"));
  return output_until(client, wanted);
}

pid_t number_from(WebSocketClient& client, std::string_view id, const std::string& expression) {
  client.send(input(id, "echo \"<\"" + expression + "\">\"\r"));
  std::string seen;
  while (numbers_in(seen).empty())
    seen += text_of(client.expect([](const json::object& each) { return is_output(each); }));
  return numbers_in(seen).front();
}

// By hand, as g++ 12 warns of std::regex itself when sanitizers are on.

std::vector<int> numbers_in(const std::string& text) {
  std::vector<int> numbers;
  for (auto at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const auto end = text.find_first_not_of("0123456789", at + 1);
    if (end != std::string::npos && end > at + 1 && text[end] == '>')
      numbers.push_back(std::stoi(text.substr(at + 1, end - at - 1)));
  }
  return numbers;
}

bool is_time(std::string_view text) {
  constexpr std::string_view kForm = "2000-00-00T00:00:00.000Z";
  if (text.size() != kForm.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == '0' ? !digit : text[i] != kForm[i]) return false;
  }
  return true;
}

std::string plain(const std::string& text) {
  std::string words;
  const auto is_between = [&](std::size_t at, char from, char to) {
    return at < text.size() && text[at] >= from && text[at] <= to;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      words += text[i];
      continue;
    }
    ++i;
    if (i < text.size() && text[i] == ']') {  // Up to BEL, or ESC and a backslash.
      i = std::min(text.find_first_of("\x07\x1b", i), text.size());
      if (i < text.size() && text[i] == '\x1b') ++i;
      continue;
    }
    if (i < text.size() && text[i] == '[') {
      ++i;
      while (is_between(i, '0', '?')) ++i;
    }
    while (is_between(i, ' ', '/')) ++i;
  }
  return words;
}

// --- native
// ----------------------------------------------------------------------------------------------------------

NativePeer::NativePeer(std::unique_ptr<WebSocketClient> client) : client_(std::move(client)) {}

void NativePeer::sort(WebSocketClient::Frame frame) {
  if (frame.binary) {
    const NativeFrame parsed = native_frame(frame.data);
    pieces_[parsed.channel].push_back({.kind = parsed.kind,
                                       .offset = parsed.offset,
                                       .bytes = std::string(parsed.payload),
                                       .resized = {}});
    return;
  }
  json::object message = frame.object();
  if (message.at("type").as_string() == "resized") {
    const auto channel = static_cast<std::uint32_t>(data_number(message, "channel"));
    const auto offset = static_cast<std::uint64_t>(data_number(message, "offset"));
    pieces_[channel].push_back(
        {.kind = 0, .offset = offset, .bytes = {}, .resized = message.at("data").as_object()});
    return;
  }
  messages_.push_back(std::move(message));
}

bool NativePeer::receive(milliseconds deadline) {
  auto frame = client_->receive(deadline);
  if (!frame) throw std::runtime_error("the connection was closed");
  sort(std::move(*frame));
  return true;
}

void NativePeer::tell(std::string_view type, json::object data) {
  client_->send(json::object{{"type", text(type)}, {"data", std::move(data)}});
}

json::object NativePeer::ask(std::string_view type, json::object data) {
  const std::int64_t id = ++request_;
  client_->send(json::object{{"type", text(type)}, {"request", id}, {"data", std::move(data)}});
  for (;;) {
    for (auto each = messages_.begin(); each != messages_.end(); ++each) {
      const json::value* request = each->if_contains("request");
      if (request == nullptr || !request->is_int64() || request->as_int64() != id) continue;
      json::object answer = std::move(*each);
      messages_.erase(each);
      return answer;
    }
    receive(seconds(20));
  }
}

std::string NativePeer::refused(std::string_view type, json::object data) {
  const json::object answer = ask(type, std::move(data));
  return string_at(answer, "type") == "error" ? data_text(answer, "code")
                                              : "answered: " + json::serialize(answer);
}

json::object NativePeer::event(std::string_view type, milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  for (;;) {
    for (auto each = messages_.begin(); each != messages_.end(); ++each) {
      if (string_at(*each, "type") != type || each->contains("request")) continue;
      json::object found = std::move(*each);
      messages_.erase(each);
      return found;
    }
    const auto left =
        std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) throw std::runtime_error("no event " + std::string(type));
    receive(left);
  }
}

std::vector<json::object> NativePeer::events() {
  ask("ping");
  std::vector<json::object> all(messages_.begin(), messages_.end());
  messages_.clear();
  return all;
}

std::uint32_t NativePeer::attach(std::string_view id, json::object more) {
  more["terminalId"] = text(id);
  attached_ = ask("attach", std::move(more));
  if (string_at(attached_, "type") != "attached")
    throw std::runtime_error("attach was answered with " + json::serialize(attached_));
  return static_cast<std::uint32_t>(data_number(attached_, "channel"));
}

void NativePeer::type(std::uint32_t channel, std::string_view bytes) {
  client_->send_binary(input_frame(channel, bytes));
}

void NativePeer::ack(std::uint32_t channel, std::uint64_t offset) {
  client_->send_binary(ack_frame(channel, offset));
}

std::optional<NativePeer::Piece> NativePeer::next(std::uint32_t channel, milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  auto& pieces = pieces_[channel];
  while (pieces.empty()) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
    try {
      receive(std::max(left, milliseconds(0)));
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }
  Piece piece = std::move(pieces.front());
  pieces.pop_front();
  return piece;
}

std::string NativePeer::output_until(std::uint32_t channel, std::string_view wanted,
                                     milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  std::string output;
  while (output.find(wanted) == std::string::npos) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
    const auto piece = next(channel, std::max(left, milliseconds(0)));
    if (!piece)
      throw std::runtime_error("waited for \"" + std::string(wanted) + "\"; came: " + output);
    output += piece->bytes;
  }
  return output;
}

// --- the daemon
// ------------------------------------------------------------------------------------------------------

void ProtocolTest::serve(std::vector<std::string> options, const std::vector<std::string>& env) {
  options.insert(options.begin(), {"--shell", "/bin/sh"});
  start(options, env);
}

NativePeer ProtocolTest::native_peer(const std::string& token) {
  NativePeer peer(native(token));
  peer.event("welcome");
  return peer;
}

json::object ProtocolTest::health() {
  return json::parse(get("/health").body).as_object();
}

}  // namespace e2e
