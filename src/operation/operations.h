// What can be asked of the daemon, whatever the way: one function for each operation. It is where
// the caller's rights are checked. The protocols only translate.
//
// A terminal is named by a target: its id, SESSION:NAME, its name, or the start of its id, where
// those are unique.
//
// Offsets count the bytes of a terminal's output. `send` tells the offset at which the input was
// taken, `wait` looks only at the output after an offset, and `capture` tells which offset it shows.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/event.h"
#include "base/result.h"
#include "operation/caller.h"
#include "session/sessions.h"
#include "wire/native_events.h"

namespace operation {

using Offset = std::uint64_t;
using wire::native::SessionInfo;
using wire::native::TerminalInfo;

// Input, as it is.
struct Text {
  std::string text;
};
// Text as if a person had pasted it: in brackets, if the program asked for that.
struct Paste {
  std::string text;
};
// Keys by their names; see operation/keys.h.
struct Keys {
  std::vector<std::string> names;
};
struct SendRequest {
  std::variant<Text, Paste, Keys> input;
  bool enter = false;  // Press Enter afterwards.
};

enum class Format { text, ansi, json };
struct CaptureRequest {
  Format format = Format::text;
  std::uint32_t history = 0;  // How many rows of history to put before the screen.
};
struct Captured {
  Offset offset = 0;
  std::string content;
};

// Waits for whichever of them comes first. At least one is set.
struct WaitRequest {
  std::optional<std::string> text{};  // A regular expression, in RE2's syntax.
  bool exit = false;
  std::optional<std::chrono::milliseconds> quiet{};  // No output for that long.
  // Look at the output after this offset. None: from now on.
  std::optional<Offset> since{};
  std::chrono::milliseconds timeout{30'000};
};
struct Waited {
  enum class Outcome { matched, exited, quiet, timed_out };
  Outcome outcome = Outcome::timed_out;
  Offset offset = 0;   // After the match; else, where to go on waiting so that nothing is missed.
  std::string line{};  // The line that matched.
  std::optional<int> exit_code{};
};

class Operations {
 public:
  static constexpr std::chrono::minutes kLongestWait{10};

  Operations(boost::asio::any_io_executor executor, session::Sessions& sessions)
      : executor_(executor), sessions_(sessions), interrupted_(executor) {}

  // Ends what waits.
  void stop() {
    is_stopping_ = true;
    interrupted_.notify();
  }
  // Ends what waits with a permit that was withdrawn.
  void check_permits() { interrupted_.notify(); }

  boost::asio::awaitable<base::Result<std::vector<TerminalInfo>>> list(
      Caller caller, std::optional<std::string> session);
  [[nodiscard]] base::Result<TerminalInfo> show(const Caller& caller, const std::string& target);
  boost::asio::awaitable<base::Result<TerminalInfo>> create(Caller caller,
                                                            session::TerminalSpec spec);
  boost::asio::awaitable<base::Result<TerminalInfo>> restore(Caller caller, std::string target,
                                                             std::optional<std::uint16_t> rows,
                                                             std::optional<std::uint16_t> cols);
  // An empty name takes it away.
  [[nodiscard]] base::Result<TerminalInfo> rename(const Caller& caller, const std::string& target,
                                                  std::string name);
  boost::asio::awaitable<base::Result<TerminalInfo>> resize(Caller caller, std::string target,
                                                            vt::Size size);
  boost::asio::awaitable<base::Result<session::Closed>> close(Caller caller, std::string target);

  // Returns the offset at which the input was taken.
  [[nodiscard]] base::Result<Offset> send(const Caller& caller, const std::string& target,
                                          const SendRequest& request);
  [[nodiscard]] base::Result<Captured> capture(const Caller& caller, const std::string& target,
                                               const CaptureRequest& request);
  boost::asio::awaitable<base::Result<Waited>> wait(Caller caller, std::string target,
                                                    WaitRequest request);

  [[nodiscard]] std::vector<SessionInfo> sessions(const Caller& caller);
  [[nodiscard]] base::Result<SessionInfo> create_session(const Caller& caller,
                                                         const std::string& name);
  [[nodiscard]] base::Status rename_session(const Caller& caller, const std::string& name,
                                            const std::string& new_name);
  boost::asio::awaitable<base::Status> close_session(Caller caller, std::string name);

 private:
  // The caller's terminal, alive or restorable.
  [[nodiscard]] base::Result<const session::TerminalEntry*> find(const Caller& caller,
                                                                 const std::string& target) const;
  // The same, if it is alive.
  [[nodiscard]] base::Result<std::shared_ptr<terminal::Terminal>> find_alive(
      const Caller& caller, const std::string& target) const;

  boost::asio::any_io_executor executor_;
  session::Sessions& sessions_;
  base::Event interrupted_;
  bool is_stopping_ = false;
};

}  // namespace operation
