#include "wire/native_found.h"

#include "wire/native_envelope.h"

namespace wire::native {
namespace {

void write_fields(JsonWriter& writer, const FoundLines& found) {
  writer.begin_array("matches");
  for (const FoundLine& match : found.matches)
    writer.begin_object()
        .field("terminalId", match.terminal_id)
        .field("session", match.session)
        .field("name", match.name)
        .field("line", match.line)
        .field("fromEnd", match.from_end)
        .field("text", match.text)
        .field("offset", match.offset)
        .end_object();
  writer.end_array().field("leftOut", found.left_out).begin_array("skipped");
  for (const std::string& id : found.skipped) writer.element(id);
  writer.end_array();
}

}  // namespace

std::string to_json(const FoundLines& found) {
  std::string out;
  JsonWriter writer(out);
  writer.begin_object();
  write_fields(writer, found);
  writer.end_object();
  return out;
}

std::string found(const Answers& request, const FoundLines& found) {
  std::string out;
  JsonWriter writer = begin_data(out, "found", request);
  write_fields(writer, found);
  end(writer);
  return out;
}

}  // namespace wire::native
