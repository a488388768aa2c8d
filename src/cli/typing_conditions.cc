#include "cli/typing_conditions.h"

#include "cli/duration.h"

namespace cli {

void TypingConditions::add_to(const Arguments& command) {
  command.add_option("--lease", lease_, "The lease that you hold, from `holdfast lease`");
  command
      .add_flag("--if-idle{10s}", idle_,
                "Refuse if a person typed there within the last 10s; --if-idle=2m: within that "
                "time")
      .is_duration();
}

void TypingConditions::put_into(boost::json::object& body) const {
  if (!lease_.empty()) body["lease"] = lease_;
  if (!idle_.empty()) body["ifIdle"] = duration(idle_)->count();
}

}  // namespace cli
