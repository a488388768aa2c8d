// `holdfast serve --check`: the trial of a daemon that is to replace another.

#pragma once

#include "base/result.h"
#include "config/config.h"

namespace holdfast {

// Whether the keys and the certificate that it names can be used.
[[nodiscard]] base::Status check_files(const config::Config& config);

// Whether a daemon could serve with that configuration. Changes nothing.
[[nodiscard]] base::Status check(const config::Config& config);

}  // namespace holdfast
