#include "operation/command_operations.h"

#include "base/printable.h"
#include "operation/input_operations.h"
#include "operation/output_operations.h"
#include "operation/plain_output.h"
#include "terminal/paste.h"

namespace operation {

using boost::asio::awaitable;
using std::chrono::steady_clock;
using terminal::Command;
using terminal::Commands;
using State = terminal::Commands::State;

namespace {

constexpr std::size_t kAtOnce = 16 * 1024;
constexpr std::size_t kMostOutput = 256 * 1024;
// The integration binds it: clears what was typed at the prompt.
constexpr std::string_view kClear = "\x1b[133;133~";

base::Error is_running(const Command& command, const std::string& id) {
  const std::string text = command.text.empty() ? "a command" : base::printable(command.text);
  return {.code = base::Code::unsupported,
          .what = "the shell is not at its prompt; it runs: " + text,
          .advice = "Wait for its end: holdfast wait " + id + " --command-end --since " +
                    std::to_string(command.start)};
}

// Feeds the output up to `to`, or until there is enough text. Returns how many bytes are left.
std::uint64_t feed(PlainOutput& text, const terminal::Stream& stream, Offset to) {
  while (text.position() < to && text.size() < kMostOutput) {
    const auto bytes =
        stream.copy(text.position(), std::min<std::size_t>(kAtOnce, to - text.position()));
    if (!bytes || bytes->empty()) break;
    text.feed(*bytes);
  }
  return to - std::min(to, text.position());
}

// The output in [from, to) as text: all that is kept of it, or of the newest if it is very much.
std::string newest_text(const terminal::Stream& stream, Offset from, Offset to,
                        std::uint64_t& left_out) {
  const Offset enough = to - std::min<Offset>(to, kMostOutput);
  const Offset begin = std::min(to, std::max({from, stream.begin(), enough}));
  PlainOutput text(begin);
  left_out += begin - from + feed(text, stream, to);
  text.end();
  return text.take();
}

CommandList selected(const Commands& commands, const CommandsRequest& request) {
  CommandList list{.state = commands.state(), .commands = {}};
  for (const Command& each : commands.all())
    if (!request.since || each.end.value_or(each.start) > *request.since)
      list.commands.push_back(each);
  if (list.commands.size() > request.limit)
    list.commands.erase(list.commands.begin(),
                        list.commands.end() - static_cast<std::ptrdiff_t>(request.limit));
  return list;
}

// What the command that was typed at `since` has printed so far, and whether it has ended.
Execution look_at(terminal::Terminal& terminal, const FollowRequest& request) {
  using Outcome = Execution::Outcome;
  const Commands& commands = terminal.commands();
  const terminal::Stream& stream = terminal.stream();
  Execution execution{.offset = request.since, .next = request.from.value_or(0)};
  const Command* const command = commands.first_started_after(request.since);
  if (command == nullptr) {
    // Back at the prompt without having run anything: the shell did not understand the command.
    if (commands.last_prompt() > request.since && commands.last_end().offset > request.since) {
      execution.outcome = Outcome::refused;
      execution.exit_code = commands.last_end().status;
    }
    if (commands.state() == State::more) execution.outcome = Outcome::incomplete;
    return execution;
  }
  const Offset from = std::max(request.from.value_or(command->start), command->start);
  const Offset to = command->end.value_or(stream.end());
  if (command->end && request.to_the_end) {
    execution.outcome = Outcome::ended;
    execution.exit_code = command->exit_code;
    execution.output = newest_text(stream, from, to, execution.left_out);
    execution.next = to;
    return execution;
  }
  const Offset begin = std::max(from, stream.begin());
  PlainOutput text(begin);
  execution.left_out = begin - from;
  if (feed(text, stream, to) == 0 && command->end) {
    execution.outcome = Outcome::ended;
    execution.exit_code = command->exit_code;
    text.end();
  }
  execution.output = text.take();
  execution.next = text.line_begin();
  return execution;
}

}  // namespace

awaitable<base::Result<CommandList>> CommandOperations::list(Caller caller, Target target,
                                                             CommandsRequest request) {
  const auto entry = finder_.find(caller, target);
  if (!entry) co_return base::fail(entry.error());
  if (!(*entry)->is_alive()) {
    const session::TerminalId key = (*entry)->key;
    const auto saved = co_await sessions_.histories().commands_of(key);
    if (!saved) co_return base::fail(saved.error());
    co_return selected(*saved, request);
  }
  (void)(*entry)->terminal->mark();  // Takes in what was printed so far.
  co_return selected((*entry)->terminal->commands(), request);
}

base::Result<CommandOutput> CommandOperations::output(const Caller& caller, const Target& target,
                                                      std::optional<Offset> start) {
  const auto found = finder_.find_alive(caller, target);
  if (!found) return base::fail(found.error());
  (void)(*found)->mark();
  const Commands& commands = (*found)->commands();
  const Command* const last = commands.all().empty() ? nullptr : &commands.all().back();
  const Command* const command = start ? commands.started_at(*start) : last;
  if (start && command == nullptr)
    return base::fail(base::Code::not_found, "this command is no longer known",
                      "The newest 1,000 are.");
  if (command == nullptr || command->start == 0)
    return base::fail(base::Code::not_found, "no command is known that ran in this terminal",
                      commands.has_marks() ? "Run one first." : not_integrated().advice);
  const terminal::Stream& stream = (*found)->stream();
  const Offset end = command->end.value_or(stream.end());
  CommandOutput output{.offset = end, .text = {}};
  output.text = newest_text(stream, command->start, end, output.missing);
  return output;
}

// A shell that has just started, or has just ended a command, is about to show its prompt.
awaitable<base::Status> CommandOperations::reach_prompt(Shell shell, const Caller& caller,
                                                        Deadline deadline) {
  const auto& terminal = shell.terminal;
  for (;;) {
    (void)terminal->mark();
    const Commands& commands = terminal->commands();
    if (terminal->exit())
      co_return base::fail(base::Code::unsupported, "the program in this terminal has ended",
                           "Create another terminal.");
    if (commands.has_marks() && !commands.is_integrated()) co_return base::fail(not_integrated());
    if (commands.state() == State::prompt) co_return base::Status{};
    if (const Command* running = commands.running())
      co_return base::fail(is_running(*running, shell.id));
    if (commands.state() == State::more)
      co_return base::fail(base::Code::unsupported,
                           "the shell is not at its prompt; it waits for the rest of a command",
                           "Cancel that: holdfast send " + shell.id + " --keys C-c");
    if (steady_clock::now() >= deadline)
      co_return base::fail(base::Code::unsupported, "the shell has shown no prompt yet",
                           "Look at it: holdfast capture " + shell.id);
    if (auto waited = co_await waiting_.next_progress(terminal, caller, deadline); !waited)
      co_return waited;
  }
}

awaitable<base::Result<Offset>> CommandOperations::type(Shell shell, const Caller& caller,
                                                        const ExecRequest& request,
                                                        Deadline deadline) {
  const auto& terminal = shell.terminal;
  if (!request.key.empty())
    if (const auto* const accepted = terminal->typing().accepted(request.key))
      co_return offset_of_repeated(*accepted, journal::digest_of(request.command));
  const auto prompt_by = std::max(deadline, steady_clock::now() + kPromptTime);
  if (auto reached = co_await reach_prompt(shell, caller, prompt_by); !reached)
    co_return base::fail(reached.error());
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  if (request.if_idle)
    if (auto idle = terminal->keyboard().is_idle_for(*request.if_idle); !idle)
      co_return base::fail(idle.error());

  const bool is_bracketed = terminal->screen().state().modes.bracketed_paste;
  if (request.command.find_first_not_of(" \t\r\n") == std::string::npos)
    co_return base::fail(base::Code::invalid_argument, "there is no command to run");
  if (!is_bracketed && request.command.find_first_of("\r\n") != std::string::npos)
    co_return base::fail(
        base::Code::unsupported,
        "the shell cannot take several lines at once: bracketed paste is off there",
        "Run a command of one line, or turn bracketed paste on.");
  const Offset offset = terminal->mark();
  const std::string bytes =
      std::string(kClear) + terminal::pasted(request.command, is_bracketed) + "\r";
  terminal::ProgramInput program{.lease = request.lease};
  if (!request.key.empty())
    program.keyed = {
        .key = request.key, .request = journal::digest_of(request.command), .offset = offset};
  if (auto written = terminal->typing().send(bytes, std::move(program)); !written)
    co_return base::fail(written.error());
  co_return offset;
}

awaitable<base::Result<Execution>> CommandOperations::exec(Caller caller, Target target,
                                                           ExecRequest request) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  const auto found = finder_.find_marked(caller, target);
  if (!found) co_return base::fail(found.error());
  const auto id = finder_.id_of(caller, target);
  if (!id) co_return base::fail(id.error());
  const Shell shell{.id = *id, .terminal = *found};
  const auto deadline =
      steady_clock::now() + std::min<std::chrono::milliseconds>(request.timeout, kLongestWait);
  const auto typed = co_await type(shell, caller, request, deadline);
  if (!typed) co_return base::fail(typed.error());
  auto followed = co_await follow(
      caller, std::move(target),
      {.since = *typed, .from = {}, .until = deadline, .to_the_end = !request.until_output});
  if (followed && followed->outcome == Execution::Outcome::incomplete)
    if (auto left = co_await leave_incomplete(shell, caller, std::move(request.lease)); !left)
      co_return base::fail(left.error());
  co_return followed;
}

