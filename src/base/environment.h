// The environment as a dependency: what reads variables takes an Environment, so that its tests
// decide what is set.

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace base {

// The value of a variable; empty if it is not set, which nothing here tells apart.
using Environment = std::function<std::string(std::string_view name)>;

[[nodiscard]] Environment process_environment();

// Where a keeper is looked for unless somebody says otherwise: $HOLDFAST_RUNTIME_DIR, else
// $XDG_RUNTIME_DIR/holdfast, else /tmp/holdfast-UID.
[[nodiscard]] std::filesystem::path default_runtime_dir(const Environment& environment);

}  // namespace base
