#include "terminal/typing.h"

namespace terminal {

base::Status Typing::write(std::string_view bytes) {
  const bool is_typed = !is_focus_report(bytes);
  if (is_typed)
    if (auto may = keyboard_.person_types(leases_yield_); !may) return may;
  begins_();
  if (is_typed) person_();
  return input_.write(bytes);
}

base::Status Typing::send(std::string_view bytes, ProgramInput program) {
  if (auto may = keyboard_.program_may_type(program.lease); !may) return may;
  begins_();
  if (program.keyed.key.empty()) return input_.write(bytes);
  return input_.write_once(std::move(program.keyed), bytes);
}

}  // namespace terminal
