// What can be asked of the daemon, whatever the way: one function for each operation. It is where
// the caller's rights are checked. The protocols only translate.

#pragma once

#include <chrono>
#include <filesystem>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/result.h"
#include "operation/command_operations.h"
#include "operation/event_log.h"
#include "operation/extension_operations.h"
#include "operation/file_operations.h"
#include "operation/input_operations.h"
#include "operation/output_operations.h"
#include "operation/preference_operations.h"
#include "operation/session_operations.h"
#include "operation/terminal_operations.h"

namespace operation {

class Operations {
 public:
  // `events_file` keeps what was told; see operation/event_log.h.
  Operations(boost::asio::any_io_executor executor, session::Sessions& sessions,
             extension::Extensions& extensions, std::filesystem::path events_file,
             FileSettings files = {})
      : finder_(sessions),
        waiting_(executor),
        terminals_(executor, sessions, finder_),
        sessions_(sessions),
        preferences_(sessions),
        input_(finder_),
        output_(executor, sessions, finder_, waiting_),
        commands_(sessions, finder_, waiting_),
        extensions_(sessions, extensions),
        files_(sessions, finder_, files),
        events_(executor, sessions, std::move(events_file)) {}
  Operations(const Operations&) = delete;
  Operations& operator=(const Operations&) = delete;

  [[nodiscard]] TerminalOperations& terminals() { return terminals_; }
  [[nodiscard]] SessionOperations& sessions() { return sessions_; }
  [[nodiscard]] PreferenceOperations& preferences() { return preferences_; }
  [[nodiscard]] InputOperations& input() { return input_; }
  [[nodiscard]] OutputOperations& output() { return output_; }
  [[nodiscard]] CommandOperations& commands() { return commands_; }
  [[nodiscard]] ExtensionOperations& extensions() { return extensions_; }
  [[nodiscard]] FileOperations& files() { return files_; }

  [[nodiscard]] const EventLog& events() const { return events_; }
  // The caller's events from there on. Waits for one; empty if there was none in that time.
  boost::asio::awaitable<base::Result<std::vector<ShownEvent>>> next_events(
      Caller caller, EventCursor& cursor, std::chrono::milliseconds time);

  // What waits, and how to end that.
  [[nodiscard]] Waiting& waiting() { return waiting_; }

 private:
  Finder finder_;
  Waiting waiting_;
  TerminalOperations terminals_;
  SessionOperations sessions_;
  PreferenceOperations preferences_;
  InputOperations input_;
  OutputOperations output_;
  CommandOperations commands_;
  ExtensionOperations extensions_;
  FileOperations files_;
  EventLog events_;
};

}  // namespace operation
