// `holdfast` alone: what runs, and the commands that people want first.

#pragma once

#include "base/result.h"

namespace cli {

[[nodiscard]] base::Status show_overview();

}  // namespace cli
