// What a terminal shows.

#include "vt/capture.h"

#include "base/turn.h"
#include "operation/output_operations.h"
#include "vt/markup.h"
#include "vt/screen_json.h"

namespace operation {

using boost::asio::awaitable;

namespace {

base::Result<std::string> document(std::optional<std::string> made) {
  if (made) return *std::move(made);
  return base::fail(base::Code::unsupported, "the document would be larger than 16 MB",
                    "Ask for less history, or for another format.");
}

base::Result<std::string> content(const vt::Screen& screen, const CaptureRequest& request) {
  const vt::CaptureOptions options{.history_rows = static_cast<int>(request.history)};
  const vt::MarkupOptions markup{.history_rows = options.history_rows};
  switch (request.format) {
    case Format::text:
      return vt::text(screen, options);
    case Format::ansi:
      return vt::ansi(screen, options);
    case Format::json:
      return vt::json(screen, options);
    case Format::html:
      return document(vt::html(screen, markup));
    case Format::svg:
      return document(vt::svg(screen, markup));
  }
  return "";
}

}  // namespace

base::Result<Captured> OutputOperations::capture(const Caller& caller, const Target& target,
                                                 const CaptureRequest& request) {
  const auto found = finder_.find_alive(caller, target);
  if (!found) return base::fail(found.error());
  terminal::Terminal& terminal = **found;
  (void)terminal.mark();  // Shows what was printed so far.
  auto shown = content(terminal.screen(), request);
  if (!shown) return base::fail(shown.error());
  return Captured{.offset = terminal.screen().settled(), .content = *std::move(shown)};
}

awaitable<base::Result<Captured>> OutputOperations::capture_at(Caller caller, Target target,
                                                               CaptureRequest request,
                                                               Offset offset) {
  const auto found = finder_.find_alive(caller, target);
  if (!found) co_return base::fail(found.error());
  const std::shared_ptr<terminal::Terminal> terminal = *found;
  if (auto there = has_reached(offset, terminal->mark()); !there)
    co_return base::fail(there.error());
  auto past = terminal->past(offset);
  if (!past) co_return base::fail(past.error());
  base::Turn turn(executor_);
  for (;;) {
    const auto is_there = past->step();
    if (!is_there) co_return base::fail(is_there.error());
    if (*is_there) break;
    if (turn.is_over()) co_await turn.next();
    if (auto allowed = caller.permit.check(); !allowed) co_return base::fail(allowed.error());
  }
  auto shown = content(past->screen(), request);
  if (!shown) co_return base::fail(shown.error());
  co_return Captured{.offset = offset, .content = *std::move(shown)};
}

}  // namespace operation
