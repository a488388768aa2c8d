// What the extensions of one session must decide (docs/extensions.md). What each declared is
// remembered, so that one that is not running refuses instead of being skipped.
//
// Invariants
// 1. What this daemon was told is newer than what the store knows.
// 2. As long as the store could not be read, any extension that is not running may be a guard.

#pragma once

#include <string>
#include <string_view>

#include "session/store.h"

namespace extension {

class Guards {
 public:
  // Both outlive it.
  Guards(session::Store& store, const session::SessionRow& session)
      : store_(store), session_(session) {
    read();
  }

  // Reads earlier declarations from the store, if that has not succeeded yet.
  void read();
  [[nodiscard]] bool are_known() const { return is_read_; }
  void declare(const std::string& extension, session::EventNames events);
  // What an extension that has failed to load would declare. Earlier declarations hold instead.
  void declare_unless_known(const std::string& extension, session::EventNames events);

  [[nodiscard]] bool must_decide(std::string_view extension, std::string_view event) const;
  [[nodiscard]] session::EventNames of(const std::string& extension) const;
  // Whether any extension must decide about it, running or not.
  [[nodiscard]] bool is_guarded(std::string_view event) const;
  // Whether the extension must decide anything.
  [[nodiscard]] bool is_guard(std::string_view extension) const;

 private:
  session::Store& store_;
  const session::SessionRow& session_;
  session::Guards guards_;
  bool is_read_ = false;
};

}  // namespace extension
