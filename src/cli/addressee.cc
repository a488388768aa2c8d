#include "cli/addressee.h"

namespace cli {

using boost::beast::http::field;

void address(boost::beast::http::fields& request, const std::optional<Server>& server) {
  request.set(field::host, server ? server->address.authority() : "localhost");
  if (server) request.set(field::authorization, "Bearer " + server->token);
}

base::Error refused(const boost::beast::websocket::response_type& answer) {
  return {.code = base::Code::permission_denied,
          .what = "the daemon refused the connection: " + std::to_string(answer.result_int()) +
                  " " + std::string(answer.reason()),
          .advice = ""};
}

}  // namespace cli
