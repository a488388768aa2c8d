// Any text is a request within the bounds or a refusal, and a refusal is a message; any frame that
// parses is encoded to the same bytes.

#include <span>
#include <string>

#include "base/id.h"
#include "tests/fuzz/wire_messages.h"
#include "wire/limits.h"
#include "wire/native.h"
#include "wire/native_events.h"
#include "wire/native_frame.h"
#include "wire/utf8.h"

namespace {

using namespace wire;

constexpr const char* kTypes[] = {
    "hide",         "show",        "list",           "create",       "attach",
    "detach",       "resize",      "focus",          "role",         "theme",
    "rename",       "reorder",     "close",          "ping",         "ui_ask",
    "send",         "lease",       "release",        "commands_of",  "command_output",
    "search",       "preferences", "preference_set", "notices",      "overview",
    "agent_attach", "agent_state", "agent_event",    "agent_result", "agent_detach"};
constexpr const char* kKeys[] = {
    "hidden",   "terminalId", "session",    "rows",   "cols",           "name",        "workDir",
    "command",  "env",        "since",      "role",   "lossless",       "window",      "channel",
    "takeover", "foreground", "background", "cursor", "palette",        "terminalIds", "request",
    "text",     "paste",      "keys",       "enter",  "idempotencyKey", "lease",       "ifIdle",
    "seconds",  "holder",     "limit",      "value",  "revision",       "calls",       "state",
    "event",    "id",         "result",     "error"};

void check_create(const native::Create& create) {
  check(!create.terminal_id || base::is_valid_id(*create.terminal_id));
  check(!create.rows || (*create.rows >= 1 && *create.rows <= kMaxRows));
  check(count_characters(create.name.value_or("")) <= kMaxNameCharacters);
  check(create.command.size() <= kMaxCommandEntries && create.env.size() <= kMaxEnvEntries);
  for (const std::string& entry : create.command) check(entry.find('\0') == std::string::npos);
  for (const auto& [name, value] : create.env)
    check(!name.empty() && name.find('=') == std::string::npos &&
          value.find('\0') == std::string::npos);
}

void check_parse(const std::string& text) {
  const auto request = native::parse(text);
  if (!request) {
    check(is_message(native::error(request.error())));
    return;
  }
  check(is_message(native::pong(request->id)));
  if (const auto* create = std::get_if<native::Create>(&request->operation)) check_create(*create);
  if (const auto* attach = std::get_if<native::Attach>(&request->operation)) {
    check(base::is_valid_id(attach->terminal_id));
    check(attach->window == 0 || (attach->window >= kMinWindow && attach->window <= kMaxWindow));
  }
  if (const auto* set = std::get_if<native::SetPreference>(&request->operation)) {
    check(base::is_valid_id(set->name) && set->name.size() <= kMaxPreferenceName);
    check(set->value.value_or("").size() <= kMaxPreferenceValue);
    check(is_message(native::preference_set(request->id, set->session,
                                            {.name = set->name, .value = set->value})));
  }
  if (const auto* agent = std::get_if<native::AttachAgent>(&request->operation)) {
    check(agent->calls.size() <= kMaxAgentCalls);
    check(count_characters(agent->name) <= kMaxNameCharacters);
    for (const std::string& call : agent->calls) check(base::is_valid_id(call));
  }
  if (const auto* event = std::get_if<native::TellAgentEvent>(&request->operation))
    check(base::is_valid_id(event->name));
  if (const auto* reorder = std::get_if<native::Reorder>(&request->operation))
    check(is_message(native::reordered(request->id, reorder->terminal_ids)));
}

void check_frame(const std::string& message) {
  const auto bytes = std::as_bytes(std::span(message));
  const auto frame = native::parse_frame(bytes);
  const auto from_client = native::parse_client_frame(bytes);
  if (!from_client) check(is_message(native::error(from_client.error())));
  check(frame || !from_client);
  if (!frame) return;
  const auto header = native::encode_header(frame->header);
  std::string again(reinterpret_cast<const char*>(header.data()), header.size());
  again.append(reinterpret_cast<const char*>(frame->payload.data()), frame->payload.size());
  check(again == message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string raw(reinterpret_cast<const char*>(data), size);
  check_parse(raw);
  check_frame(raw);
  FuzzedDataProvider fuzz(data, size);
  check_parse(fuzzed_message(fuzz, kTypes, kKeys));
  return 0;
}
