// What a program says of itself, for people.

#include "operation/describe.h"
#include "operation/terminal_operations.h"
#include "vt/clean_text.h"

namespace operation {

base::Result<TerminalInfo> TerminalOperations::notify(const Caller& caller, const Target& target,
                                                      terminal::Report report) {
  if (auto allowed = caller.may_change(); !allowed) return base::fail(allowed.error());
  const auto terminal = finder_.find_alive(caller, target);
  if (!terminal) return base::fail(terminal.error());
  report.text = vt::clean_text(report.text, vt::Notice::kMaxText);
  if (report.kind == terminal::Report::Kind::message && report.text.empty())
    return base::fail(base::Code::invalid_argument, "there is nothing to tell",
                      "Give a state, a text, or both.");
  (*terminal)->states().report(report);
  return show(caller, target);
}

}  // namespace operation