// Presses Ctrl-C until the shell has left the rest of a command. Once is mostly enough. But bash
// looks for signals before it waits for a key: if SIGINT arrives in between, it waits on, and
// notices both the signal and the key only when the next key comes.
awaitable<base::Status> CommandOperations::leave_incomplete(Shell shell, const Caller& caller,
                                                            std::string lease) {
  const auto& terminal = shell.terminal;
  const auto give_up = steady_clock::now() + kPromptTime;
  while (terminal->commands().state() == State::more && steady_clock::now() < give_up) {
    if (auto pressed = terminal->typing().send("\x03", {.lease = lease}); !pressed)
      co_return pressed;
    const auto press_again = steady_clock::now() + kInterruptTime;
    do {
      if (auto waited = co_await waiting_.next_progress(terminal, caller, press_again); !waited)
        co_return waited;
      (void)terminal->mark();
    } while (terminal->commands().state() == State::more && steady_clock::now() < press_again);
  }
  co_return base::Status{};
}

awaitable<base::Result<Execution>> CommandOperations::follow(Caller caller, Target target,
                                                             FollowRequest request) {
  using Outcome = Execution::Outcome;
  const auto found = finder_.find_marked(caller, target);
  if (!found) co_return base::fail(found.error());
  const std::shared_ptr<terminal::Terminal> terminal = *found;
  for (;;) {
    (void)terminal->mark();
    const bool is_late = steady_clock::now() >= request.until;
    // Looking at everything again for each piece of output would take too long.
    const bool is_over = terminal->exit() || is_late || !request.to_the_end ||
                         terminal->commands().first_ended_after(request.since) != nullptr ||
                         terminal->commands().last_prompt() > request.since ||
                         terminal->commands().state() == State::more;
    if (is_over) {
      Execution execution = look_at(*terminal, request);
      if (execution.outcome == Outcome::running && terminal->exit()) {
        execution.outcome = Outcome::exited;
        execution.exit_code = terminal::exit_code(*terminal->exit());
      }
      const bool is_news = execution.outcome != Outcome::running ||
                           (!request.to_the_end && !execution.output.empty());
      if (is_news || is_late) co_return execution;
    }
    if (auto waited = co_await waiting_.next_progress(terminal, caller, request.until); !waited)
      co_return base::fail(waited.error());
  }
}

}  // namespace operation
