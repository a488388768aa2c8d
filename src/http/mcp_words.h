// What the tools' results say: text for a model.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "operation/operations.h"

namespace http::mcp {

// Of text in a result, so that none fills a model's memory.
inline constexpr std::size_t kMostText = std::size_t{64} * 1024;

// The end of a longer text, from the beginning of a line on. Adds what is before that to `left_out`.
[[nodiscard]] std::string newest(std::string text, std::uint64_t& left_out);
[[nodiscard]] std::string escaped(std::string_view text);
[[nodiscard]] std::string at(operation::Offset offset);
[[nodiscard]] std::string in_words(const operation::TerminalInfo& info);
[[nodiscard]] std::string in_words(const operation::Waited& waited);
[[nodiscard]] std::string in_words(operation::Execution ran);
[[nodiscard]] std::string in_words(const terminal::Command& command);

}  // namespace http::mcp
