// The daemon replaces its own program in place (execve). Its pid, arguments, environment, directory
// and standard output stay the same. The keeper holds what must survive, as always.
//
// An environment variable names two descriptors that are passed on:
// - the connection of the upgrade command, to report the outcome;
// - the previous program, to go back to if the new one cannot start. An open descriptor works even
//   if the file has been replaced.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/fd.h"
#include "base/program.h"
#include "base/result.h"

namespace holdfast {

// The program that replaces this one, and the connection that asked for it.
struct Successor {
  std::shared_ptr<base::Program> program;
  base::Fd asker;
};

// What the previous program of this process passed on.
struct Inherited {
  base::Fd asker;     // Invalid if nobody waits.
  base::Fd previous;  // Invalid if there is no way back.
};
// Also removes the variable from the environment, so that no child inherits it.
[[nodiscard]] Inherited take_inherited();

// Runs `program ARGUMENTS --check` and waits for it. Returns the last line of its standard output:
// the address it would listen on. Fails with what it wrote to standard error.
boost::asio::awaitable<base::Result<std::string>> try_out(
    std::shared_ptr<const base::Program> program, std::vector<std::string> arguments);

// Both return only if no program could be executed, not even the previous one.
[[nodiscard]] base::Error become(Successor successor, const std::vector<std::string>& arguments);
[[nodiscard]] base::Error go_back(Inherited inherited, const std::vector<std::string>& arguments,
                                  const base::Error& why);

}  // namespace holdfast
