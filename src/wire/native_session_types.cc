// Parses messages about sessions and their extensions.

#include <array>

#include "wire/limits.h"
#include "wire/native_fields.h"
#include "wire/native_types.h"

namespace wire::native {
namespace {

namespace json = boost::json;
using Kind = Fault::Kind;

Operation parse_sessions(Message&) {
  return ListSessions{};
}

std::string session_name(Message& message, std::string_view key) {
  return message.id(key, Need::required).value_or("");
}

Operation parse_session_create(Message& message) {
  return CreateSession{.name = session_name(message, "name"),
                       .kind = session_kind(message),
                       .work_dir = message.path("workDir"),
                       .isolation = isolation(message)};
}

Operation parse_session_rename(Message& message) {
  return RenameSession{.name = session_name(message, "name"),
                       .new_name = session_name(message, "newName")};
}

Operation parse_session_close(Message& message) {
  return CloseSession{.name = session_name(message, "name")};
}

Operation parse_session_switch(Message& message) {
  return SwitchSession{.from = session_name(message, "from"), .to = session_name(message, "to")};
}

Operation parse_commands(Message& message) {
  return ListCommands{.session = session_name(message, "session")};
}

Operation parse_run(Message& message) {
  return Run{.session = session_name(message, "session"),
             .line = message.text("line", Need::required).value_or("")};
}

Operation parse_tools(Message& message) {
  return ListTools{.session = session_name(message, "session")};
}

json::value any_value(const Message& message, std::string_view key) {
  const json::value* const value = message.data(key);
  return value == nullptr ? json::value() : *value;
}

Operation parse_tool(Message& message) {
  return CallTool{.session = session_name(message, "session"),
                  .name = message.text("name", Need::required).value_or(""),
                  .arguments = any_value(message, "arguments")};
}

Operation parse_ui_answer(Message& message) {
  return AnswerQuestion{.id = message.id("id", Need::required).value_or(""),
                        .value = any_value(message, "value")};
}

Operation parse_resources(Message& message) {
  return ListResources{.session = session_name(message, "session")};
}

Operation parse_resource_close(Message& message) {
  return CloseResource{.session = session_name(message, "session"),
                       .extension = message.text("extension", Need::required).value_or(""),
                       .key = message.text("key", Need::required).value_or("")};
}

Operation parse_cancel(Message& message) {
  const json::value* const which = message.data("request");
  if (which == nullptr) message.fail(Kind::invalid_field, "request is missing");
  return Cancel{.which = request_id_of(message, which).value_or(RequestId{})};
}

Operation parse_preferences(Message& message) {
  return ListPreferences{.session = message.id("session", Need::optional)};
}

Operation parse_preference_set(Message& message) {
  return SetPreference{
      .session = message.id("session", Need::optional),
      .name = preference_name(message),
      .value = preference_value(message),
      .revision = message.number("revision", Need::optional, 0, kMaxPreferenceRevision)};
}

constexpr std::array kTypes{
    Type{"sessions", parse_sessions},
    Type{"session_create", parse_session_create},
    Type{"session_rename", parse_session_rename},
    Type{"session_close", parse_session_close},
    Type{"session_switch", parse_session_switch},
    Type{"commands", parse_commands},
    Type{"run", parse_run},
    Type{"tools", parse_tools},
    Type{"tool", parse_tool},
    Type{"cancel", parse_cancel},
    Type{"ui_answer", parse_ui_answer},
    Type{"resources", parse_resources},
    Type{"resource_close", parse_resource_close},
    Type{"preferences", parse_preferences},
    Type{"preference_set", parse_preference_set},
};

}  // namespace

std::span<const Type> session_types() {
  return kTypes;
}

}  // namespace wire::native
