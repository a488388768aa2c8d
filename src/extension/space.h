// What the daemon knows about one session's extensions: which code runs, and what it offers, holds
// and shows. Data only; `Extensions` has the behaviour.

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

// The error of an extension that its user turned off.
inline constexpr const char* kTurnedOff = "turned off; /reload turns it on again";

// An extension in the session.
struct Instance {
  std::string name{};
  std::string path{};
  std::int64_t generation = 0;
  std::optional<std::int64_t> next{};  // During a reload, code of both generations may call.
  bool runs = false;
  bool disabled = false;  // Not to be loaded: it is faulty or was turned off.
  std::string error{};    // Why it is not running, or why a reload failed.
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
  using ResourceKey = std::pair<std::string, std::string>;  // The extension and its key.

  session::SessionRow session;
  std::vector<Instance> instances;  // In the order of discovery.
  std::map<ResourceKey, session::ResourceRow> resources;
  std::vector<session::ProcessRecord> children;  // Programs that the worker started.
  std::vector<Surface*> surfaces;
  std::deque<Notification> kept;                                      // For the next surface.
  std::map<std::pair<std::string, std::string>, std::string> status;  // By extension and key.
  std::map<std::string, Question> questions;
  bool is_open = false;     // The runner has a worker for it.
  bool changing = false;    // Being opened, reloaded or closed.
  bool recovering = false;  // About to be opened, for instance after its worker died.
  bool loading = false;     // An earlier daemon began to load it; the runner will report.
  bool disabled = false;    // All extensions are disabled.
  // Extensions that are disabled for their faults, and why.
  std::map<std::string, std::string, std::less<>> faulty;
  std::set<std::string, std::less<>> turned_off;  // By the user, until the next /reload.
  // What extensions must decide, including those that are not running.
  session::Guards guards;
  bool guards_read = false;  // Earlier declarations were read from the store.
  struct Restart {
    std::chrono::steady_clock::time_point time;
    std::string extension;  // The one at fault; empty if unknown.
  };
  std::deque<Restart> restarts;

  [[nodiscard]] Instance* find(std::string_view extension);
  // The command that a line (without its slash) names, and its arguments.
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
  // Whether any extension must decide about it, running or not.
  [[nodiscard]] bool is_guarded(std::string_view event) const;
};

// The first word, and the rest without the space in between.
[[nodiscard]] std::pair<std::string_view, std::string_view> split_word(std::string_view text);

}  // namespace extension
