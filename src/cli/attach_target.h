// Which terminal `holdfast attach` attaches to: one that is there, or a new one.

#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "base/result.h"
#include "cli/outer_sequences.h"

namespace cli {

struct AttachTarget {
  std::string id;
  std::string session;
  std::string label;       // For people.
  std::string created_at;  // Tells it from a later terminal with the same id.
};

// What to call a terminal: SESSION:NAME, or the id if it has no name.
[[nodiscard]] std::string label_of(const std::string& id, const std::string& session,
                                   const std::string& name);

// From the API's description of a terminal.
[[nodiscard]] AttachTarget described(const boost::json::object& terminal);
// What runs in it: the program in the foreground, or what it was created with.
[[nodiscard]] std::string program_of(const boost::json::object& terminal);

// What to ask for to get a new one: the directory and the variables are those of this process, if
// the daemon is on this machine.
[[nodiscard]] boost::json::object new_terminal(const std::string& session, OuterSize size);

struct WantedTerminal {
  std::string target;  // Its id, its name …; empty: the one used last.
  std::string create;  // The name of a terminal to create if there is none; may be empty.
  std::vector<std::string> command;  // What a new one runs; empty: the shell.
  OuterSize size;                    // Of a new one, or one that is restored.
};

// Creates and restores it if needed.
[[nodiscard]] base::Result<AttachTarget> find_or_create(const WantedTerminal& wanted);

}  // namespace cli
