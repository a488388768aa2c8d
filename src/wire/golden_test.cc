// The golden frames of the compatible and the single protocol.

#include <set>
#include <sstream>

#include "wire/compatible.h"
#include "wire/single.h"
#include "wire/test_golden.h"

namespace wire::golden {
namespace {

std::span<const std::byte> bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// --- a client's message, flat ---

json::object sized(std::string_view type, const std::optional<std::string>& id,
                   std::optional<std::uint16_t> rows, std::optional<std::uint16_t> cols) {
  json::object message{{"type", json::string_view(type)}};
  put(message, "sessionId", id);
  put(message, "rows", rows);
  put(message, "cols", cols);
  return message;
}

struct Describe {
  json::object operator()(const compatible::CreateSession& request) const {
    auto message = sized("create_session", request.session_id, request.rows, request.cols);
    put(message, "name", request.name);
    put(message, "workDir", request.work_dir);
    return message;
  }
  json::object operator()(const compatible::ListSessions&) const {
    return {{"type", "list_sessions"}};
  }
  json::object operator()(const compatible::ReattachSession& request) const {
    auto message = sized("reattach_session", request.session_id, request.rows, request.cols);
    put(message, "since", request.since);
    if (request.takeover) message["takeover"] = true;
    return message;
  }
  json::object operator()(const compatible::Input& request) const {
    auto message = sized("input", request.session_id, {}, {});
    message["data"] = request.data;
    return message;
  }
  json::object operator()(const compatible::Resize& request) const {
    return sized("resize", request.session_id, request.rows, request.cols);
  }
  json::object operator()(const compatible::RenameSession& request) const {
    auto message = sized("rename_session", request.session_id, {}, {});
    message["name"] = request.name;
    return message;
  }
  json::object operator()(const compatible::CloseSession& request) const {
    return sized("close_session", request.session_id, {}, {});
  }
  json::object operator()(const compatible::Ping& request) const {
    return sized("ping", request.session_id, {}, {});
  }
  json::object operator()(const single::Input& request) const {
    return {{"type", "input"}, {"data", request.data}};
  }
  json::object operator()(const single::Resize& request) const {
    return sized("resize", {}, request.rows, request.cols);
  }
  json::object operator()(const single::Ping&) const { return {{"type", "ping"}}; }
};

// --- a server's message, encoded ---

CloseReason close_reason(const json::object& message) {
  for (const CloseReason reason : {CloseReason::user_requested, CloseReason::process_exit,
                                   CloseReason::idle_timeout, CloseReason::error})
    if (to_string(reason) == text(message, "reason")) return reason;
  ADD_FAILURE() << "no reason: " << message;
  return {};
}

compatible::Opened opened(const json::object& message) {
  return {.session_id = text(message, "sessionId"),
          .working_directory = maybe_text(message, "workingDirectory"),
          .shell = maybe_text(message, "shell")};
}

std::string session_list(const json::object& message) {
  std::vector<compatible::SessionInfo> sessions;
  for (const json::value& value : message.at("sessions").as_array()) {
    const json::object& session = value.as_object();
    sessions.push_back(
        {.session_id = text(session, "sessionId"),
         .name = maybe_text(session, "name"),
         .status = text(session, "status") == "exited" ? Status::exited : Status::running,
         .created_at = time(session, "createdAt"),
         .last_activity_at = time(session, "lastActivityAt"),
         .working_directory = maybe_text(session, "workingDirectory"),
         .exit_code = maybe_number(session, "exitCode")});
  }
  return compatible::session_list(sessions);
}

std::string encode_compatible(const json::object& message) {
  const std::string type = text(message, "type");
  const std::string id = text(message, "sessionId");
  const auto offset = number<std::uint64_t>(message, "offset");
  std::string out;
  if (type == "session_created") return compatible::session_created(opened(message));
  if (type == "session_reattached") return compatible::session_reattached(opened(message));
  if (type == "session_list") return session_list(message);
  if (type == "session_closed")
    return compatible::session_closed(id, close_reason(message), maybe_number(message, "exitCode"));
  if (type == "session_renamed") return compatible::session_renamed(id, text(message, "name"));
  if (type == "session_detached") return compatible::session_detached(id);
  if (type == "pong") return compatible::pong(maybe_text(message, "sessionId"));
  if (type == "error")
    return compatible::error({.error = text(message, "error"),
                              .details = text(message, "details"),
                              .session_id = maybe_text(message, "sessionId")});
  if (type == "scrollback")
    compatible::append_scrollback(
        out, id, bytes(text(message, "data")), offset,
        flag(message, "resumed") ? compatible::Replay::resumed : compatible::Replay::snapshot);
  if (type == "output") compatible::append_output(out, id, bytes(text(message, "data")), offset);
  return out;
}

std::string encode_single(const json::object& message) {
  const std::string type = text(message, "type");
  const std::string id = text(message, "sessionId");
  std::string out;
  if (type == "session") return single::session(id);
  if (type == "pong") return single::pong();
  if (type == "session_closed")
    return single::session_closed(id, close_reason(message), maybe_number(message, "exitCode"));
  if (type == "output") single::append_output(out, bytes(text(message, "data")));
  return out;
}

template <class Request>
void expect_decoded(const std::expected<Request, compatible::Refusal>& request,
                    const json::object& golden) {
  if (golden.contains("answer")) {
    ASSERT_FALSE(request);
    EXPECT_EQ(compatible::error(request.error()), text(golden, "answer"));
  } else {
    ASSERT_TRUE(request) << request.error().error << ": " << request.error().details;
    EXPECT_EQ(json::value(std::visit(Describe{}, *request)), golden.at("message"));
  }
}

TEST(GoldenTest, Compatible) {
  for (const json::value& value : cases("compatible.json")) {
    const json::object& golden = value.as_object();
    SCOPED_TRACE(text(golden, "name"));
    if (text(golden, "from") == "client")
      expect_decoded(compatible::parse(text(golden, "text")), golden);
    else
      EXPECT_EQ(encode_compatible(golden.at("message").as_object()), text(golden, "text"));
  }
}

TEST(GoldenTest, Single) {
  for (const json::value& value : cases("single.json")) {
    const json::object& golden = value.as_object();
    SCOPED_TRACE(text(golden, "name"));
    if (text(golden, "from") == "client")
      expect_decoded(single::parse(text(golden, "text")), golden);
    else
      EXPECT_EQ(encode_single(golden.at("message").as_object()), text(golden, "text"));
  }
}

TEST(GoldenTest, NamesAreUnique) {
  for (const char* const file :
       {"compatible.json", "single.json", "native.json", "native_extensions.json",
        "native_agents.json", "native_frames.json", "native_states.json", "native_tools.json"}) {
    std::set<std::string> names;
    const json::array all = cases(file);
    EXPECT_FALSE(all.empty()) << file;
    for (const json::value& value : all)
      EXPECT_TRUE(names.insert(text(value.as_object(), "name")).second) << file << ": " << value;
  }
}

// A message, or bytes in hex.
bool is_example(std::string_view line) {
  return line.starts_with("{\"type\"") ||
         (line.size() > 2 &&
          line.find_first_not_of("0123456789abcdef ") == std::string_view::npos && line[2] == ' ');
}

// Every example in the specification is a golden case.
TEST(GoldenTest, EveryExampleOfTheSpecification) {
  std::set<std::string> known;
  for (const char* const file :
       {"compatible.json", "single.json", "native.json", "native_extensions.json",
        "native_agents.json", "native_frames.json", "native_states.json", "native_tools.json"})
    for (const json::value& value : cases(file)) {
      known.insert(text(value.as_object(), "text"));
      known.insert(text(value.as_object(), "hex"));
      known.insert(text(value.as_object(), "answer"));
    }
  std::istringstream page(read(HOLDFAST_SOURCE "/docs/protocol.md"));
  int found = 0;
  for (std::string line; std::getline(page, line);) {
    if (!is_example(line)) continue;
    EXPECT_TRUE(known.contains(line)) << line;
    ++found;
  }
  EXPECT_GT(found, 50);
}

}  // namespace
}  // namespace wire::golden
