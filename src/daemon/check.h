// `holdfast serve --check`: an upgrade's trial of the new daemon.

#pragma once

#include "base/result.h"
#include "config/config.h"

namespace holdfast {

// Whether the configured keys and certificate can be used.
[[nodiscard]] base::Status check_files(const config::Config& config);

// Whether a daemon could serve with this configuration. Changes nothing.
[[nodiscard]] base::Status check(const config::Config& config);

}  // namespace holdfast
