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

}  // namespace wire::golden
