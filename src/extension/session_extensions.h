// What the daemon knows about one session's extensions: which code runs, and what it offers, holds,
// shows and asks. Each part keeps its own invariants; this one says where the whole stands.
//
// Invariants
// 1. Whoever opens, reloads or closes the session holds a `Change` (extensions_by_session.h).
//    Everybody else waits until it is settled.
// 2. `loading` is set only while the session is open.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/any_io_executor.hpp>

#include "base/clock.h"
#include "extension/agent.h"
#include "extension/disabled_extensions.h"
#include "extension/display.h"
#include "extension/guards.h"
#include "extension/instances.h"
#include "extension/questions.h"
#include "extension/resources.h"
#include "session/store.h"

namespace extension {

struct SessionExtensions {
  SessionExtensions(boost::asio::any_io_executor executor, session::Store& store,
                    const base::Clock& clock, session::SessionRow row);
  SessionExtensions(const SessionExtensions&) = delete;
  SessionExtensions& operator=(const SessionExtensions&) = delete;

  [[nodiscard]] bool is_settled() const { return !changing && !loading && !recovering; }
  [[nodiscard]] AgentOffer offer() const;
  // Shows what can be typed, and tells the agent what there is for it.
  void show_offer();
  // An item in the status bar that says who the agent is.
  void show_agent();
  // For when the code that showed it is gone.
  void drop_shown();
  // Writes a line to the lifecycle log.
  void note(const std::string& subject, std::string_view event, const std::string& detail) const;
  // Records whether its extensions run, for the next daemon.
  void record(session::ExtensionsWere what) const;

  session::Store& store;
  session::SessionRow session;
  Instances instances;
  Resources resources;
  Display display;
  Questions questions;
  Guards guards;
  DisabledExtensions disabled;
  Agent agent;
  bool is_open = false;     // The runner has a worker for it.
  bool changing = false;    // Being opened, reloaded or closed.
  bool recovering = false;  // About to be opened, for instance after its worker died.
  bool loading = false;     // An earlier daemon began to load it; the runner will report.
};

using SessionExtensionsPtr = std::shared_ptr<SessionExtensions>;

}  // namespace extension
