// The types of the messages that a client may send, and how each is parsed.

#pragma once

#include <span>
#include <string_view>

#include "wire/message.h"
#include "wire/native.h"

namespace wire::native {

struct Type {
  std::string_view name;
  Operation (*parse)(Message& message);
};

[[nodiscard]] std::span<const Type> terminal_types();
// Of messages about sessions and their extensions.
[[nodiscard]] std::span<const Type> session_types();
// Of messages of agents.
[[nodiscard]] std::span<const Type> agent_types();

}  // namespace wire::native
