// What programs can type, and their hold on a terminal's keyboard.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "operation/offset.h"
#include "operation/target.h"

namespace operation {

// Input, as it is.
struct Text {
  std::string text;
};
// Text as if a person had pasted it: in brackets, if the program asked for that.
struct Paste {
  std::string text;
};
// Keys by their names; see operation/keys.h.
struct Keys {
  std::vector<std::string> names;
};
struct SendRequest {
  std::variant<Text, Paste, Keys> input;
  bool enter = false;  // Press Enter afterwards.
  // The same input with the same key is typed once, however often it is sent. Empty: none.
  std::string key{};
  std::string lease{};  // Empty: none. Then it is refused while another program has one.
  // Refuse if a person typed within that time.
  std::optional<std::chrono::milliseconds> if_idle{};
};

struct LeaseRequest {
  std::chrono::seconds time{30};
  std::string holder = "a program";  // Told to those who are refused.
  std::string lease{};               // Renew this one. Empty: take a new one.
};

// Where input was taken that was accepted with a key, if it is the same request that comes again.
[[nodiscard]] base::Result<Offset> offset_of_repeated(const journal::KeyedInput& accepted,
                                                      const journal::Digest& request);

class InputOperations {
 public:
  explicit InputOperations(const Finder& finder) : finder_(finder) {}

  // Returns the offset at which the input was taken.
  [[nodiscard]] base::Result<Offset> send(const Caller& caller, const Target& target,
                                          const SendRequest& request);
  // While a program holds the keyboard, others may not type. See terminal/keyboard.h.
  [[nodiscard]] base::Result<terminal::Lease> lease(const Caller& caller, const Target& target,
                                                    const LeaseRequest& request);
  [[nodiscard]] base::Status release(const Caller& caller, const Target& target,
                                     const std::string& lease);

 private:
  const Finder& finder_;
};

}  // namespace operation
