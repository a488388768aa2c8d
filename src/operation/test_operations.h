// Operations on real sessions, with a keeper that answers when the test says so.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "operation/operations.h"
#include "session/test_sessions.h"

namespace operation {

class OperationsTest : public session::SessionsTest {
 protected:
  [[nodiscard]] Caller caller(session::Scope scope = {}) const {
    return {.reach = {user_, std::move(scope)}};
  }
  [[nodiscard]] Caller viewer() const { return caller({.access = session::Access::view}); }

  // A terminal that runs, with a name and in a session.
  void have_named(const std::string& id, const std::string& name,
                  const std::string& session = "main") {
    session::TerminalSpec spec = spec_of(id);
    spec.name = name;
    spec.session = session;
    have(std::move(spec));
  }
  [[nodiscard]] terminal::Terminal& terminal(const std::string& id) {
    return *sessions_.terminals().at(id).terminal;
  }
  // The program prints it, and the daemon has taken it in.
  void prints(const std::string& id, const std::string& bytes) {
    const Offset end = terminal(id).mark() + bytes.size();
    keeper_.print(id, bytes);
    run_until([&] { return terminal(id).stream().end() >= end; });
  }
  // A mark of the shell's integration.
  static std::string mark(const std::string& text) { return "\x1b]133;" + text + ";aid=1\x07"; }
  void exits(const std::string& id, int code) {
    keeper_.exit(id, code);
    run_until([&] { return terminal(id).exit().has_value(); });
  }
  // Runs until the answer is there.
  template <class T>
  T answer(const Answer<T>& awaited) {
    run_until([&] { return awaited->has_value(); });
    return **awaited;
  }

  // Never started, so there are none.
  extension::Extensions extensions_{io_.get_executor(), daemon_.client, store_, sessions_,
                                    extension::Settings()};
  Operations operations_{io_.get_executor(), sessions_, extensions_, dir() / "events"};
};

}  // namespace operation
