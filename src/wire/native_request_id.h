// The client's id for its request, as JSON, to be repeated in the answer.

#pragma once

#include <string>

namespace wire::native {

struct RequestId {
  std::string json;
  friend bool operator==(const RequestId&, const RequestId&) = default;
};

}  // namespace wire::native
