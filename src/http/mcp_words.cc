#include "http/mcp_words.h"

#include <optional>

#include "base/printable.h"
#include "base/utf8.h"

namespace http::mcp {

using operation::Offset;

namespace {

constexpr std::size_t kMostOfCommand = 500;

}  // namespace

std::string escaped(std::string_view text) {
  return base::printable(text, base::Lines::one);
}

std::string in_words(const operation::TerminalInfo& info) {
  std::string line = info.terminal_id + "  " + info.session;
  if (info.name) line += ":" + escaped(*info.name);
  line += "  ";
  line += wire::to_string(info.status);
  if (info.exit_code) line += " " + std::to_string(*info.exit_code);
  line += "  " + std::to_string(info.cols) + "x" + std::to_string(info.rows);
  if (info.process) line += "  " + escaped(*info.process);
  if (info.working_directory) line += "  in " + escaped(*info.working_directory);
  return line + "\n";
}

std::string newest(std::string text, std::uint64_t& left_out) {
  if (text.size() <= kMostText) return text;
  std::size_t cut = text.size() - kMostText;
  const std::size_t line = text.find('\n', cut);
  if (line != std::string::npos && line + 1 < text.size()) cut = line + 1;
  while (cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) ++cut;
  left_out += cut;
  return text.substr(cut);
}

std::string at(Offset offset) {
  return "offset: " + std::to_string(offset) + "\n";
}

std::string in_words(const operation::Waited& waited) {
  using Outcome = operation::Waited::Outcome;
  switch (waited.outcome) {
    case Outcome::matched:
      return "matched: " + escaped(waited.line) + "\n" + at(waited.offset);
    case Outcome::prompt:
      return "prompt: the shell shows its prompt\n" + at(waited.offset);
    case Outcome::command_ended:
      return "ended: the command has ended" +
             (waited.exit_code ? " with exit code " + std::to_string(*waited.exit_code)
                               : std::string()) +
             "\n" + at(waited.offset);
    case Outcome::exited:
      return "exited: the program has ended with exit code " +
             std::to_string(waited.exit_code.value_or(0)) + "\n" + at(waited.offset);
    case Outcome::quiet:
      return "quiet: nothing was printed for that long\n" + at(waited.offset);
    case Outcome::timed_out:
      break;
  }
  return "timed out: wait again with since " + std::to_string(waited.offset) +
         ", or read the screen\n" + at(waited.offset);
}

std::string in_words(operation::Execution ran) {
  using Outcome = operation::Execution::Outcome;
  std::string head;
  switch (ran.outcome) {
    case Outcome::ended:
      head = ran.exit_code ? "exit code: " + std::to_string(*ran.exit_code) + "\n"
                           : "ended; the shell did not report the exit code\n";
      break;
    case Outcome::running:
      head = "still running: wait with terminal_wait {commandEnd: true, since: " +
             std::to_string(ran.offset) + "}\n";
      break;
    case Outcome::refused:
      head = "the shell did not run it: look at the screen for the reason\n";
      break;
    case Outcome::incomplete:
      head = "not run: the command is incomplete\n";
      break;
    case Outcome::exited:
      head =
          "the shell has ended with exit code " + std::to_string(ran.exit_code.value_or(0)) + "\n";
      break;
  }
  const std::string output = newest(std::move(ran.output), ran.left_out);
  if (ran.left_out > 0)
    head += std::to_string(ran.left_out) +
            " bytes at its beginning were left out: read them with " +
            "terminal_read {since: " + std::to_string(ran.offset) + "}\n";
  return head + at(ran.next) + "\n" + output;
}

std::string in_words(const terminal::Command& command) {
  const std::string_view text = base::cut_utf8(command.text, kMostOfCommand);
  std::string line = "$ " + (text.empty() ? "?" : escaped(text));
  if (text.size() < command.text.size()) line += "…";
  if (command.exit_code) line += "  exit code " + std::to_string(*command.exit_code);
  if (!command.end) line += "  still running";
  return line + "  offset " + std::to_string(command.start) + "\n";
}

}  // namespace http::mcp
