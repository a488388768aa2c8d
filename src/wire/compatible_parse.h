// What the compatible protocol's parser shares with the single one's.

#pragma once

#include "wire/compatible.h"
#include "wire/message.h"

namespace wire::compatible {

[[nodiscard]] std::string_view error_text(Fault::Kind kind);

}  // namespace wire::compatible
