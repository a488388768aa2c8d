// Waiting for what a terminal prints or does.

#include "base/turn.h"
#include "operation/output_operations.h"
#include "operation/pattern.h"
#include "operation/printed_text.h"

namespace operation {

using boost::asio::awaitable;
using std::chrono::steady_clock;

namespace {

constexpr std::size_t kAtOnce = 16 * 1024;

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

base::Status check(const WaitRequest& request) {
  if (!request.text && !request.exit && !request.quiet && !request.prompt && !request.command_end)
    return base::fail(base::Code::invalid_argument, "there is nothing to wait for",
                      "Name at least one of: text, exit, quiet, prompt, commandEnd.");
  return {};
}

// What the shell did after `since`, if that was waited for.
std::optional<Waited> done_by_shell(const WaitRequest& request, Offset since,
                                    const terminal::Commands& commands) {
  const terminal::Command* const ended =
      request.command_end ? commands.first_ended_after(since) : nullptr;
  if (ended != nullptr)
    return Waited{.outcome = Waited::Outcome::command_ended,
                  .offset = *ended->end,
                  .exit_code = ended->exit_code};
  if (request.prompt && commands.last_prompt() > since)
    return Waited{.outcome = Waited::Outcome::prompt, .offset = commands.last_prompt()};
  return std::nullopt;
}

}  // namespace

awaitable<base::Result<Waited>> OutputOperations::wait(Caller caller, Target target,
                                                       WaitRequest request) {
  if (auto sensible = check(request); !sensible) co_return base::fail(sensible.error());
  const auto found = request.prompt || request.command_end ? finder_.find_marked(caller, target)
                                                           : finder_.find_alive(caller, target);
  if (!found) co_return base::fail(found.error());
  const std::shared_ptr<terminal::Terminal> terminal = *found;
  terminal::Stream& stream = terminal->stream();
  const Offset now = terminal->mark();
  const Offset since = request.since.value_or(now);
  if (auto there = has_reached(since, now); !there) co_return base::fail(there.error());
  std::optional<Search> search;
  if (request.text) {
    auto pattern = compile(*request.text);
    if (!pattern) co_return base::fail(pattern.error());
    search.emplace(*std::move(pattern), since);
  }

  base::Turn turn(executor_);
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
    if (const auto done = done_by_shell(request, since, terminal->commands())) co_return *done;
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
    const auto until = request.quiet ? std::min(deadline, last_output + *request.quiet) : deadline;
    if (auto more = co_await waiting_.next_progress(terminal, caller, until); !more)
      co_return base::fail(more.error());
  }
}

}  // namespace operation
