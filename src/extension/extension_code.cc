#include "extension/extension_code.h"

#include <algorithm>

#include "base/log.h"

namespace extension {

std::vector<Found> ExtensionCode::find(const session::SessionRow& session) {
  if (!settings_.off.empty()) return {};
  const std::filesystem::path directory = sessions_.directory_of(session);
  std::vector<std::filesystem::path> directories{settings_.directory};
  if (auto trusted = store_.extensions().trusted(session.user))
    if (std::ranges::find(*trusted, directory.string()) != trusted->end())
      directories.push_back(directory / ".holdfast/extensions");
  Discovery found = discover(settings_.paths, directories);
  for (const std::string& warning : found.warnings)
    base::log(base::Level::warning, "skipped an extension", {{"reason", warning}});
  return std::move(found.extensions);
}

std::vector<Instance> ExtensionCode::wanted(const Space& space) {
  std::vector<Instance> instances;
  for (const Found& each : find(space.session)) {
    if (const auto why = space.disabled.why(each.name)) {
      instances.push_back({.name = each.name, .disabled = true, .error = *why});
      continue;
    }
    auto generation =
        store_.extensions().next_generation({.session = space.session.id, .name = each.name});
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

void ExtensionCode::add_absent_guards(Space& space) {
  space.guards.read();
  for (const Found& each : find(space.session)) {
    if (space.instances.find(each.name) != nullptr) continue;
    if (space.guards.are_known() && !space.guards.is_guard(each.name)) continue;
    space.instances.add({.name = each.name,
                         .path = each.path.string(),
                         .error = "it was not running when this daemon started"});
  }
}

}  // namespace extension
