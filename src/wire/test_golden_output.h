// The golden messages about commands and what they printed, and about searching.

#pragma once

#include <string>
#include <string_view>

#include "wire/native.h"
#include "wire/native_events.h"
#include "wire/native_found.h"
#include "wire/test_golden_native.h"

namespace wire::golden {

inline std::vector<std::string> texts(const json::object& message, std::string_view key) {
  std::vector<std::string> texts;
  for (const json::value& value : message.at(key).as_array()) texts.emplace_back(value.as_string());
  return texts;
}

struct DescribeOutput {
  json::object& out;

  void operator()(const native::CommandsOf& request) const {
    out["type"] = "commands_of";
    out["terminalId"] = request.terminal_id;
    put(out, "since", request.since);
    put(out, "limit", request.limit);
  }
  void operator()(const native::CommandOutputOf& request) const {
    out["type"] = "command_output";
    out["terminalId"] = request.terminal_id;
    out["start"] = request.start;
  }
  void operator()(const native::Search& search) const {
    out["type"] = "search";
    out["pattern"] = search.pattern;
    put(out, "session", search.session);
    if (search.ignore_case) out["ignoreCase"] = true;
    if (search.word) out["word"] = true;
    if (search.literal) out["literal"] = true;
    put(out, "limit", search.limit);
  }
};

inline native::ShellCommand shell_command(const json::value& value) {
  json::object fields;  // Without those that are null.
  for (const auto& [key, field] : value.as_object())
    if (!field.is_null()) fields[key] = field;
  const auto offset = [&](const char* key) -> std::optional<std::uint64_t> {
    if (!fields.contains(key)) return std::nullopt;
    return number<std::uint64_t>(fields, key);
  };
  const auto maybe_time = [&](const char* key) -> std::optional<base::WallTime> {
    if (!fields.contains(key)) return std::nullopt;
    return time(fields, key);
  };
  return {.text = maybe_text(fields, "text"),
          .directory = maybe_text(fields, "directory"),
          .start = offset("start"),
          .end = offset("end"),
          .exit_code = maybe_number(fields, "exitCode"),
          .started_at = maybe_time("startedAt"),
          .ended_at = maybe_time("endedAt")};
}

inline std::string encode_commands(const json::object& message) {
  const std::string state = text(message, "state");
  native::ShellCommands shell{.state = state, .commands = {}};
  for (const json::value& value : message.at("commands").as_array())
    shell.commands.push_back(shell_command(value));
  return native::commands_of(answers(message), text(message, "terminalId"), shell);
}

inline std::string encode_found(const json::object& message) {
  native::FoundLines lines{.matches = {},
                           .left_out = number<std::uint64_t>(message, "leftOut"),
                           .skipped = texts(message, "skipped")};
  for (const json::value& value : message.at("matches").as_array()) {
    const json::object& match = value.as_object();
    lines.matches.push_back({.terminal_id = text(match, "terminalId"),
                             .session = text(match, "session"),
                             .name = maybe_text(match, "name"),
                             .line = number<std::uint64_t>(match, "line"),
                             .from_end = number<std::uint64_t>(match, "fromEnd"),
                             .text = text(match, "text"),
                             .offset = {}});
    if (match.contains("offset"))
      lines.matches.back().offset = number<std::uint64_t>(match, "offset");
  }
  return native::found(answers(message), lines);
}

inline bool is_about_output(std::string_view type) {
  return type == "commands_of" || type == "command_output" || type == "marked" || type == "found";
}

inline std::string encode_output(const json::object& message) {
  const std::string type = text(message, "type");
  if (type == "commands_of") return encode_commands(message);
  if (type == "found") return encode_found(message);
  if (type == "marked")
    return native::marked(number<std::uint32_t>(message, "channel"),
                          number<std::uint64_t>(message, "offset"),
                          shell_command(message.at("command")));
  return native::command_output(answers(message), text(message, "terminalId"),
                                number<std::uint64_t>(message, "start"), text(message, "text"),
                                number<std::uint64_t>(message, "missing"));
}

}  // namespace wire::golden
