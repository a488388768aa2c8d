// docs/skill.md, which the build puts into the program.

#pragma once

namespace cli {

extern const char* const kSkill;

}  // namespace cli
