// The extensions of one session: which code of each runs, and what it offers. Data only.
//
// Invariants
// 1. A name occurs once. They are in the order of discovery.
// 2. Only code of the current generation may call. During a reload, code of the next one may, too.
// 3. Code that failed to load or has ended offers nothing.
// 4. An extension that a reload unloads may call until `end_reload`.
// 5. Whoever types a command that a reload has removed is told so.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/result.h"
#include "extension/surface.h"

namespace extension {

struct Tool {
  std::string name;
  std::optional<std::string> description;
  boost::json::value parameters;
};

// What the code of an extension offers.
struct Registration {
  std::vector<CommandInfo> commands{};
  std::vector<Tool> tools{};
  std::set<std::string, std::less<>> events{};
};

// An extension in the session.
struct Instance {
  std::string name{};
  std::string path{};
  std::int64_t generation = 0;
  std::optional<std::int64_t> next{};  // During a reload, code of both generations may call.
  bool runs = false;
  bool disabled = false;  // Not to be loaded: it is faulty or was turned off.
  std::string error{};    // Why it is not running, or why a reload failed.
  Registration offers{};
};

class Instances {
 public:
  [[nodiscard]] const std::vector<Instance>& all() const { return all_; }
  [[nodiscard]] Instance* find(std::string_view extension);
  [[nodiscard]] const Instance* find(std::string_view extension) const;
  void replace(std::vector<Instance> with) { all_ = std::move(with); }
  Instance& add(Instance instance) { return all_.emplace_back(std::move(instance)); }
  // Removes those that are not among `names`.
  void keep_only(const std::set<std::string>& names);

  // As the runner wants them, without those that are not to be loaded.
  [[nodiscard]] boost::json::array to_load() const;
  [[nodiscard]] bool has_any_to_load() const;
  [[nodiscard]] bool may_call(std::string_view extension, std::int64_t generation) const;
  // The same while an earlier daemon's load goes on: which generation it loads is unknown, so any
  // newer one may call. Extensions show up as they call, and are added.
  [[nodiscard]] bool may_call_while_loading(std::string_view extension, std::int64_t generation);

  // Takes each extension's outcome of a load. Returns the errors of those that failed.
  [[nodiscard]] std::string take_outcomes(const boost::json::value& result);
  // None that is to be loaded could be.
  void failed_to_load(const std::string& why);
  // Their code has ended.
  void ended(const std::string& why);
  // The session was closed: not even those that are not to be loaded can decide anything.
  void closed(const std::string& why);

  // `wanted` is what the session should have now. Returns what the runner has to load.
  [[nodiscard]] boost::json::array begin_reload(std::vector<Instance> wanted);
  // Returns the names of those whose code is gone.
  [[nodiscard]] std::vector<std::string> end_reload();

  // The command that a line (without its slash) names, and its arguments.
  struct AddressedCommand {
    const Instance* instance;
    std::string command;
    std::string args;
  };
  [[nodiscard]] base::Result<AddressedCommand> address(std::string_view line) const;
  [[nodiscard]] base::Result<std::pair<const Instance*, const Tool*>> find_tool(
      std::string_view name) const;
  [[nodiscard]] std::vector<CommandInfo> commands() const;
  // Each with its extension's name.
  [[nodiscard]] std::vector<std::pair<std::string, Tool>> tools() const;
  [[nodiscard]] bool listens_to(std::string_view event) const;
  // Those that any of them listens to, sorted.
  [[nodiscard]] std::set<std::string, std::less<>> events() const;
  [[nodiscard]] bool has_command(std::string_view name) const;

 private:
  [[nodiscard]] base::Error no_command(std::string_view extension, const std::string& name) const;

  std::vector<Instance> all_;
  std::set<std::string> leaving_;                           // Between begin_reload and end_reload.
  std::map<std::string, std::string, std::less<>> former_;  // Commands at a reload, and whose.
};

// What a runner says that an extension offers.
[[nodiscard]] Registration read_registration(const boost::json::object& message,
                                             const std::string& extension);

// The first word, and the rest without the blank in between.
[[nodiscard]] std::pair<std::string_view, std::string_view> split_word(std::string_view text);

}  // namespace extension
