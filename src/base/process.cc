#include "base/process.h"

#include <sys/prctl.h>

namespace base {

void name_process(const char* name) {
  ::prctl(PR_SET_NAME, name);
}

void close_to_debuggers() {
  ::prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace base
