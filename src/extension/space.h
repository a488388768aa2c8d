// What the daemon knows of one session's extensions: which code runs, what it offers, what it holds
// and what it shows. Data only; `Extensions` makes it happen.

#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/steady_timer.hpp>
#include <boost/json/value.hpp>

#include "base/result.h"
#include "extension/surface.h"
#include "session/extension_records.h"
#include "session/rows.h"

namespace extension {

struct Tool {
  std::string name;
  std::optional<std::string> description;
  boost::json::value parameters;
};

// Why an extension does not run that its user does without.
inline constexpr const char* kTurnedOff = "turned off; /reload turns it on again";

// An extension in the session.
struct Instance {
  std::string name{};
  std::string path{};
  std::int64_t generation = 0;
  std::optional<std::int64_t> next{};  // While a reload goes on, code of both may call.
  bool runs = false;
  bool disabled = false;  // It is not to be loaded: by its own fault, or because somebody wants so.
  std::string error{};    // Why it does not run, or why an edit was not taken.
  std::vector<CommandInfo> commands{};
  std::vector<Tool> tools{};
  std::set<std::string, std::less<>> events{};
};

struct Notification {
  std::string level;
  std::string text;
};

struct Question {
  QuestionInfo info;
  std::string call;  // The command or event that asks.
  std::optional<boost::json::value> answer;
  std::shared_ptr<boost::asio::steady_timer> answered;  // Expires with the question.
};

struct Space {
  using ResourceKey = std::pair<std::string, std::string>;  // The extension, its key.

  session::SessionRow session;
  std::vector<Instance> instances;  // In the order in which they were found.
  std::map<ResourceKey, session::ResourceRow> resources;
  std::vector<session::ProcessRecord> children;  // Programs that the worker has started.
  std::vector<Surface*> surfaces;
  std::deque<Notification> kept;                                      // For the next who looks.
  std::map<std::pair<std::string, std::string>, std::string> status;  // By extension and key.
  std::map<std::string, Question> questions;
  bool is_open = false;     // The runner has a worker for it.
  bool changing = false;    // It is being opened, reloaded or closed.
  bool recovering = false;  // Its worker has died; it is about to be opened again.
  bool loading = false;     // For an earlier daemon; the runner tells how it ends.
  bool disabled = false;    // All are.
  // Those that are disabled, and why.
  std::map<std::string, std::string, std::less<>> faulty;
  std::set<std::string, std::less<>> turned_off;  // By the user, until they are loaded anew.
  // What extensions must decide, also of those that do not run.
  session::Guards guards;
  bool guards_read = false;  // What was declared before this daemon is part of them.
  struct Restart {
    std::chrono::steady_clock::time_point time;
    std::string extension;  // At fault; empty if that is not known.
  };
  std::deque<Restart> restarts;

  [[nodiscard]] Instance* find(std::string_view extension);
  // The command that a line without its slash names, and what follows it.
  struct Addressed {
    const Instance* instance;
    std::string command;
    std::string args;
  };
  [[nodiscard]] base::Result<Addressed> address(std::string_view line) const;
  [[nodiscard]] base::Result<std::pair<const Instance*, const Tool*>> find_tool(
      std::string_view name) const;
  [[nodiscard]] std::vector<CommandInfo> commands() const;
  [[nodiscard]] bool listens_to(std::string_view event) const;
  [[nodiscard]] bool must_decide(std::string_view extension, std::string_view event) const;
  // Whether any does that is here, or may come to be.
  [[nodiscard]] bool is_guarded(std::string_view event) const;
};

// The first word, and the rest without the space between them.
[[nodiscard]] std::pair<std::string_view, std::string_view> split_word(std::string_view text);

}  // namespace extension
