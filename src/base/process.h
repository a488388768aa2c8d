// What our processes tell the kernel about themselves.

#pragma once

namespace base {

// Sets the name in process lists. After fexecve that would be the descriptor's number.
void name_process(const char* name);

// Lets only root attach to this process, read its memory, descriptors or environment, or get its
// core dump. That keeps out the programs in its terminals, which run as the same user. Call it
// again after every exec.
void close_to_debuggers();

}  // namespace base
