// The envelope of the native protocol's text messages: {"type": …, "request"?: …, "data"?: {…}}.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wire/json_writer.h"
#include "wire/native_events.h"

namespace wire::native {

// {"type": …, "request"?: …
inline JsonWriter begin(std::string& out, std::string_view type, const Answers& request) {
  JsonWriter writer(out);
  writer.begin_object().field("type", type);
  if (request) writer.raw("request", request->json);
  return writer;
}

// … "data": {
inline JsonWriter begin_data(std::string& out, std::string_view type, const Answers& request) {
  JsonWriter writer = begin(out, type, request);
  writer.begin_object("data");
  return writer;
}

inline void end(JsonWriter& writer) {
  writer.end_object().end_object();
}

}  // namespace wire::native
