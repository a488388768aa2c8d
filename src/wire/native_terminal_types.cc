// Parses messages about terminals.

#include <array>
#include <limits>
#include <unordered_set>

#include "wire/json_text.h"
#include "wire/limits.h"
#include "wire/native_fields.h"
#include "wire/native_types.h"

namespace wire::native {
namespace {

namespace json = boost::json;
using Kind = Fault::Kind;

std::uint32_t channel(Message& message) {
  return static_cast<std::uint32_t>(
      message.number("channel", Need::required, 1, std::numeric_limits<std::uint32_t>::max())
          .value_or(0));
}

std::string terminal_id(Message& message) {
  return message.id("terminalId", Need::required).value_or("");
}

Operation parse_list(Message& message) {
  return List{.session = message.id("session", Need::optional)};
}

Operation parse_create(Message& message) {
  Create create{.terminal_id = message.id("terminalId", Need::optional),
                .session = message.id("session", Need::optional),
                .rows = message.rows(Need::optional),
                .cols = message.cols(Need::optional),
                .name = message.name("name", Need::optional),
                .work_dir = message.path("workDir"),
                .command = command(message),
                .env = env(message)};
  if (create.name && create.name->empty()) create.name.reset();
  return create;
}

Operation parse_restore(Message& message) {
  return Restore{.terminal_id = terminal_id(message),
                 .rows = message.rows(Need::optional),
                 .cols = message.cols(Need::optional)};
}

Operation parse_attach(Message& message) {
  return Attach{.terminal_id = terminal_id(message),
                .rows = message.rows(Need::optional),
                .cols = message.cols(Need::optional),
                .since = message.offset("since"),
                .role = role(message, Need::optional).value_or(Role::control),
                .lossless = message.flag("lossless"),
                .window = window(message),
                .takeover = message.flag("takeover"),
                .hidden = message.flag("hidden"),
                .marks = message.flag("marks")};
}

// Messages that have nothing but a channel.
template <class Wanted>
Operation parse_channel(Message& message) {
  return Wanted{.channel = channel(message)};
}

Operation parse_resize(Message& message) {
  return Resize{.channel = channel(message),
                .rows = message.rows(Need::required).value_or(0),
                .cols = message.cols(Need::required).value_or(0)};
}

Operation parse_role(Message& message) {
  return ChangeRole{.channel = channel(message),
                    .role = role(message, Need::required).value_or(Role::control)};
}

Operation parse_theme(Message& message) {
  return Theme{.foreground = colour(message, "foreground"),
               .background = colour(message, "background"),
               .cursor = colour(message, "cursor"),
               .palette = palette(message)};
}

Operation parse_rename(Message& message) {
  return Rename{.terminal_id = terminal_id(message),
                .name = message.name("name", Need::required).value_or("")};
}

// Each once.
std::vector<std::string> terminal_ids(Message& message) {
  std::vector<std::string> ids;
  const json::array* const entries = list(message, "terminalIds", kMaxReordered);
  if (entries == nullptr) {
    message.fail(Kind::invalid_field, "terminalIds is missing");
    return ids;
  }
  std::unordered_set<std::string> seen;
  for (const json::value& entry : *entries) {
    auto id = message.id_of("terminalIds", entry);
    if (!id) return ids;
    if (!seen.insert(*id).second)
      message.fail(Kind::invalid_field, "terminalIds has " + excerpt(*id) + " twice");
    ids.push_back(*std::move(id));
  }
  return ids;
}

Operation parse_reorder(Message& message) {
  return Reorder{.terminal_ids = terminal_ids(message)};
}

Operation parse_overview(Message& message) {
  return ShowOverview{.terminal_ids = terminal_ids(message)};
}

Operation parse_notices(Message&) {
  return ListNotices{};
}

Operation parse_close(Message& message) {
  return Close{.terminal_id = terminal_id(message)};
}

std::vector<std::string> keys(Message& message) {
  std::vector<std::string> keys;
  const json::array* const entries = list(message, "keys", kMaxKeys);
  if (entries == nullptr) return keys;
  for (const json::value& entry : *entries)
    if (const json::string* const key = entry.if_string())
      keys.emplace_back(view(*key));
    else
      message.fail(Kind::invalid_field, "keys must be a list of strings");
  return keys;
}

Operation parse_send(Message& message) {
  Send send{.terminal_id = terminal_id(message),
            .text = message.text("text", Need::optional),
            .paste = message.text("paste", Need::optional),
            .keys = keys(message),
            .enter = message.flag("enter"),
            .idempotency_key = message.text("idempotencyKey", Need::optional),
            .lease = message.text("lease", Need::optional),
            .if_idle = message.number("ifIdle", Need::optional, 0, kMaxIdle)};
  const int given = (send.text ? 1 : 0) + (send.paste ? 1 : 0) + (send.keys.empty() ? 0 : 1);
  if (given > 1 || (given == 0 && !send.enter))
    message.fail(Kind::invalid_field, "give one of text, paste and keys, or enter alone");
  return send;
}

Operation parse_lease(Message& message) {
  return TakeLease{.terminal_id = terminal_id(message),
                   .seconds = message.number("seconds", Need::optional, 1, kMaxLeaseSeconds),
                   .holder = message.text("holder", Need::optional),
                   .lease = message.text("lease", Need::optional)};
}

Operation parse_release(Message& message) {
  return ReleaseLease{.terminal_id = terminal_id(message),
                      .lease = message.text("lease", Need::required).value_or("")};
}

Operation parse_commands_of(Message& message) {
  return CommandsOf{.terminal_id = terminal_id(message),
                    .since = message.offset("since"),
                    .limit = message.number("limit", Need::optional, 1, kMaxCommands)};
}

Operation parse_command_output(Message& message) {
  CommandOutputOf wanted{.terminal_id = terminal_id(message)};
  const auto start = message.offset("start");
  if (!start) message.fail(Kind::invalid_field, "start is missing");
  wanted.start = start.value_or(0);
  return wanted;
}

Operation parse_search(Message& message) {
  return Search{.pattern = message.text("pattern", Need::required).value_or(""),
                .session = message.id("session", Need::optional),
                .ignore_case = message.flag("ignoreCase"),
                .word = message.flag("word"),
                .literal = message.flag("literal"),
                .limit = message.number("limit", Need::optional, 1, kMaxFound)};
}

Operation parse_ping(Message&) {
  return Ping{};
}

constexpr std::array kTypes{
    Type{"resize", parse_resize},
    Type{"focus", parse_channel<Focus>},
    Type{"hide", parse_channel<Hide>},
    Type{"show", parse_channel<Show>},
    Type{"list", parse_list},
    Type{"create", parse_create},
    Type{"attach", parse_attach},
    Type{"restore", parse_restore},
    Type{"detach", parse_channel<Detach>},
    Type{"role", parse_role},
    Type{"theme", parse_theme},
    Type{"rename", parse_rename},
    Type{"close", parse_close},
    Type{"reorder", parse_reorder},
    Type{"send", parse_send},
    Type{"lease", parse_lease},
    Type{"release", parse_release},
    Type{"commands_of", parse_commands_of},
    Type{"command_output", parse_command_output},
    Type{"search", parse_search},
    Type{"notices", parse_notices},
    Type{"overview", parse_overview},
    Type{"ping", parse_ping},
};

}  // namespace

std::span<const Type> terminal_types() {
  return kTypes;
}

}  // namespace wire::native
