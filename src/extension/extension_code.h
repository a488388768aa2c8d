// Which extensions a session should have: those of the settings, those in the directory for every
// session, and those of its own directory if the user trusts that one.

#pragma once

#include <vector>

#include "extension/discovery.h"
#include "extension/instances.h"
#include "extension/session_extensions.h"
#include "extension/settings.h"
#include "session/sessions.h"

namespace extension {

class ExtensionCode {
 public:
  ExtensionCode(session::Store& store, session::Sessions& sessions, const Settings& settings)
      : store_(store), sessions_(sessions), settings_(settings) {}

  [[nodiscard]] std::vector<FoundExtension> find(const session::SessionRow& session);
  // The extensions that the session should have now, each with its next generation.
  [[nodiscard]] std::vector<Instance> wanted(const SessionExtensions& extensions);
  // Adds extensions that must decide and are missing in an earlier daemon's runner.
  void add_absent_guards(SessionExtensions& extensions);

 private:
  session::Store& store_;
  session::Sessions& sessions_;
  const Settings& settings_;
};

}  // namespace extension
