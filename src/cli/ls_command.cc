#include <unistd.h>

#include <cstdio>
#include <optional>

#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/attach_target.h"
#include "cli/command.h"
#include "cli/event_stream.h"
#include "cli/request.h"
#include "cli/table.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;

Field status_of(const json::object& terminal) {
  std::string status = holdfast::text_in(terminal, "status");
  if (status == "running") return {status, Look::good};
  const json::value* const code = terminal.if_contains("exitCode");
  if (code == nullptr || !code->is_int64()) return {status, Look::warning};
  const bool is_good = code->get_int64() == 0;
  return {status + " (" + std::to_string(code->get_int64()) + ")",
          is_good ? Look::faint : Look::bad};
}

std::string size_of(const json::object& terminal) {
  return std::to_string(holdfast::count_in(terminal, "cols")) + "x" +
         std::to_string(holdfast::count_in(terminal, "rows"));
}

class LsCommand final : public Command {
 public:
  explicit LsCommand(const Arguments& holdfast) : Command(holdfast, "ls", "List terminals") {
    command().add_option("-s,--session", session_, "Only the terminals of this session");
    const Argument json = command().add_flag("--json", json_, "Print JSON");
    command()
        .add_flag("-w,--watch", watch_, "Print the list again whenever something happens")
        .excludes(json);
    explain(command(), {"holdfast ls", "holdfast ls --session work --json"});
  }

  base::Result<int> run() override {
    if (!watch_) return print_list();
    std::optional<base::Error> failed;
    const auto followed = follow_events("", [&](const Event&) {
      // On a terminal in place of the last one, from the top left.
      std::fputs(::isatty(STDOUT_FILENO) == 1 ? "\x1b[H\x1b[2J" : "\n", stdout);
      const auto printed = print_list();
      std::fflush(stdout);
      if (!printed && printed.error().code != base::Code::unavailable) failed = printed.error();
      return failed ? Next::stop : Next::go_on;
    });
    if (failed) return base::fail(*failed);
    if (!followed) return base::fail(followed.error());
    return 0;
  }

 private:
  base::Result<int> print_list() {
    const std::string target =
        "/terminals" + (session_.empty() ? "" : "?session=" + base::encode_percents(session_));
    if (json_) return print_answer(target);
    const auto answer = call("GET", target);
    if (!answer) return base::fail(answer.error());
    std::vector<Row> rows;
    for (const json::value& each : answer->at("terminals").as_array()) {
      const json::object& terminal = each.as_object();
      rows.push_back({holdfast::text_in(terminal, "terminalId"),
                      holdfast::text_in(terminal, "session"), holdfast::text_in(terminal, "name"),
                      status_of(terminal), size_of(terminal), program_of(terminal),
                      holdfast::text_in(terminal, "workingDirectory")});
    }
    print_table({"ID", "SESSION", "NAME", "STATUS", "SIZE", "PROGRAM", "DIRECTORY"}, rows);
    return 0;
  }

  std::string session_;
  bool json_ = false;
  bool watch_ = false;
};

}  // namespace

std::unique_ptr<Command> make_ls_command(const Arguments& holdfast) {
  return std::make_unique<LsCommand>(holdfast);
}

}  // namespace cli
