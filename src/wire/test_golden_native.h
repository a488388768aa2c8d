// What the golden frames of the native protocol's messages have in common.

#pragma once

#include <utility>
#include <variant>

#include "wire/native.h"
#include "wire/native_events.h"
#include "wire/test_golden.h"

namespace wire::golden {

// The request as the golden files have it. `visit` adds the fields of the operation.
inline json::value describe(const native::Request& request, auto visit) {
  json::object message;
  std::visit([&](const auto& operation) { visit(message, operation); }, request.operation);
  if (request.id) message["request"] = json::parse(request.id->json);
  return message;
}

inline native::Answers answers(const json::object& message) {
  const json::value* const request = message.if_contains("request");
  if (request == nullptr) return std::nullopt;
  return native::RequestId{json::serialize(*request)};
}

// Each case of a file: what the daemon says is encoded so, and what a client says is understood so, or
// refused. `encode` takes a message as the file has it, `describe` a request.
inline void expect_cases(const char* file, auto encode, auto describe) {
  for (const json::value& value : cases(file)) {
    const json::object& golden = value.as_object();
    SCOPED_TRACE(text(golden, "name"));
    if (text(golden, "from") == "server") {
      EXPECT_EQ(encode(golden.at("message").as_object()), text(golden, "text"));
      continue;
    }
    const auto request = native::parse(text(golden, "text"));
    if (golden.contains("answer")) {
      EXPECT_EQ(request ? "accepted" : native::error(request.error()), text(golden, "answer"));
    } else {
      ASSERT_TRUE(request) << request.error().error << ": " << request.error().details;
      EXPECT_EQ(describe(*request), golden.at("message"));
    }
  }
}

}  // namespace wire::golden
