// Input from programs.

#include "operation/keys.h"
#include "operation/operations.h"
#include "terminal/paste.h"

namespace operation {
namespace {

base::Result<std::string> bytes_of(const SendRequest& request, const vt::Modes& modes) {
  std::string bytes;
  if (const auto* text = std::get_if<Text>(&request.input)) bytes = text->text;
  if (const auto* paste = std::get_if<Paste>(&request.input))
    bytes = terminal::pasted(paste->text, modes.bracketed_paste);
  if (const auto* keys = std::get_if<Keys>(&request.input))
    for (const std::string& name : keys->names) {
      auto key = bytes_of_key(name, modes);
      if (!key) return base::fail(key.error());
      bytes += *key;
    }
  if (request.enter) bytes += '\r';
  return bytes;
}

}  // namespace

base::Result<Offset> Operations::send(const Caller& caller, const std::string& target,
                                      const SendRequest& request) {
  if (auto allowed = caller.may_change(); !allowed) return base::fail(allowed.error());
  const auto terminal = find_alive(caller, target);
  if (!terminal) return base::fail(terminal.error());
  if ((*terminal)->exit())
    return base::fail(base::Code::unsupported, "the program in this terminal has ended",
                      "Create another terminal.");
  const Offset offset = (*terminal)->mark();
  const auto bytes = bytes_of(request, (*terminal)->screen().state().modes);
  if (!bytes) return base::fail(bytes.error());
  if (auto written = (*terminal)->write(*bytes); !written) return base::fail(written.error());
  return offset;
}

}  // namespace operation
