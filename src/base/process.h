// What a process of ours tells the kernel about itself.

#pragma once

namespace base {

// Its name in lists of processes. One that was run by a descriptor has that number there.
void name_process(const char* name);

// From now on nobody but root attaches to it, reads its memory, descriptors or environment, or gets
// a core dump of it: not the programs in its terminals either, which run as the same user. A
// program that the process becomes has to say so again.
void close_to_debuggers();

}  // namespace base
