#include "extension/built_ins.h"

#include <array>

namespace extension {

namespace {

constexpr std::array kBuiltIns{
    BuiltIn{"help", "/help", "list all commands"},
    BuiltIn{"reload", "/reload", "reload the extensions; what they hold stays"},
    BuiltIn{"disable", "/disable NAME", "turn an extension off until the next /reload"},
    BuiltIn{"resources", "/resources [log]", "list the session's resources, or their log"},
    BuiltIn{"cleanup", "/cleanup [KEY]", "close orphaned and lost resources"},
    BuiltIn{"new", "/new [NAME] [--isolation process]",
            "create a session and switch to it, optionally with its own extension process"},
    BuiltIn{"switch", "/switch NAME", "switch to another session"},
};

}  // namespace

std::span<const BuiltIn> built_ins() {
  return kBuiltIns;
}

bool is_for_trouble(std::string_view command) {
  return command == "help" || command == "reload" || command == "disable";
}

std::vector<CommandInfo> all_commands(const Instances& instances) {
  std::vector<CommandInfo> all;
  for (const BuiltIn& each : kBuiltIns) {
    const bool is_taken = instances.has_command(each.name) && !is_for_trouble(each.name);
    all.push_back({.name = (is_taken ? std::string(kOwnName) + ":" : "") + std::string(each.name),
                   .extension = std::string(kOwnName),
                   .description = std::string(each.meaning)});
  }
  const auto more = instances.commands();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace extension
