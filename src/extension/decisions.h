// What it means when extensions that must decide about an event do not (docs/extensions.md).

#pragma once

#include <string_view>

#include <boost/json/value.hpp>

#include "base/result.h"
#include "extension/session_extensions.h"

namespace extension {

// Refuses if an extension that must decide is not running.
[[nodiscard]] base::Status all_can_decide(SessionExtensions& extensions, std::string_view event);
// The session's extensions did not answer. Goes on (null) unless one of them must decide.
[[nodiscard]] base::Result<boost::json::value> without_answer(const SessionExtensions& extensions,
                                                              std::string_view event,
                                                              const base::Error& why);
// The runner's answer to an event: the decision, or which extension failed to decide.
[[nodiscard]] base::Result<boost::json::value> as_decision(const SessionExtensions& extensions,
                                                           std::string_view event,
                                                           boost::json::value answer);

}  // namespace extension
