// The golden messages about what terminals do.

#include "wire/native_events.h"
#include "wire/native_state.h"
#include "wire/test_golden_native.h"

namespace wire::golden {
namespace {

using namespace native;

TerminalState state(const json::object& fields) {
  return {.kind = text(fields, "kind"),
          .command = maybe_text(fields, "command"),
          .since = fields.contains("since") ? std::optional(time(fields, "since")) : std::nullopt,
          .exit_code = maybe_number(fields, "exitCode"),
          .progress = maybe_number(fields, "progress"),
          .text = maybe_text(fields, "text")};
}

std::optional<RequestId> answers(const json::object& message) {
  const json::value* const request = message.if_contains("request");
  return request == nullptr ? std::nullopt
                            : std::optional(RequestId{.json = json::serialize(*request)});
}

NoticeInfo notice_of(const json::object& fields) {
  return {.at = text(fields, "at"),
          .terminal_id = text(fields, "terminalId"),
          .session = text(fields, "session"),
          .name = maybe_text(fields, "name"),
          .kind = text(fields, "kind"),
          .command = maybe_text(fields, "command"),
          .text = maybe_text(fields, "text"),
          .exit_code = maybe_number(fields, "exitCode"),
          .duration = maybe_number<std::int64_t>(fields, "duration"),
          .watched = flag(fields, "watched")};
}

std::string encode_notices(const json::object& message) {
  std::vector<NoticeInfo> infos;
  for (const json::value& each : message.at("notices").as_array())
    infos.push_back(notice_of(each.as_object()));
  return notices(answers(message), infos);
}

std::string encode_sketch(const json::object& message) {
  SketchInfo info{.terminal_id = text(message, "terminalId"),
                  .rows = number(message, "rows"),
                  .cols = number(message, "cols")};
  if (const json::value* const cursor = message.if_contains("cursor"))
    info.cursor = {json::value_to<int>(cursor->as_array()[0]),
                   json::value_to<int>(cursor->as_array()[1])};
  for (const auto& [row, line] : message.at("lines").as_object())
    info.lines.emplace(std::stoi(std::string(row)), json::serialize(line));
  return sketch(info);
}

std::string encode(const json::object& message) {
  const std::string type = text(message, "type");
  if (type == "notice") return notice(notice_of(message));
  if (type == "notices") return encode_notices(message);
  if (type == "sketch") return encode_sketch(message);
  if (type == "changed")
    return changed(text(message, "terminalId"), state(message.at("state").as_object()));
  return "";
}

json::value describe(const Request& request) {
  json::object out;
  if (const auto* const overview = std::get_if<ShowOverview>(&request.operation)) {
    out["type"] = "overview";
    out["terminalIds"] = json::value_from(overview->terminal_ids);
  } else if (std::holds_alternative<ListNotices>(request.operation)) {
    out["type"] = "notices";
  }
  if (request.id) out["request"] = json::parse(request.id->json);
  return out;
}

TEST(GoldenTest, NativeStates) {
  expect_cases(
      "native_states.json", [](const auto& message) { return encode(message); },
      [](const auto& request) { return describe(request); });
}

}  // namespace
}  // namespace wire::golden
