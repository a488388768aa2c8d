#include <cstdint>
#include <optional>

#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/request.h"

namespace cli {
namespace {

constexpr int kMostProgress = 100;

class NotifyCommand final : public Command {
 public:
  explicit NotifyCommand(const Arguments& holdfast)
      : Command(holdfast, "notify", "Tell people what the program in a terminal does") {
    command().add_option("text", text_, "What to show");
    command().add_option("--state", state_, "working, blocked (it waits for a person) or done");
    command()
        .add_option("--progress", progress_, "How far it is, in percent")
        .between(0, kMostProgress);
    command().add_option("--terminal", target_,
                         "The terminal: its id, SESSION:NAME, its name, the start of its id, or . "
                         "for the one that this runs in, the default");
    explain(command(),
            {"holdfast notify --state blocked 'May I delete the branch?'",
             "holdfast notify --state working --progress 40",
             "make; holdfast notify 'The build has ended'"},
            "For the hooks of agents and for scripts. A person who types ends `blocked` and "
            "`done`.");
  }

  base::Result<int> run() override {
    std::string target = target_;
    if (auto known = resolve_target(target); !known) return base::fail(known.error());
    boost::json::object body;
    if (!state_.empty()) body["state"] = state_;
    if (!text_.empty()) body["text"] = text_;
    if (progress_) body["progress"] = *progress_;
    const auto done = call("POST", "/terminals/" + base::encode_percents(target) + "/notify", body);
    if (!done) return base::fail(done.error());
    return 0;
  }

 private:
  std::string target_ = ".";
  std::string text_;
  std::string state_;
  std::optional<std::uint64_t> progress_;
};

}  // namespace

std::unique_ptr<Command> make_notify_command(const Arguments& holdfast) {
  return std::make_unique<NotifyCommand>(holdfast);
}

}  // namespace cli
