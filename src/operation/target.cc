#include "operation/target.h"

#include <algorithm>

namespace operation {
namespace {

using session::TerminalEntry;
using Entries = std::vector<const TerminalEntry*>;

constexpr std::size_t kMostNamed = 10;  // Candidates in a message.

std::string in_words(const TerminalEntry& entry) {
  std::string words = entry.id.str() + " (" + entry.session.name;
  if (entry.name) words += ":" + *entry.name;
  return words + ")";
}

base::Error ambiguous(const std::string& target, const Entries& candidates) {
  std::string all;
  for (std::size_t i = 0; i < std::min(candidates.size(), kMostNamed); ++i)
    all += (i == 0 ? "" : ", ") + in_words(*candidates[i]);
  if (candidates.size() > kMostNamed)
    all += " and " + std::to_string(candidates.size() - kMostNamed) + " more";
  return {.code = base::Code::invalid_argument,
          .what = "\"" + target + "\" matches several terminals: " + all,
          .advice = "Use the id."};
}

Entries only(const Entries& all, const auto& matches) {
  Entries found;
  std::ranges::copy_if(all, std::back_inserter(found),
                       [&](const TerminalEntry* entry) { return matches(*entry); });
  return found;
}

}  // namespace

base::Error not_integrated() {
  return {.code = base::Code::unsupported,
          .what = "the program in this terminal does not mark its prompts and commands",
          .advice =
              "That works in bash, zsh and fish that Holdfast started with shell_integration "
              "on. Create another terminal, or use send and wait for text."};
}

base::Result<std::string> Finder::id_of(const Caller& caller, const Target& target) const {
  if (target.is_exact()) return target.text();
  const auto entry = find(caller, target);
  if (!entry) return base::fail(entry.error());
  return (*entry)->id.str();
}

base::Result<const TerminalEntry*> Finder::find(const Caller& caller, const Target& target) const {
  const std::string& text = target.text();
  // Terminals that end with their connection are not listed, but can be named by their id.
  const auto by_id = sessions_.terminals().find_living_or_restorable(caller.reach, text);
  if (by_id) return *by_id;
  if (target.is_exact()) return base::fail(by_id.error());
  const Entries all = sessions_.terminals().living_or_restorable(caller.reach);
  const auto by_path = only(all, [&](const TerminalEntry& entry) {
    return entry.name && entry.session.name + ":" + *entry.name == text;
  });
  const auto by_name =
      only(all, [&](const TerminalEntry& entry) { return entry.name && *entry.name == text; });
  const auto by_prefix = only(all, [&](const TerminalEntry& entry) {
    return !text.empty() && entry.id.str().starts_with(text);
  });
  for (const Entries& found : {by_path, by_name, by_prefix}) {
    if (found.size() == 1) return found.front();
    if (found.size() > 1) return base::fail(ambiguous(text, found));
  }
  return base::fail(base::Code::not_found, "there is no terminal \"" + text + "\"",
                    "List them with: holdfast ls");
}

base::Result<std::shared_ptr<terminal::Terminal>> Finder::find_alive(const Caller& caller,
                                                                     const Target& target) const {
  const auto entry = find(caller, target);
  if (!entry) return base::fail(entry.error());
  if ((*entry)->is_alive()) return (*entry)->terminal;
  return base::fail(base::Code::unsupported,
                    "the terminal " + (*entry)->id.str() + " was lost in a restart of the machine",
                    "Restore it first.");
}

base::Result<std::shared_ptr<terminal::Terminal>> Finder::find_marked(const Caller& caller,
                                                                      const Target& target) const {
  auto terminal = find_alive(caller, target);
  if (!terminal) return terminal;
  const std::vector<std::string>& command = (*find(caller, target))->command;
  if ((*terminal)->commands().has_marks() || sessions_.launcher().integrates(command))
    return terminal;
  return base::fail(not_integrated());
}

}  // namespace operation
