#include "cli/duration.h"

#include <charconv>

namespace cli {

using std::chrono::milliseconds;

base::Result<milliseconds> duration(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  double factor = 0;
  if (unit == "ms") factor = 1;
  if (unit.empty() || unit == "s") factor = 1000;
  if (unit == "m") factor = 60'000;
  if (unit == "h") factor = 3'600'000;
  if (error != std::errc() || factor == 0 || number < 0 || number * factor > 1e12)
    return base::fail(base::Code::invalid_argument, "\"" + text + "\" is not a duration",
                      "Write it as 500ms, 2s, 3m or 1h.");
  return milliseconds(static_cast<std::int64_t>(number * factor));
}

}  // namespace cli
