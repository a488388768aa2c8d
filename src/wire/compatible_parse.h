// Shared by the parsers of the compatible and the single protocol.

#pragma once

#include "wire/compatible.h"
#include "wire/message.h"

namespace wire::compatible {

[[nodiscard]] std::string_view error_text(Fault::Kind kind);

}  // namespace wire::compatible
