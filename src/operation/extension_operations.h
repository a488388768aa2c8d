// What can be asked of the extensions of a session. A session is named as for terminals: `main` is
// there without having been made.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include "base/result.h"
#include "extension/extensions.h"
#include "operation/caller.h"
#include "session/sessions.h"
#include "wire/native_extension_events.h"

namespace operation {

using wire::native::ResourceInfo;

class ExtensionOperations {
 public:
  // A tool, and the extension that offers it.
  using OfferedTool = std::pair<std::string, extension::Tool>;
  // Gets what a call prints, as it comes.
  using Progress = std::function<void(std::string_view)>;

  ExtensionOperations(session::Sessions& sessions, extension::Extensions& extensions)
      : sessions_(sessions), extensions_(extensions) {}

  [[nodiscard]] base::Result<session::SessionRow> session(const Caller& caller,
                                                          const std::string& name) const;
  [[nodiscard]] base::Result<std::vector<extension::CommandInfo>> commands(
      const Caller& caller, const std::string& session) const;
  [[nodiscard]] base::Result<std::vector<OfferedTool>> tools(const Caller& caller,
                                                             const std::string& session) const;
  [[nodiscard]] base::Result<std::vector<ResourceInfo>> resources(const Caller& caller,
                                                                  const std::string& session) const;

  // A call that can be cancelled by its id.
  [[nodiscard]] extension::Call begin(const Caller& caller, Progress progress = {}) const;
  // `/command arguments` or `! shell command`. Finished even if the caller is gone.
  boost::asio::awaitable<base::Result<extension::RunResult>> run(Caller caller, std::string session,
                                                                 std::string line,
                                                                 extension::Call call);
  boost::asio::awaitable<base::Result<boost::json::value>> call_tool(Caller caller,
                                                                     std::string session,
                                                                     std::string tool,
                                                                     boost::json::value arguments,
                                                                     extension::Call call);
  boost::asio::awaitable<base::Status> close_resource(Caller caller, std::string session,
                                                      std::string extension, std::string key);

 private:
  session::Sessions& sessions_;
  extension::Extensions& extensions_;
};

}  // namespace operation
