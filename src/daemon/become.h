// The daemon becomes another program in place: same pid, arguments, environment, directory,
// standard output. What must outlive it is the keeper's, as ever.
//
// Two descriptors go along, named by a variable: the connection of whoever asked, to be told how it
// went, and the program that the process was before, which is executed again if the new one cannot
// start. That works while somebody has it open, also when its file has been replaced.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/fd.h"
#include "base/result.h"
#include "keeper/program.h"

namespace holdfast {

// A program that was asked to replace this one, and who asked.
struct Successor {
  std::shared_ptr<keeper::Program> program;
  base::Fd asker;
};

// What this process had before it became this program.
struct Inherited {
  base::Fd asker;     // Invalid: nobody waits.
  base::Fd previous;  // Invalid: there is no way back.
};
// Takes the variable out of the environment: it is nobody else's business.
[[nodiscard]] Inherited take_inherited();

// Runs `program ARGUMENTS --check` to its end. Returns the last line of its standard output, which
// is the address it would listen on; fails with what it said on standard error.
boost::asio::awaitable<base::Result<std::string>> try_out(
    std::shared_ptr<const keeper::Program> program, std::vector<std::string> arguments);

// Both return only if no program could be run, not even the previous one.
[[nodiscard]] base::Error become(Successor successor, const std::vector<std::string>& arguments);
[[nodiscard]] base::Error go_back(Inherited inherited, const std::vector<std::string>& arguments,
                                  const base::Error& why);

}  // namespace holdfast
