// Typing into a terminal: what people press, and what programs send.

#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "terminal/input.h"
#include "terminal/keyboard.h"

namespace terminal {

class Typing {
 public:
  // `begins` is called before anything is written, and `person` then if a person does it.
  Typing(Input& input, Keyboard& keyboard, bool leases_yield, std::function<void()> begins,
         std::function<void()> person)
      : input_(input),
        keyboard_(keyboard),
        leases_yield_(leases_yield),
        begins_(std::move(begins)),
        person_(std::move(person)) {}

  // Input from a person.
  [[nodiscard]] base::Status write(std::string_view bytes);
  // Input from a program. Fails with `busy` if another program holds the keyboard.
  [[nodiscard]] base::Status send(std::string_view bytes, ProgramInput program = {});
  // What was accepted with that key before.
  [[nodiscard]] const journal::KeyedInput* accepted(std::string_view key) const {
    return input_.accepted(key);
  }

 private:
  Input& input_;
  Keyboard& keyboard_;
  bool leases_yield_;
  std::function<void()> begins_;
  std::function<void()> person_;
};

}  // namespace terminal
