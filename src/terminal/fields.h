// The strings at the front of a checkpoint, which every terminal ignores: fields that end with a
// semicolon.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace terminal {

// An application program command. What it names is between the two.
inline constexpr std::string_view kCommandsFront = "\x1b_holdfast-commands-1|";
inline constexpr std::string_view kStateFront = "\x1b_holdfast-state-1|";
inline constexpr std::string_view kFrontEnd = "\x1b\\";

// Takes the string that begins so off the front. None if there is none.
[[nodiscard]] std::optional<std::string_view> take_front(std::string_view& checkpoint,
                                                         std::string_view begin);

[[nodiscard]] std::string to_field(std::optional<std::uint64_t> number);
[[nodiscard]] std::string to_field(const std::optional<base::WallTime>& time);  // Milliseconds.

// These take the next field off the text. None if it does not hold such a thing.
[[nodiscard]] std::string_view take_part(std::string_view& text, char separator);
[[nodiscard]] std::optional<std::uint64_t> take_number(std::string_view& text);
[[nodiscard]] std::optional<int> take_status(std::string_view& text);  // Below 256.
[[nodiscard]] std::optional<base::WallTime> take_time(std::string_view& text);

}  // namespace terminal
