// A file of events with any bytes in it is read or not believed, never a crash. What is read is
// written the same.
//
// The first byte says whether the lines get right checksums, so that what is behind them is
// reached.

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdio>
#include <cstdlib>

#include "operation/event_file.h"

namespace {

std::string with_checksums(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    char check[17];
    std::snprintf(check, sizeof check, "%016llx",
                  static_cast<unsigned long long>(XXH3_64bits(line.data(), line.size())));
    lines.append(check).append(" ").append(line).append("\n");
  }
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 1) text = with_checksums(text);
  const auto history = operation::decode_history(text);
  if (!history) return 0;
  const auto again = operation::decode_history(operation::encode(*history));
  if (!again || again->next != history->next || again->terminals != history->terminals ||
      again->sessions != history->sessions || again->events.size() != history->events.size())
    std::abort();
  return 0;
}
