#include <cstdio>

#include <boost/json.hpp>

#include "base/printable.h"
#include "cli/command.h"
#include "cli/event_stream.h"
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
    command().add_flag("-f,--follow", follow_, "Go on with what happens from now on");
    command().add_flag("--json", json_, "Print a JSON object in each line");
    explain(command(), {"holdfast events --follow"});
  }

  base::Result<int> run() override {
    const auto told = [this](const Event& event) {
      print(event);
      return Next::go_on;
    };
    const auto read =
        follow_ ? follow_events("?past=true", told) : read_events("?past=true&follow=false", told);
    if (!read) return base::fail(read.error());
    return 0;
  }

 private:
  void print(const Event& event) const {
    if (json_) {
      json::object line{{"id", event.id}, {"type", event.type}};
      for (const auto& [key, value] : event.data) line[key] = value;
      std::printf("%s\n", json::serialize(line).c_str());
    } else {
      const auto [which, name] = subject_of(event);
      std::printf("%s\t%s\t%s\t%s\n", holdfast::text_in(event.data, "at").c_str(),
                  event.type.c_str(), base::printable(which).c_str(),
                  base::printable(name).c_str());
    }
    std::fflush(stdout);
  }

  bool follow_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_events_command(const Arguments& holdfast) {
  return std::make_unique<EventsCommand>(holdfast);
}

}  // namespace cli
