// What a client of the native protocol may ask about sessions and their extensions
// (docs/protocol.md).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "wire/native_request_id.h"

namespace wire::native {

struct ListSessions {
  friend bool operator==(const ListSessions&, const ListSessions&) = default;
};

enum class SessionKind { interactive, background };
[[nodiscard]] std::string_view to_string(SessionKind kind);

enum class Isolation { thread, process };

struct CreateSession {
  std::string name;
  SessionKind kind = SessionKind::interactive;
  std::optional<std::string> work_dir;
  std::optional<Isolation> isolation;  // None: as configured.
  friend bool operator==(const CreateSession&, const CreateSession&) = default;
};

struct RenameSession {
  std::string name;
  std::string new_name;
  friend bool operator==(const RenameSession&, const RenameSession&) = default;
};

struct CloseSession {
  std::string name;
  friend bool operator==(const CloseSession&, const CloseSession&) = default;
};

struct SwitchSession {
  std::string from;
  std::string to;
  friend bool operator==(const SwitchSession&, const SwitchSession&) = default;
};

// From now on the connection shows this session: its commands, and what its extensions show and
// ask.
struct ListCommands {
  std::string session;
  friend bool operator==(const ListCommands&, const ListCommands&) = default;
};

struct Run {
  std::string session;
  std::string line;
  friend bool operator==(const Run&, const Run&) = default;
};

struct ListTools {
  std::string session;
  friend bool operator==(const ListTools&, const ListTools&) = default;
};

struct CallTool {
  std::string session;
  std::string name;
  boost::json::value arguments;
  friend bool operator==(const CallTool&, const CallTool&) = default;
};

// Cancels a `run` or `tool` by its request id.
struct Cancel {
  RequestId which;
  friend bool operator==(const Cancel&, const Cancel&) = default;
};

struct AnswerQuestion {
  std::string id;
  boost::json::value value;
  friend bool operator==(const AnswerQuestion&, const AnswerQuestion&) = default;
};

struct ListResources {
  std::string session;
  friend bool operator==(const ListResources&, const ListResources&) = default;
};

struct CloseResource {
  std::string session;
  std::string extension;
  std::string key;
  friend bool operator==(const CloseResource&, const CloseResource&) = default;
};

struct ListPreferences {
  std::optional<std::string> session;  // None: the user's own.
  friend bool operator==(const ListPreferences&, const ListPreferences&) = default;
};

struct SetPreference {
  std::optional<std::string> session;
  std::string name;
  std::optional<std::string> value;       // JSON. None: remove it.
  std::optional<std::uint64_t> revision;  // The kept one must be this.
  friend bool operator==(const SetPreference&, const SetPreference&) = default;
};

}  // namespace wire::native
