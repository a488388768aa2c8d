#include "extension/space.h"

#include <algorithm>

namespace extension {

namespace {

bool has_command(const Instance& instance, std::string_view name) {
  return std::ranges::find(instance.commands, name, &CommandInfo::name) != instance.commands.end();
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

}  // namespace

std::pair<std::string_view, std::string_view> split_word(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find_first_of(" \t\n", begin);
  if (end == std::string_view::npos) return {text.substr(begin), {}};
  return {text.substr(begin, end - begin), text.substr(end + 1)};
}

Instance* Space::find(std::string_view extension) {
  const auto found = std::ranges::find(instances, extension, &Instance::name);
  return found == instances.end() ? nullptr : &*found;
}

base::Result<Space::Addressed> Space::address(std::string_view line) const {
  const auto [first, rest] = split_word(line);
  const auto [second, args] = split_word(rest);
  for (const Instance& instance : instances)
    if (instance.name == first && has_command(instance, second))
      return Addressed{
          .instance = &instance, .command = std::string(second), .args = trimmed(args)};
  std::vector<const Instance*> owners;
  for (const Instance& instance : instances)
    if (has_command(instance, first)) owners.push_back(&instance);
  const std::string name(first);
  if (owners.empty())
    return base::fail(base::Code::not_found, "there is no command /" + name,
                      "/help lists all commands.");
  if (owners.size() > 1)
    return base::fail(
        base::Code::invalid_argument, "/" + name + " is a command of more than one extension",
        "Type /" + owners[0]->name + " " + name + " or /" + owners[1]->name + " " + name + ".");
  return Addressed{.instance = owners.front(), .command = name, .args = trimmed(rest)};
}

base::Result<std::pair<const Instance*, const Tool*>> Space::find_tool(
    std::string_view name) const {
  for (const Instance& instance : instances)
    for (const Tool& tool : instance.tools)
      if (tool.name == name) return std::pair(&instance, &tool);
  return base::fail(base::Code::not_found, "there is no tool " + std::string(name));
}

std::vector<CommandInfo> Space::commands() const {
  std::vector<CommandInfo> all;
  for (const Instance& instance : instances)
    all.insert(all.end(), instance.commands.begin(), instance.commands.end());
  return all;
}

bool Space::listens_to(std::string_view event) const {
  return std::ranges::any_of(
      instances, [&](const Instance& instance) { return instance.events.contains(event); });
}

bool Space::must_decide(std::string_view extension, std::string_view event) const {
  const auto guard = guards.find(extension);
  return guard != guards.end() && guard->second.contains(event);
}

bool Space::is_guarded(std::string_view event) const {
  return std::ranges::any_of(guards,
                             [&](const auto& guard) { return guard.second.contains(event); });
}

}  // namespace extension
