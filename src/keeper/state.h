// What the keeper hands to the program that replaces it: a memfd of messages, each preceded by its
// length (u32).
//
// The first is `saved_keeper`; then any number of `saved_connection`, `saved_listener` and
// `saved_child`. Fields named fd_… are the numbers of descriptors that stay open across the execve.
// As everywhere, unknown fields and tags are ignored and missing ones have their defaults, so that
// the next version can read this one's state, and this one the next's.

#pragma once

#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "keeper/protocol.h"

namespace keeper {

[[nodiscard]] base::Result<base::Fd> write_state(const std::vector<Message>& messages);
// Fails unless every message is whole and the first is `saved_keeper`.
[[nodiscard]] base::Result<std::vector<Message>> read_state(const base::Fd& state);

// Whether this program could go on from that state: whether it knows every kind of child, and the
// format of every journal that is open here. A keeper of revision 0 opens none for its trial.
[[nodiscard]] base::Status check_state(const std::vector<Message>& saved);

// The descriptor that a saved field names, from now on closed on exec again. Invalid if there is
// none.
[[nodiscard]] base::Fd adopt(const Message& saved, Field field);

}  // namespace keeper
