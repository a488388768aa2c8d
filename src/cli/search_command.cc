#include <unistd.h>

#include <cstdio>

#include <boost/json.hpp>

#include "base/percent.h"
#include "base/printable.h"
#include "cli/attach_target.h"
#include "cli/command.h"
#include "cli/request.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;
using holdfast::count_in;
using holdfast::text_in;

// As grep prints it: where, then the line.
void print(const json::object& match) {
  const bool has_colours = ::isatty(STDOUT_FILENO) == 1;
  const std::string label = base::printable(
      label_of(text_in(match, "terminalId"), text_in(match, "session"), text_in(match, "name")));
  const std::string offset =
      match.contains("offset") ? std::to_string(count_in(match, "offset")) : "-";
  std::printf("%s%s%s\t%zu\t%s\t%s\n", has_colours ? "\x1b[35m" : "", label.c_str(),
              has_colours ? "\x1b[m" : "", count_in(match, "line"), offset.c_str(),
              base::printable(text_in(match, "text")).c_str());
}

class SearchCommand final : public Command {
 public:
  explicit SearchCommand(const Arguments& holdfast)
      : Command(holdfast, "search", "Find lines in the screens and histories of all terminals") {
    command()
        .add_option("pattern", pattern_, "A regular expression (RE2) that lines must match")
        .required();
    command().add_option("-s,--session", session_, "Only the terminals of this session");
    command().add_option("-n,--limit", limit_, "How many lines to print; 100 by default");
    command().add_flag("--json", json_, "Print JSON");
    explain(command(), {"holdfast search 'error|warning'", "holdfast search -s work '^FAIL'"},
            "Prints the terminal, the line's number (1 is the oldest line that is remembered), "
            "the offset after the line or -, and the line. If more lines match than are "
            "printed, the newest of each terminal are printed, and a message says how many are "
            "left out.\n\n"
            "Exit status: 0 if a line was found, 1 if none was or on errors.");
  }

  base::Result<int> run() override {
    std::string target =
        "/search?pattern=" + base::encode_percents(pattern_) + "&limit=" + std::to_string(limit_);
    if (!session_.empty()) target += "&session=" + base::encode_percents(session_);
    const auto found = call("GET", target);
    if (!found) return base::fail(found.error());
    const json::array& matches = found->at("matches").as_array();
    if (json_)
      std::printf("%s\n", json::serialize(*found).c_str());
    else
      for (const json::value& match : matches) print(match.as_object());
    if (const auto left_out = count_in(*found, "leftOut"); !json_ && left_out > 0)
      std::fprintf(stderr, "holdfast: %zu more lines match; use --limit\n", left_out);
    for (const json::value& id : found->at("skipped").as_array())
      std::fprintf(
          stderr, "holdfast: %s was not searched, because it was resized all the time; try again\n",
          base::printable(id.as_string()).c_str());
    return matches.empty() ? 1 : 0;
  }

 private:
  std::string pattern_;
  std::string session_;
  int limit_ = 100;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_search_command(const Arguments& holdfast) {
  return std::make_unique<SearchCommand>(holdfast);
}

}  // namespace cli
