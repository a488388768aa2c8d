#include "cli/attach_command.h"

#include <algorithm>
#include <cstdio>

#include "base/printable.h"
#include "cli/attach_session.h"
#include "cli/attach_target.h"
#include "cli/attached_environment.h"
#include "cli/command.h"
#include "cli/detach_keys_option.h"
#include "cli/outer_terminal.h"
#include "cli/server.h"

namespace cli {
namespace {

// Set in every terminal of Holdfast. What a terminal shows must not be its own output.
base::Status not_inside_another() {
  const std::string inside = own_terminal();
  if (inside.empty()) return {};
  return base::fail(base::Code::invalid_argument,
                    "this is already a terminal of Holdfast: " + inside,
                    "Detach first. To attach inside it anyway, unset HOLDFAST_TERMINAL.");
}

base::Result<AttachEnding> show(OuterTerminal& outer, AttachSession::Options options) {
  try {
    if (auto entered = outer.enter(); !entered) return base::fail(entered.error());
    AttachSession session(outer, std::move(options));
    return session.run();
  } catch (const std::exception& error) {
    return base::fail(base::Code::io, error.what());
  }
}

class AttachCommand final : public Command {
 public:
  explicit AttachCommand(const Arguments& holdfast);
  base::Result<int> run() override;
  // What follows `--` is the command for a new terminal, which CLI11 cannot tell from the target.
  void take_words(std::vector<std::string>& arguments) override;

 private:
  std::string target_;
  std::string create_;
  DetachKeysOption keys_;
  std::vector<std::string> words_;
  bool is_read_only_ = false;
};

}  // namespace

base::Result<int> attach_to(OuterTerminal& outer, AttachTarget terminal, DetachKeys keys,
                            bool is_read_only) {
  const auto ending = show(
      outer,
      {.terminal = std::move(terminal), .keys = std::move(keys), .is_read_only = is_read_only});
  outer.leave();
  if (!ending) return base::fail(ending.error());
  std::printf("%s\n", base::printable(ending->says).c_str());
  return ending->status;
}

AttachCommand::AttachCommand(const Arguments& holdfast)
    : Command(holdfast, "attach", "Show a terminal in this one") {
  command().alias("a");
  const Argument target = command().add_option(
      "terminal", target_,
      "The terminal: its id, SESSION:NAME, its name, or the start of its id. By default: the one "
      "used last, or a new one if there is none");
  const Argument create =
      command().add_option("-c,--create", create_,
                           "Attach to the terminal of this name, and create it if there is none");
  create.excludes(target);
  command().add_flag("-r,--read-only", is_read_only_, "Only look: nothing that you type is sent");
  keys_.add_to(command());
  explain(
      command(), {"holdfast attach", "holdfast attach -c work", "holdfast attach -c build -- make"},
      "After -- comes the command that a new terminal runs. By default: your shell.\n\n"
      "Ctrl-\\ opens a menu: d or Ctrl-\\ again detaches, s lists your terminals to switch to, n "
      "creates one, r turns read-only on or off, q sends Ctrl-\\ to the program, and Esc closes "
      "the menu. "
      "With --detach-keys \"C-b d\" there is no menu: press Ctrl-b and then one of these "
      "letters.\n\n"
      "Exit status: 0 after detaching, the program's own when it ends, 128 + n if signal n ended "
      "the client, and 1 if something failed.");
}

void AttachCommand::take_words(std::vector<std::string>& arguments) {
  const auto name = std::find_if(arguments.begin() + 1, arguments.end(),
                                 [](const std::string& each) { return !each.starts_with('-'); });
  if (name == arguments.end() || (*name != "attach" && *name != "a")) return;
  const auto dashes = std::find(name, arguments.end(), "--");
  if (dashes == arguments.end()) return;
  words_.assign(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
}

base::Result<int> AttachCommand::run() {
  if (!target_.empty() && !words_.empty())
    return base::fail(base::Code::invalid_argument, "a command is for a new terminal",
                      "Use --create NAME, or leave out the terminal.");
  auto keys = keys_.chosen();
  if (!keys) return base::fail(keys.error());
  std::string target = target_;
  if (auto known = resolve_target(target); !known) return base::fail(known.error());
  if (auto outside = not_inside_another(); !outside) return base::fail(outside.error());
  auto outer = OuterTerminal::open();
  if (!outer) return base::fail(outer.error());
  keep_own_environment();
  auto terminal = find_or_create(
      {.target = target, .create = create_, .command = words_, .size = (*outer)->size()});
  if (!terminal) return base::fail(terminal.error());
  return attach_to(**outer, std::move(*terminal), std::move(*keys), is_read_only_);
}

std::unique_ptr<Command> make_attach_command(const Arguments& holdfast) {
  return std::make_unique<AttachCommand>(holdfast);
}

}  // namespace cli
