// The state that the keeper passes to the program that replaces it: a memfd of messages, each
// preceded by its length (u32).
//
// The first message is `saved_keeper`. Any number of `saved_connection`, `saved_listener` and
// `saved_child` follow. Fields named fd_… are numbers of descriptors that stay open across the
// execve. Unknown fields and tags are ignored, and missing fields get their defaults, so each
// version can read the state of the next and of the previous one.

#pragma once

#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "keeper_protocol/protocol.h"

namespace keeper {

[[nodiscard]] base::Result<base::Fd> write_state(const std::vector<Message>& messages);
// Fails unless every message is whole and the first is `saved_keeper`.
[[nodiscard]] base::Result<std::vector<Message>> read_state(const base::Fd& state);

// Whether this program could continue from that state: whether it knows every kind of child and the
// format of every journal that is open here. A keeper of revision 0 opens no journals for its
// trial.
[[nodiscard]] base::Status check_state(const std::vector<Message>& saved);

// Takes over the descriptor that a saved field names and sets close-on-exec again. Invalid if there
// is none.
[[nodiscard]] base::Fd adopt(const Message& saved, Field field);

}  // namespace keeper
