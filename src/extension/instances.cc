#include "extension/instances.h"

#include <algorithm>

#include "extension/params.h"

namespace extension {

namespace json = boost::json;

namespace {

constexpr std::size_t kMostRegistered = 1000;  // Of each kind.

template <class T>
std::vector<T> at_most(std::vector<T> list) {
  if (list.size() > kMostRegistered) list.erase(list.begin() + kMostRegistered, list.end());
  return list;
}

bool offers(const Instance& instance, std::string_view name) {
  return std::ranges::find(instance.offers.commands, name, &CommandInfo::name) !=
         instance.offers.commands.end();
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

json::array to_json(const std::vector<Instance>& instances) {
  json::array list;
  for (const Instance& instance : instances)
    if (!instance.disabled)
      list.push_back(json::object{{"name", instance.name},
                                  {"path", instance.path},
                                  {"generation", instance.next.value_or(instance.generation)}});
  return list;
}

// The same extension, with the next generation of its code.
Instance successor(const Instance& old, const Instance& fresh) {
  Instance next = old;
  next.path = fresh.path;
  next.next = fresh.generation;
  return next;
}

// The same extension, about to be unloaded.
Instance leaver(const Instance& old, const Instance& fresh) {
  Instance leaving = old;
  leaving.disabled = true;
  leaving.error = fresh.error;
  return leaving;
}

std::string error_text(const json::object& error) {
  Params params(error);
  std::string text = params.optional_text("message").value_or("it failed to load");
  if (const auto file = params.optional_text("file")) {
    std::string place = *file;
    if (const auto line = params.number("line", 0); line > 0) place += ":" + std::to_string(line);
    text = place + ": " + text;
  }
  return text;
}

}  // namespace

std::pair<std::string_view, std::string_view> split_word(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find_first_of(" \t\n", begin);
  if (end == std::string_view::npos) return {text.substr(begin), {}};
  return {text.substr(begin, end - begin), text.substr(end + 1)};
}

Registration read_registration(const json::object& message, const std::string& extension) {
  Params params(message);
  Registration read;
  for (const json::object& each : at_most(params.objects("commands"))) {
    Params command(each);
    read.commands.push_back({.name = command.text("name"),
                             .extension = extension,
                             .description = command.optional_text("description")});
  }
  for (const json::object& each : at_most(params.objects("tools"))) {
    Params tool(each);
    read.tools.push_back({.name = tool.text("name"),
                          .description = tool.optional_text("description"),
                          .parameters = tool.value("parameters")});
  }
  const auto events = at_most(params.texts("events"));
  read.events = {events.begin(), events.end()};
  return read;
}

const Instance* Instances::find(std::string_view extension) const {
  const auto found = std::ranges::find(all_, extension, &Instance::name);
  return found == all_.end() ? nullptr : &*found;
}

Instance* Instances::find(std::string_view extension) {
  const auto found = std::ranges::find(all_, extension, &Instance::name);
  return found == all_.end() ? nullptr : &*found;
}

void Instances::keep_only(const std::set<std::string>& names) {
  std::erase_if(all_, [&](const Instance& instance) { return !names.contains(instance.name); });
}

json::array Instances::to_load() const {
  return to_json(all_);
}

bool Instances::has_any_to_load() const {
  return !std::ranges::all_of(all_, &Instance::disabled);
}

bool Instances::may_call(std::string_view extension, std::int64_t generation) const {
  const Instance* const instance = find(extension);
  return instance != nullptr &&
         (generation == instance->generation || generation == instance->next);
}

bool Instances::may_call_while_loading(std::string_view extension, std::int64_t generation) {
  if (find(extension) == nullptr)
    add({.name = std::string(extension), .path = {}, .generation = generation});
  return may_call(extension, generation) || generation > find(extension)->generation;
}

std::string Instances::take_outcomes(const json::value& result) {
  std::string trouble;
  if (!result.is_object()) return "the runner sent an invalid answer";
  Params answer(result.get_object());
  for (const json::object& outcome : answer.objects("extensions")) {
    Params params(outcome);
    Instance* const instance = find(params.text("name"));
    if (instance == nullptr) continue;
    const std::string status = params.text("status");
    instance->generation = params.number("generation", instance->generation);
    instance->next.reset();
    instance->runs = status != "failed";
    instance->error.clear();
    if (!instance->runs) instance->offers = {};
    const json::value error = params.value("error");
    if (!error.is_object()) continue;
    instance->error = error_text(error.get_object());
    const char* const but = status == "failed" ? "" : " (the previous code keeps running)";
    trouble += (trouble.empty() ? "" : "\n") + instance->name + ": " + instance->error + but;
  }
  return trouble;
}

void Instances::failed_to_load(const std::string& why) {
  for (Instance& instance : all_)
    if (!instance.disabled) instance.error = why;
}

void Instances::ended(const std::string& why) {
  for (Instance& instance : all_)
    if (!instance.disabled) instance = {.name = instance.name, .error = why};
}

void Instances::closed(const std::string& why) {
  for (Instance& instance : all_) instance = {.name = instance.name, .error = why};
}

json::array Instances::begin_reload(std::vector<Instance> wanted) {
  if (former_.size() > kMostRegistered) former_.clear();
  for (const CommandInfo& command : commands()) former_[command.name] = command.extension;
  for (Instance& fresh : wanted)
    if (const Instance* old = find(fresh.name); old != nullptr && !old->disabled)
      fresh = fresh.disabled ? leaver(*old, fresh) : successor(*old, fresh);
  json::array list = to_json(wanted);
  leaving_.clear();
  for (const Instance& old : all_)
    if (std::ranges::find(wanted, old.name, &Instance::name) == wanted.end()) {
      leaving_.insert(old.name);
      wanted.push_back(old);
    }
  all_ = std::move(wanted);
  return list;
}

std::vector<std::string> Instances::end_reload() {
  std::vector<std::string> gone(leaving_.begin(), leaving_.end());
  std::erase_if(all_, [&](const Instance& instance) { return leaving_.contains(instance.name); });
  leaving_.clear();
  for (Instance& instance : all_) {
    if (!instance.disabled) continue;
    instance = {.name = instance.name, .disabled = true, .error = instance.error};
    gone.push_back(instance.name);
  }
  return gone;
}

base::Result<Instances::AddressedCommand> Instances::address(std::string_view line) const {
  const auto [first, rest] = split_word(line);
  const auto [second, args] = split_word(rest);
  for (const Instance& instance : all_)
    if (instance.name == first && offers(instance, second))
      return AddressedCommand{
          .instance = &instance, .command = std::string(second), .args = trimmed(args)};
  std::vector<const Instance*> owners;
  for (const Instance& instance : all_)
    if (offers(instance, first)) owners.push_back(&instance);
  const std::string name(first);
  if (owners.empty() && find(first) != nullptr && !second.empty())
    return base::fail(no_command(first, std::string(second)));
  if (owners.empty()) return base::fail(no_command({}, name));
  if (owners.size() > 1)
    return base::fail(
        base::Code::invalid_argument, "/" + name + " is a command of more than one extension",
        "Type /" + owners[0]->name + " " + name + " or /" + owners[1]->name + " " + name + ".");
  return AddressedCommand{.instance = owners.front(), .command = name, .args = trimmed(rest)};
}

// `extension`: who is asked for it; empty: anybody.
base::Error Instances::no_command(std::string_view extension, const std::string& name) const {
  base::Error error{.code = base::Code::not_found,
                    .what = "there is no command /" +
                            (extension.empty() ? "" : std::string(extension) + " ") + name,
                    .advice = "/help lists all commands."};
  const auto former = former_.find(name);
  if (former == former_.end() || (!extension.empty() && former->second != extension)) return error;
  const Instance* const owner = find(former->second);
  error.what += " any more: " + former->second;
  if (owner == nullptr || !owner->runs) {
    error.what += owner == nullptr ? " was removed by a reload" : " is not running";
    return error;
  }
  std::string now;
  for (const CommandInfo& command : owner->offers.commands)
    now += (now.empty() ? "/" : ", /") + command.name;
  error.what += " was reloaded and has " + (now.empty() ? "no commands" : now) + " now";
  return error;
}

bool Instances::has_command(std::string_view name) const {
  return std::ranges::any_of(all_,
                             [&](const Instance& instance) { return offers(instance, name); });
}

base::Result<std::pair<const Instance*, const Tool*>> Instances::find_tool(
    std::string_view name) const {
  for (const Instance& instance : all_)
    for (const Tool& tool : instance.offers.tools)
      if (tool.name == name) return std::pair(&instance, &tool);
  return base::fail(base::Code::not_found, "there is no tool " + std::string(name));
}

std::vector<CommandInfo> Instances::commands() const {
  std::vector<CommandInfo> all;
  for (const Instance& instance : all_)
    all.insert(all.end(), instance.offers.commands.begin(), instance.offers.commands.end());
  return all;
}

std::vector<std::pair<std::string, Tool>> Instances::tools() const {
  std::vector<std::pair<std::string, Tool>> all;
  for (const Instance& instance : all_)
    for (const Tool& tool : instance.offers.tools) all.emplace_back(instance.name, tool);
  return all;
}

std::set<std::string, std::less<>> Instances::events() const {
  std::set<std::string, std::less<>> all;
  for (const Instance& instance : all_)
    all.insert(instance.offers.events.begin(), instance.offers.events.end());
  return all;
}

bool Instances::listens_to(std::string_view event) const {
  return std::ranges::any_of(
      all_, [&](const Instance& instance) { return instance.offers.events.contains(event); });
}

}  // namespace extension
