#include "wire/status.h"

namespace wire {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::running:
      return "running";
    case Status::exited:
      return "exited";
    case Status::restorable:
      return "restorable";
  }
  return "exited";
}

std::string_view to_string(CloseReason reason) {
  switch (reason) {
    case CloseReason::user_requested:
      return "user_requested";
    case CloseReason::process_exit:
      return "process_exit";
    case CloseReason::idle_timeout:
      return "idle_timeout";
    case CloseReason::error:
      return "error";
  }
  return "error";
}

}  // namespace wire
