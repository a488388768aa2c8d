// What can be asked about sessions.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.h"
#include "operation/caller.h"
#include "session/sessions.h"
#include "wire/native_events.h"

namespace operation {

using wire::native::SessionInfo;

struct NewSession {
  std::string name;
  session::SessionKind kind = session::SessionKind::interactive;
  std::string work_dir{};
  std::optional<session::Isolation> isolation{};  // None: as configured.
};

class SessionOperations {
 public:
  explicit SessionOperations(session::Sessions& sessions) : sessions_(sessions) {}

  [[nodiscard]] std::vector<SessionInfo> list(const Caller& caller);
  [[nodiscard]] base::Result<SessionInfo> create(const Caller& caller, const NewSession& wanted);
  [[nodiscard]] base::Status rename(const Caller& caller, const std::string& name,
                                    const std::string& new_name);
  boost::asio::awaitable<base::Status> close(Caller caller, std::string name);

 private:
  session::Sessions& sessions_;
};

}  // namespace operation
