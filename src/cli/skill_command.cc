#include <cstdio>

#include "cli/command.h"
#include "cli/skill.h"

namespace cli {
namespace {

class SkillCommand final : public Command {
 public:
  explicit SkillCommand(const Arguments& holdfast)
      : Command(holdfast, "skill", "Print a page that teaches an agent to use this", Where::here) {
    explain(command(), {"holdfast skill > SKILL.md"});
  }

  base::Result<int> run() override {
    std::fputs(kSkill, stdout);
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> make_skill_command(const Arguments& holdfast) {
  return std::make_unique<SkillCommand>(holdfast);
}

}  // namespace cli
