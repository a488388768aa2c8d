#include "extension/extension_code.h"

#include <algorithm>

#include "base/log.h"

namespace extension {

std::vector<FoundExtension> ExtensionCode::find(const session::SessionRow& session) {
  if (!settings_.off.empty()) return {};
  const std::filesystem::path directory = sessions_.logins().directory_of(session);
  std::vector<std::filesystem::path> directories{settings_.directory};
  if (auto trusted = store_.extensions().trusted(session.user))
    if (std::ranges::find(*trusted, directory.string()) != trusted->end())
      directories.push_back(directory / ".holdfast/extensions");
  Discovery found = discover(settings_.paths, directories);
  for (const std::string& warning : found.warnings)
    base::log(base::Level::warning, "skipped an extension", {{"reason", warning}});
  return std::move(found.extensions);
}

std::vector<Instance> ExtensionCode::wanted(const SessionExtensions& extensions) {
  std::vector<Instance> instances;
  for (const FoundExtension& each : find(extensions.session)) {
    if (const auto why = extensions.disabled.why(each.name)) {
      instances.push_back({.name = each.name, .disabled = true, .error = *why});
      continue;
    }
    auto generation =
        store_.extensions().next_generation({.session = extensions.session.id, .name = each.name});
    if (!generation) {
      base::log(base::Level::error, "cannot assign an extension's generation",
                {{"extension", each.name}, {"error", generation.error()}});
      instances.push_back(
          {.name = each.name, .disabled = true, .error = generation.error().message()});
      continue;
    }
    instances.push_back({.name = each.name, .path = each.path.string(), .generation = *generation});
  }
  return instances;
}

void ExtensionCode::add_absent_guards(SessionExtensions& extensions) {
  extensions.guards.read();
  for (const FoundExtension& each : find(extensions.session)) {
    if (extensions.instances.find(each.name) != nullptr) continue;
    if (extensions.guards.are_known() && !extensions.guards.is_guard(each.name)) continue;
    extensions.instances.add({.name = each.name,
                              .path = each.path.string(),
                              .error = "it was not running when this daemon started"});
  }
}

}  // namespace extension
