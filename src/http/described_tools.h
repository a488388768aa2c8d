// The tools of a session, as the native protocol says them.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include <boost/json/serialize.hpp>

#include "extension/instances.h"
#include "wire/native_extension_events.h"

namespace http {

// Each with its extension's name.
inline std::vector<wire::native::ToolInfo> described_tools(
    const std::vector<std::pair<std::string, extension::Tool>>& tools) {
  std::vector<wire::native::ToolInfo> infos;
  for (const auto& [extension, tool] : tools)
    infos.push_back({.name = tool.name,
                     .extension = extension,
                     .description = tool.description,
                     .parameters = boost::json::serialize(tool.parameters)});
  return infos;
}

}  // namespace http
