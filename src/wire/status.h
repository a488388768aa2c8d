// A terminal's states and close reasons, the same in all protocols.

#pragma once

#include <string_view>

namespace wire {

enum class Status { running, exited, restorable };
enum class CloseReason { user_requested, process_exit, idle_timeout, error };

[[nodiscard]] std::string_view to_string(Status status);
[[nodiscard]] std::string_view to_string(CloseReason reason);

}  // namespace wire
