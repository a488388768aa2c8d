// Waiting for what a terminal prints or does. Nothing polls: each look follows an event.

#include <re2/re2.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/turn.h"
#include "operation/operations.h"
#include "operation/printed_text.h"

namespace operation {

namespace asio = boost::asio;
using asio::awaitable;
using std::chrono::steady_clock;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kAtOnce = 16 * 1024;
constexpr std::size_t kLongestPattern = 1000;

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

// Looks for a pattern in the output.
class Search {
 public:
  Search(std::unique_ptr<re2::RE2> pattern, Offset from)
      : pattern_(std::move(pattern)),
        text_(from, [this](const PrintedText& /*text*/) { return look(); }) {}

  [[nodiscard]] Offset position() const { return text_.position(); }
  // Where another search can go on and misses nothing.
  [[nodiscard]] Offset resume_at() const { return text_.line_begin(); }
  // Whether the pattern was found in what was fed so far.
  bool feed(std::span<const std::byte> bytes) {
    (void)text_.feed(bytes);
    return offset_ || look();
  }
  [[nodiscard]] Offset offset() const { return *offset_; }
  [[nodiscard]] std::string line() const { return std::string(text_.line()); }

 private:
  bool look() {
    const re2::StringPiece line(text_.line().data(), text_.line().size());
    re2::StringPiece match;
    if (!pattern_->Match(line, 0, line.size(), re2::RE2::UNANCHORED, &match, 1)) return false;
    offset_ = text_.offset_after(static_cast<std::size_t>(match.end() - line.begin()));
    return true;
  }

  std::unique_ptr<re2::RE2> pattern_;
  std::optional<Offset> offset_;
  PrintedText text_;
};

base::Error overwritten(Offset since, Offset begin) {
  return {.code = base::Code::not_found,
          .what = "the output at offset " + std::to_string(since) + " is no longer kept",
          .advice = "The oldest output kept begins at " + std::to_string(begin) + "."};
}

base::Error closed() {
  return {.code = base::Code::not_found, .what = "the terminal was closed", .advice = ""};
}

base::Error restarting() {
  return {.code = base::Code::unavailable,
          .what = "the daemon is stopping",
          .advice = "Wait again with the same offset; nothing is missed."};
}

base::Status check(const WaitRequest& request) {
  if (!request.text && !request.exit && !request.quiet)
    return base::fail(base::Code::invalid_argument, "there is nothing to wait for",
                      "Say which: text, exit or quiet.");
  return {};
}

}  // namespace

awaitable<base::Result<Waited>> Operations::wait(Caller caller, std::string target,
                                                 WaitRequest request) {
  if (auto sensible = check(request); !sensible) co_return base::fail(sensible.error());
  const auto found = find_alive(caller, target);
  if (!found) co_return base::fail(found.error());
  const std::shared_ptr<terminal::Terminal> terminal = *found;
  terminal::Stream& stream = terminal->stream();
  const Offset now = terminal->mark();
  const Offset since = request.since.value_or(now);
  if (since > now)
    co_return base::fail(base::Code::invalid_argument,
                         "the output has not reached offset " + std::to_string(since),
                         "It ends at " + std::to_string(now) + ".");
  std::optional<Search> search;
  if (request.text) {
    auto pattern = compile(*request.text);
    if (!pattern) co_return base::fail(pattern.error());
    search.emplace(*std::move(pattern), since);
  }

  base::Turn turn(executor_);
  asio::steady_timer timer(executor_);
  const auto deadline =
      steady_clock::now() + std::min<std::chrono::milliseconds>(request.timeout, kLongestWait);
  Offset end = stream.end();
  auto last_output = steady_clock::now();
  for (;;) {
    while (search && search->position() < stream.end()) {
      const auto bytes = stream.copy(search->position(), kAtOnce);
      if (!bytes) co_return base::fail(overwritten(search->position(), stream.begin()));
      if (search->feed(*bytes))
        co_return Waited{.outcome = Waited::Outcome::matched,
                         .offset = search->offset(),
                         .line = search->line()};
      if (turn.is_over()) co_await turn.next();
    }
    Waited waited{.outcome = Waited::Outcome::timed_out,
                  .offset = search ? search->resume_at() : stream.end()};
    if (terminal->exit()) {
      waited.outcome = Waited::Outcome::exited;
      waited.exit_code = terminal::exit_code(*terminal->exit());
      co_return waited;
    }
    const auto time = steady_clock::now();
    if (stream.end() != end) last_output = time;
    end = stream.end();
    if (request.quiet && time - last_output >= *request.quiet) {
      waited.outcome = Waited::Outcome::quiet;
      co_return waited;
    }
    if (time >= deadline) co_return waited;
    if (terminal->has_stopped()) co_return base::fail(is_stopping_ ? restarting() : closed());
    if (is_stopping_) co_return base::fail(restarting());
    if (auto allowed = caller.permit.check(); !allowed) co_return base::fail(allowed.error());

    timer.expires_at(request.quiet ? std::min(deadline, last_output + *request.quiet) : deadline);
    using namespace boost::asio::experimental::awaitable_operators;
    (void)co_await (terminal->progress().wait() || timer.async_wait(kNoThrow) ||
                    interrupted_.wait());
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
      co_return base::fail(base::Code::cancelled, "nobody waits any more");
  }
}

}  // namespace operation
