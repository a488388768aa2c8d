#include <cstdio>

#include <boost/json.hpp>

#include "cli/command.h"
#include "cli/event_stream.h"
#include "cli/table.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;

const json::object* object_in(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

// Which terminal or session, and its name.
std::pair<std::string, std::string> subject_of(const Event& event) {
  const json::object* const terminal = object_in(event.data, "terminal");
  if (terminal == nullptr)
    return {holdfast::text_in(event.data, "oldName"), holdfast::text_in(event.data, "name")};
  const std::string name = holdfast::text_in(*terminal, "name");
  return {holdfast::text_in(*terminal, "terminalId"),
          holdfast::text_in(*terminal, "session") + (name.empty() ? "" : ":" + name)};
}

class EventsCommand final : public Command {
 public:
  explicit EventsCommand(const Arguments& holdfast)
      : Command(holdfast, "events", "Print what happened to terminals and sessions") {
    command().add_flag("-f,--follow", follow_, "Wait for more, and print that too");
    command().add_flag("--json", json_, "Print a JSON object in each line");
    explain(command(), {"holdfast events --follow"});
  }

  base::Result<int> run() override {
    GrowingTable table({"TIME", "EVENT", "SUBJECT", "NAME"}, {24, 19, 36});
    const auto told = [&](const Event& event) {
      if (json_)
        print_json(event);
      else
        table.add(row_of(event));
      return Next::go_on;
    };
    const auto read =
        follow_ ? follow_events("?past=true", told) : read_events("?past=true&follow=false", told);
    if (!read) return base::fail(read.error());
    return 0;
  }

 private:
  static void print_json(const Event& event) {
    json::object line{{"id", event.id}, {"type", event.type}};
    for (const auto& [key, value] : event.data) line[key] = value;
    std::printf("%s\n", json::serialize(line).c_str());
    std::fflush(stdout);
  }
  static Row row_of(const Event& event) {
    const auto [which, name] = subject_of(event);
    return {Field(holdfast::text_in(event.data, "at"), Look::faint), event.type, which, name};
  }

  bool follow_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_events_command(const Arguments& holdfast) {
  return std::make_unique<EventsCommand>(holdfast);
}

}  // namespace cli
