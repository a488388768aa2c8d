// Blocking questions to the daemon in the native protocol (docs/protocol.md).

#pragma once

#include <memory>

#include <boost/json/object.hpp>

#include "base/result.h"

namespace cli {

class Conversation {
 public:
  Conversation();
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  // Starts a daemon if none runs.
  [[nodiscard]] base::Status open();
  [[nodiscard]] base::Status send(const char* type, boost::json::object data, int request = 0);
  // The next text message.
  [[nodiscard]] base::Result<boost::json::object> receive();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace cli
