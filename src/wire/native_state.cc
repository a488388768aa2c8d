#include "wire/native_state.h"

#include "base/time_text.h"
#include "wire/native_envelope.h"

namespace wire::native {

void write(JsonWriter& writer, std::string_view key, const TerminalState& state) {
  writer.begin_object(key)
      .field("kind", state.kind)
      .field("command", state.command)
      .field("since", state.since.transform(base::utc_milliseconds))
      .field("exitCode", state.exit_code)
      .field("progress", state.progress)
      .field("text", state.text)
      .end_object();
}

namespace {

void write_fields(JsonWriter& writer, const NoticeInfo& notice) {
  writer.field("at", notice.at)
      .field("terminalId", notice.terminal_id)
      .field("session", notice.session)
      .field("name", notice.name)
      .field("kind", notice.kind)
      .field("command", notice.command)
      .field("text", notice.text)
      .field("exitCode", notice.exit_code)
      .field("duration", notice.duration)
      .field("watched", notice.watched);
}

}  // namespace

std::string notice(const NoticeInfo& notice) {
  std::string out;
  JsonWriter writer = begin_data(out, "notice", std::nullopt);
  write_fields(writer, notice);
  end(writer);
  return out;
}

std::string notices(const std::optional<RequestId>& request, std::span<const NoticeInfo> notices) {
  std::string out;
  JsonWriter writer = begin_data(out, "notices", request);
  writer.begin_array("notices");
  for (const NoticeInfo& each : notices) {
    writer.begin_object();
    write_fields(writer, each);
    writer.end_object();
  }
  writer.end_array();
  end(writer);
  return out;
}

std::string sketch(const SketchInfo& sketch) {
  std::string out;
  JsonWriter writer = begin_data(out, "sketch", std::nullopt);
  writer.field("terminalId", sketch.terminal_id)
      .field("rows", sketch.rows)
      .field("cols", sketch.cols);
  if (sketch.cursor)
    writer.raw("cursor", "[" + std::to_string(sketch.cursor->first) + "," +
                             std::to_string(sketch.cursor->second) + "]");
  writer.begin_object("lines");
  for (const auto& [row, line] : sketch.lines) writer.raw(std::to_string(row), line);
  writer.end_object();
  end(writer);
  return out;
}

std::string changed(std::string_view terminal_id, const TerminalState& state) {
  std::string out;
  JsonWriter writer = begin_data(out, "changed", std::nullopt);
  writer.field("terminalId", terminal_id);
  write(writer, "state", state);
  end(writer);
  return out;
}

}  // namespace wire::native
