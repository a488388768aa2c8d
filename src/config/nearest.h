// "Did you mean …?"

#pragma once

#include <span>
#include <string_view>

namespace config {

// The word that `text` is probably a typo of; empty if none is close.
[[nodiscard]] std::string_view nearest(std::string_view text,
                                       std::span<const std::string_view> words);

}  // namespace config
