#include "operation/pattern.h"

namespace operation {
namespace {

constexpr std::size_t kLongestPattern = 1000;

}  // namespace

base::Result<std::unique_ptr<re2::RE2>> compile(const std::string& pattern) {
  if (pattern.size() > kLongestPattern)
    return base::fail(base::Code::invalid_argument, "the pattern is too long",
                      "Use at most 1000 bytes.");
  RE2::Options options(RE2::Quiet);
  options.set_max_mem(1 << 20);
  auto expression = std::make_unique<re2::RE2>(pattern, options);
  if (expression->ok()) return expression;
  return base::fail(base::Code::invalid_argument, "cannot use the pattern: " + expression->error(),
                    "Patterns have the syntax of RE2.");
}

}  // namespace operation
