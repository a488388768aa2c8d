// The environment as a dependency: what reads variables takes an Environment, so that its tests
// decide what is set.

#pragma once

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace base {

// The value of a variable; empty if it is not set, which nothing here tells apart.
using Environment = std::function<std::string(std::string_view name)>;

[[nodiscard]] Environment process_environment();

// Where a user's keeper is looked for unless somebody says otherwise: $HOLDFAST_RUNTIME_DIR, else
// $XDG_RUNTIME_DIR/holdfast, else /tmp/holdfast-UID; root's in /run/holdfast.
[[nodiscard]] std::filesystem::path default_runtime_dir(const Environment& environment,
                                                        uid_t uid = ::geteuid());

}  // namespace base
