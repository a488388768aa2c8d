// What terminals show and print, and waiting for it.

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/result.h"
#include "operation/offset.h"
#include "operation/pattern.h"
#include "operation/target.h"
#include "operation/waiting.h"

namespace operation {

inline constexpr std::chrono::minutes kLongestWait{10};

enum class Format { text, ansi, json, html, svg };
struct CaptureRequest {
  Format format = Format::text;
  std::uint32_t history = 0;  // How many rows of history to put before the screen.
};
struct Captured {
  Offset offset = 0;
  std::string content;
};

// The output after an offset, as plain text.
struct ReadRequest {
  Offset since = 0;
  std::size_t most = 16 * 1024;  // How many bytes of output to look at.
};
struct Printed {
  std::string text;
  Offset offset = 0;  // Where to read on.
  Offset end = 0;     // Of the output.
};

// Waits for whichever of them comes first. At least one is set.
struct WaitRequest {
  std::optional<std::string> text{};  // A regular expression, in RE2's syntax.
  bool exit = false;
  std::optional<std::chrono::milliseconds> quiet{};  // No output for that long.
  bool prompt = false;                               // The shell shows a prompt.
  bool command_end = false;                          // A command of the shell ends.
  // Look at the output after this offset. None: from now on.
  std::optional<Offset> since{};
  std::chrono::milliseconds timeout{30'000};
};
struct Waited {
  enum class Outcome { matched, prompt, command_ended, exited, quiet, timed_out };
  Outcome outcome = Outcome::timed_out;
  Offset offset = 0;   // After the match; else, where to go on waiting so that nothing is missed.
  std::string line{};  // The line that matched.
  std::optional<int> exit_code{};  // Of the program that exited, or of the command that ended.
};

// Looks through the lines that terminals show and remember, and through those saved of terminals
// that can be restored.
struct SearchRequest {
  std::string pattern;
  PatternOptions options{};
  std::optional<std::string> session{};  // Only its terminals.
  // How many lines to answer with: of each terminal the newest, of all terminals about as many.
  std::size_t most = 100;
  // Somebody has it as long as they want the answer. None: until the end.
  std::optional<std::weak_ptr<const void>> asker{};
};
struct Match {
  std::string terminal_id{};
  std::string session{};
  std::optional<std::string> name{};
  std::uint64_t line = 0;      // Counted from 1, the oldest line that the terminal remembers.
  std::uint64_t from_end = 0;  // How many lines come after it.
  std::string text{};          // The line, or its beginning.
  // After the output that printed it, if that is still there.
  std::optional<Offset> offset{};
};
struct Found {
  std::vector<Match> matches{};
  std::uint64_t left_out = 0;  // Lines that matched, beyond `most`.
  // Terminals that were resized again and again meanwhile, or whose saved lines cannot be read.
  std::vector<std::string> skipped{};
};

class OutputOperations {
 public:
  OutputOperations(boost::asio::any_io_executor executor, session::Sessions& sessions,
                   const Finder& finder, Waiting& waiting)
      : executor_(executor), sessions_(sessions), finder_(finder), waiting_(waiting) {}

  [[nodiscard]] base::Result<Captured> capture(const Caller& caller, const Target& target,
                                               const CaptureRequest& request);
  // The same of the screen as it was at an offset, if the journal still has what that takes.
  boost::asio::awaitable<base::Result<Captured>> capture_at(Caller caller, Target target,
                                                            CaptureRequest request, Offset offset);
  boost::asio::awaitable<base::Result<Printed>> read(Caller caller, Target target,
                                                     ReadRequest request);
  boost::asio::awaitable<base::Result<Waited>> wait(Caller caller, Target target,
                                                    WaitRequest request);
  boost::asio::awaitable<base::Result<Found>> search(Caller caller, SearchRequest request);

 private:
  // Whether a search goes on.
  [[nodiscard]] base::Status is_wanted(const Caller& caller, const SearchRequest& request) const;

  boost::asio::any_io_executor executor_;
  session::Sessions& sessions_;
  const Finder& finder_;
  Waiting& waiting_;
};

}  // namespace operation
