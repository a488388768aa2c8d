#include "operation/pattern.h"

namespace operation {
namespace {

constexpr std::size_t kLongestPattern = 1000;

// RE2's \b knows ASCII alone.
std::string as_word(const std::string& expression) {
  return "(?:^|[^\\pL\\pN_])(?:" + expression + ")(?:[^\\pL\\pN_]|$)";
}

}  // namespace

base::Result<std::unique_ptr<re2::RE2>> compile(const std::string& pattern,
                                                const PatternOptions& wanted) {
  if (pattern.size() > kLongestPattern)
    return base::fail(base::Code::invalid_argument, "the pattern is too long",
                      "Use at most 1000 bytes.");
  RE2::Options options(RE2::Quiet);
  options.set_max_mem(1 << 20);
  options.set_case_sensitive(!wanted.ignore_case);
  std::string text = wanted.literal ? RE2::QuoteMeta(pattern) : pattern;
  auto expression = std::make_unique<re2::RE2>(text, options);
  if (expression->ok() && wanted.word)
    expression = std::make_unique<re2::RE2>(as_word(text), options);
  if (expression->ok()) return expression;
  return base::fail(base::Code::invalid_argument, "cannot use the pattern: " + expression->error(),
                    "Patterns have the syntax of RE2.");
}

bool is_in(const re2::RE2& pattern, std::string_view line) {
  return pattern.Match(re2::StringPiece(line.data(), line.size()), 0, line.size(),
                       re2::RE2::UNANCHORED, nullptr, 0);
}

}  // namespace operation
