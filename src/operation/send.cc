// Input from programs.

#include "operation/input_operations.h"
#include "operation/keys.h"
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

// Tells requests apart. What is typed for a request may depend on the program's modes.
journal::Digest digest_of(const SendRequest& request) {
  std::string all = std::to_string(request.input.index()) + (request.enter ? "e" : "-");
  if (const auto* text = std::get_if<Text>(&request.input)) all += text->text;
  if (const auto* paste = std::get_if<Paste>(&request.input)) all += paste->text;
  if (const auto* keys = std::get_if<Keys>(&request.input))
    for (const std::string& name : keys->names) (all += name) += '\0';
  return journal::digest_of(all);
}

}  // namespace

base::Result<Offset> offset_of_repeated(const journal::KeyedInput& accepted,
                                        const journal::Digest& request) {
  if (accepted.request == request) return accepted.offset;
  return base::fail(base::Code::mismatch,
                    "the idempotency key \"" + accepted.key + "\" was used for other input",
                    "Use a new key for each input.");
}

base::Result<Offset> InputOperations::send(const Caller& caller, const Target& target,
                                           const SendRequest& request) {
  if (auto allowed = caller.may_change(); !allowed) return base::fail(allowed.error());
  const auto found = finder_.find_alive(caller, target);
  if (!found) return base::fail(found.error());
  terminal::Terminal& terminal = **found;
  if (!request.key.empty())
    if (const auto* const accepted = terminal.typing().accepted(request.key))
      return offset_of_repeated(*accepted, digest_of(request));
  if (terminal.exit())
    return base::fail(base::Code::unsupported, "the program in this terminal has ended",
                      "Create another terminal.");
  if (request.if_idle)
    if (auto idle = terminal.keyboard().is_idle_for(*request.if_idle); !idle)
      return base::fail(idle.error());
  const Offset offset = terminal.mark();
  const auto bytes = bytes_of(request, terminal.screen().state().modes);
  if (!bytes) return base::fail(bytes.error());
  terminal::ProgramInput program{.lease = request.lease};
  if (!request.key.empty())
    program.keyed = {.key = request.key, .request = digest_of(request), .offset = offset};
  if (auto sent = terminal.typing().send(*bytes, std::move(program)); !sent)
    return base::fail(sent.error());
  return offset;
}

}  // namespace operation
