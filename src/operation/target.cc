// Which terminal a target means.

#include <algorithm>

#include "operation/operations.h"

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

base::Result<const TerminalEntry*> Operations::find(const Caller& caller,
                                                    const std::string& target) const {
  // Terminals that end with their connection are not listed, but can be named by their id.
  if (auto by_id = sessions_.terminals().find_listed(caller.user, target)) return *by_id;
  const Entries all = sessions_.terminals().listed(caller.user);
  const auto by_path = only(all, [&](const TerminalEntry& entry) {
    return entry.name && entry.session.name + ":" + *entry.name == target;
  });
  const auto by_name =
      only(all, [&](const TerminalEntry& entry) { return entry.name && *entry.name == target; });
  const auto by_prefix = only(all, [&](const TerminalEntry& entry) {
    return !target.empty() && entry.id.str().starts_with(target);
  });
  for (const Entries& found : {by_path, by_name, by_prefix}) {
    if (found.size() == 1) return found.front();
    if (found.size() > 1) return base::fail(ambiguous(target, found));
  }
  return base::fail(base::Code::not_found, "there is no terminal \"" + target + "\"",
                    "List them with: holdfast ls");
}

base::Result<std::shared_ptr<terminal::Terminal>> Operations::find_alive(
    const Caller& caller, const std::string& target) const {
  const auto entry = find(caller, target);
  if (!entry) return base::fail(entry.error());
  if ((*entry)->is_alive()) return (*entry)->terminal;
  return base::fail(base::Code::unsupported,
                    "the terminal " + (*entry)->id.str() + " was lost in a restart of the machine",
                    "Restore it first.");
}

}  // namespace operation
