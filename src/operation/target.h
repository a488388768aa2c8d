// Which terminal somebody means.

#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "operation/caller.h"
#include "session/sessions.h"

namespace operation {

class Target {
 public:
  // What people write: an id, SESSION:NAME, a name, or the start of an id, where those are unique.
  Target(std::string text) : text_(std::move(text)) {}
  // Only the terminal with that id.
  [[nodiscard]] static Target exactly(std::string id) {
    Target target(std::move(id));
    target.is_exact_ = true;
    return target;
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool is_exact() const { return is_exact_; }

 private:
  std::string text_;
  bool is_exact_ = false;
};

// Finds the caller's terminals. One that the caller cannot reach is `not_found`.
class Finder {
 public:
  explicit Finder(session::Sessions& sessions) : sessions_(sessions) {}

  // The terminal's id. With an exact target it is not looked for: `session` does that, and knows
  // what to do if it is just being restored.
  [[nodiscard]] base::Result<std::string> id_of(const Caller& caller, const Target& target) const;
  // Alive or restorable. Valid until the next co_await.
  [[nodiscard]] base::Result<const session::TerminalEntry*> find(const Caller& caller,
                                                                 const Target& target) const;
  // The same, if it is alive.
  [[nodiscard]] base::Result<std::shared_ptr<terminal::Terminal>> find_alive(
      const Caller& caller, const Target& target) const;
  // The same, if prompts and commands are marked there, or will be when the shell has started.
  [[nodiscard]] base::Result<std::shared_ptr<terminal::Terminal>> find_marked(
      const Caller& caller, const Target& target) const;

 private:
  session::Sessions& sessions_;
};

// Why commands are not known.
[[nodiscard]] base::Error not_integrated();

}  // namespace operation
