// Writes a line about an extension, or about what it holds, to the lifecycle log.

#pragma once

#include <string>
#include <string_view>

#include "session/store.h"

namespace extension {

// A store that refuses it is only reported: nothing waits for the log.
void note(session::Store& store, const session::SessionRow& session, const std::string& subject,
          std::string_view event, const std::string& detail);

}  // namespace extension
