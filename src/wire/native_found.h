// What a search through the terminals found, in the native protocol and in the HTTP API.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wire/native_events.h"

namespace wire::native {

struct FoundLine {
  std::string terminal_id;
  std::string session;
  std::optional<std::string> name;
  std::uint64_t line = 0;
  std::uint64_t from_end = 0;
  std::string text;
  std::optional<std::uint64_t> offset;
};

struct FoundLines {
  std::vector<FoundLine> matches;
  std::uint64_t left_out = 0;
  std::vector<std::string> skipped;
};

[[nodiscard]] std::string to_json(const FoundLines& found);
[[nodiscard]] std::string found(const Answers& request, const FoundLines& found);

}  // namespace wire::native
