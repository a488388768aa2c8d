#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <boost/json.hpp>

#include "base/printable.h"
#include "cli/command.h"
#include "cli/doctor_checks.h"
#include "config/load.h"

namespace cli {
namespace {

namespace json = boost::json;

void print(const Finding& finding) {
  const bool has_colours = ::isatty(STDOUT_FILENO) == 1;
  const char* const mark = finding.is_wrong ? "wrong" : "ok";
  const char* const colour = !has_colours ? "" : finding.is_wrong ? "\x1b[31m" : "\x1b[32m";
  std::printf("%s%-5s%s  %-17s  %s\n", colour, mark, has_colours ? "\x1b[m" : "",
              finding.about.c_str(), base::printable(finding.what).c_str());
  if (!finding.advice.empty()) std::printf("%26s%s\n", "", base::printable(finding.advice).c_str());
}

json::object as_json(const Finding& finding) {
  json::object object{{"about", finding.about}, {"ok", !finding.is_wrong}, {"what", finding.what}};
  if (!finding.advice.empty()) object["advice"] = finding.advice;
  return object;
}

class DoctorCommand final : public Command {
 public:
  explicit DoctorCommand(const Arguments& holdfast)
      : Command(holdfast, "doctor", "Find what is wrong here, and say what to do", Where::here) {
    command().add_flag("--json", json_, "Print JSON");
    explain(command(), {"holdfast doctor"},
            "It starts and changes nothing.\n\n"
            "Exit status: 0 if all is well, 1 if something is wrong.");
  }

  base::Result<int> run() override {
    const auto config = config::load({}, config::process_surroundings());
    if (!config) return base::fail(config.error());
    const auto findings = examine(*config);
    if (json_) {
      json::array all;
      for (const Finding& finding : findings) all.push_back(as_json(finding));
      std::printf("%s\n", json::serialize(json::object{{"findings", std::move(all)}}).c_str());
    } else {
      for (const Finding& finding : findings) print(finding);
    }
    return std::ranges::any_of(findings, &Finding::is_wrong) ? 1 : 0;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_doctor_command(const Arguments& holdfast) {
  return std::make_unique<DoctorCommand>(holdfast);
}

}  // namespace cli
