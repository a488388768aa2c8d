// A recording may be any file. What is read from it is an event that a screen can take, or an
// error.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cli/cast.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto is_good = [](vt::Size each) {
    return each.cols >= 1 && each.rows >= 1 && each.cols <= 1000 && each.rows <= 1000;
  };
  if (const auto header = cli::parse_cast_header(line); header && !is_good(*header)) std::abort();
  const auto event = cli::parse_cast_event(line);
  if (!event || event->kind == cli::CastEvent::Kind::other) return 0;
  if (event->time.count() < 0) std::abort();
  if (event->kind == cli::CastEvent::Kind::resize && !is_good(event->size)) std::abort();
  // What is written from it is read as the same.
  const auto again = cli::parse_cast_event(cli::to_line(*event));
  if (!again || again->kind != event->kind) std::abort();
  return 0;
}
