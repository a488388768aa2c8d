// The environment as a dependency: code that reads variables takes an Environment, so that tests
// control them.

#pragma once

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace base {

// The value of a variable. Empty and unset are the same.
using Environment = std::function<std::string(std::string_view name)>;

[[nodiscard]] Environment process_environment();

// The default runtime directory: $HOLDFAST_RUNTIME_DIR, else $XDG_RUNTIME_DIR/holdfast, else
// /tmp/holdfast-UID. For root, /run/holdfast instead of the last two.
[[nodiscard]] std::filesystem::path default_runtime_dir(const Environment& environment,
                                                        uid_t uid = ::geteuid());

// The environment without the variables of the daemon, of systemd and of other terminals.
[[nodiscard]] std::vector<std::string> clean_environment(const char* const* environment);

}  // namespace base
