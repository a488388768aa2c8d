// What a terminal shows.

#include "vt/capture.h"

#include "operation/operations.h"
#include "vt/screen_json.h"

namespace operation {

base::Result<Captured> Operations::capture(const Caller& caller, const std::string& target,
                                           const CaptureRequest& request) {
  const auto found = find_alive(caller, target);
  if (!found) return base::fail(found.error());
  terminal::Terminal& terminal = **found;
  (void)terminal.mark();  // Shows what was printed so far.
  const vt::Screen& screen = terminal.screen();
  const vt::CaptureOptions options{.history_rows = static_cast<int>(request.history)};
  Captured captured{.offset = screen.settled(), .content = {}};
  switch (request.format) {
    case Format::text:
      captured.content = vt::text(screen, options);
      break;
    case Format::ansi:
      captured.content = vt::ansi(screen, options);
      break;
    case Format::json:
      captured.content = vt::json(screen, options);
      break;
  }
  return captured;
}

}  // namespace operation
