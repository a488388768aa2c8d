#include "cli/detach_keys_option.h"

#include <cstdlib>

namespace cli {
namespace {

constexpr const char* kVariable = "HOLDFAST_DETACH_KEYS";

}  // namespace

void DetachKeysOption::add_to(const Arguments& command) {
  command
      .add_option("--detach-keys", given_,
                  "The key for the menu: a control key; or a control key and another one that "
                  "detach at once, such as \"C-b d\"; or none. By default: HOLDFAST_DETACH_KEYS, "
                  "or C-\\")
      .check([](const std::string& text) -> base::Status {
        const auto keys = DetachKeys::parse(text);
        return keys ? base::Status() : base::fail(keys.error());
      });
}

base::Result<DetachKeys> DetachKeysOption::chosen() const {
  if (!given_.empty()) return DetachKeys::parse(given_);
  const char* const usual = std::getenv(kVariable);
  if (usual == nullptr || *usual == '\0') return DetachKeys::parse(DetachKeys::kDefault);
  auto keys = DetachKeys::parse(usual);
  if (!keys) keys.error().advice += " They come from HOLDFAST_DETACH_KEYS.";
  return keys;
}

}  // namespace cli
