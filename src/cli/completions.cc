// Completions for shells. Names of terminals come from programs, so no shell may evaluate them: bash
// gets them one by one, never through `compgen -W`, which would run what is in them.

#include <algorithm>
#include <functional>
#include <map>

#include "cli/manual.h"

namespace cli {
namespace {

enum class Value { none, terminal, session };

Value value_of(const ManualOption& option) {
  const auto is = [&](std::string_view name) {
    return std::ranges::find(option.names, name) != option.names.end();
  };
  if (option.is_argument && is("terminal")) return Value::terminal;
  if (is("--session") || (option.is_argument && is("session"))) return Value::session;
  return Value::none;
}

// What a command's first word after it may be.
struct Completed {
  std::vector<std::string> flags;
  std::vector<std::string> subcommands;
  Value argument = Value::none;
  bool has_session_option = false;
};

// By the first word of the command.
std::map<std::string, Completed> completed_of(const std::vector<ManualCommand>& commands) {
  std::map<std::string, Completed> all;
  for (const ManualCommand& command : commands) {
    const auto space = command.name.find(' ');
    Completed& completed = all[command.name.substr(0, space)];
    if (space != std::string::npos) completed.subcommands.push_back(command.name.substr(space + 1));
    for (const ManualOption& option : command.options) {
      if (value_of(option) == Value::session && !option.is_argument)
        completed.has_session_option = true;
      if (option.is_argument) {
        if (completed.argument == Value::none) completed.argument = value_of(option);
        continue;
      }
      for (const std::string& name : option.names)
        if (std::ranges::find(completed.flags, name) == completed.flags.end())
          completed.flags.push_back(name);
    }
    if (std::ranges::find(completed.flags, "--help") == completed.flags.end())
      completed.flags.emplace_back("--help");
  }
  return all;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) (text += text.empty() ? "" : " ") += word;
  return text;
}

// In fish, a backslash in single quotes escapes the quote and itself.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// What differs between bash and zsh.
struct Dialect {
  std::string word;    // What is being completed.
  std::string number;  // Which of the words that is.
  // The command that offers these words.
  std::function<std::string(const std::string& words)> offer;
};

// The branches of `case $command in`, and its end.
std::string cases(const std::vector<ManualCommand>& commands, const Dialect& dialect) {
  std::string out;
  std::string names;
  for (const auto& [name, completed] : completed_of(commands)) {
    (names += names.empty() ? "" : " ") += name;
    out += "    " + name + ")\n";
    if (completed.has_session_option)
      out +=
          "      [[ $previous == -s || $previous == --session ]] && { _holdfast_sessions; "
          "return; }\n";
    out += "      [[ " + dialect.word + " == -* ]] && { " + dialect.offer(joined(completed.flags)) +
           "; return; }\n";
    if (!completed.subcommands.empty())
      out += "      " + dialect.offer(joined(completed.subcommands)) + "\n";
    const std::string is_first = "      ((i == " + dialect.number + " - 1)) && ";
    if (completed.argument == Value::terminal) out += is_first + "_holdfast_terminals\n";
    if (completed.argument == Value::session) out += is_first + "_holdfast_sessions\n";
    out += "      ;;\n";
  }
  return out + "    '') " + dialect.offer(names + " --help --version --no-start") + " ;;\n  esac\n";
}

// clang-format off
constexpr std::string_view kBash = R"sh(_holdfast_dynamic() {
  local each
  while IFS= read -r each; do
    [[ -n $each && $each == "$word"* ]] && COMPREPLY+=("$(printf %q "$each")")
  done
}
_holdfast_terminals() {
  _holdfast_dynamic < <(holdfast --no-start ls 2>/dev/null | cut -f1,3 | tr '\t' '\n')
}
_holdfast_sessions() { _holdfast_dynamic < <(holdfast --no-start sessions 2>/dev/null | cut -f1); }
_holdfast_words() { COMPREPLY+=($(compgen -W "$1" -- "$word")); }
_holdfast() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -* ]] || { command=${COMP_WORDS[i]}; break; }
  done
  COMPREPLY=()
  case $command in
)sh";
// clang-format on

std::string for_bash(const std::vector<ManualCommand>& commands) {
  return "# bash completion of holdfast. Load it with: . <(holdfast completions bash)\n" +
         std::string(kBash) +
         cases(commands,
               {.word = "$word",
                .number = "COMP_CWORD",
                .offer =
                    [](const std::string& words) { return "_holdfast_words '" + words + "'"; }}) +
         "}\ncomplete -o default -F _holdfast holdfast\n";
}

// clang-format off
constexpr std::string_view kZsh = R"sh(_holdfast_terminals() {
  local -a found
  found=("${(@f)$(holdfast --no-start ls 2>/dev/null | cut -f1,3 | tr '\t' '\n')}")
  compadd -- "${(@)found:#}"
}
_holdfast_sessions() {
  local -a found
  found=("${(@f)$(holdfast --no-start sessions 2>/dev/null | cut -f1)}")
  compadd -- "${(@)found:#}"
}
_holdfast() {
  local command= i
  for ((i = 2; i < CURRENT; i++)); do
    [[ $words[i] == -* ]] || { command=$words[i]; break; }
  done
  local previous=$words[CURRENT-1]
  case $command in
)sh";
// clang-format on

std::string for_zsh(const std::vector<ManualCommand>& commands) {
  return "#compdef holdfast\n# zsh completion of holdfast. Save it as _holdfast in a directory of "
         "$fpath, or load it with:\n#   . <(holdfast completions zsh)\n" +
         std::string(kZsh) +
         cases(commands,
               {.word = "$words[CURRENT]",
                .number = "CURRENT",
                .offer = [](const std::string& words) { return "compadd -- " + words; }}) +
         "}\nif [[ $funcstack[1] == _holdfast ]]; then\n"
         "  _holdfast \"$@\"\nelse\n  compdef _holdfast holdfast\nfi\n";
}

std::string for_fish(const std::vector<ManualCommand>& commands) {
  std::string out =
      "# fish completion of holdfast. Load it with: holdfast completions fish | source\n"
      "function __holdfast_terminals\n"
      "  holdfast --no-start ls 2>/dev/null | cut -f1,3 | tr '\\t' '\\n' | string match -v "
      "''\nend\n"
      "function __holdfast_sessions\n"
      "  holdfast --no-start sessions 2>/dev/null | cut -f1\nend\n"
      "complete -c holdfast -f\n";
  for (const ManualCommand& command : commands) {
    const auto space = command.name.find(' ');
    const std::string first = command.name.substr(0, space);
    const std::string seen = " -n '__fish_seen_subcommand_from " + first + "'";
    const std::string meaning = " -d " + in_quotes(command.meaning);
    if (space == std::string::npos)
      out += "complete -c holdfast -n __fish_use_subcommand -a " + first + meaning + "\n";
    else
      out +=
          "complete -c holdfast" + seen + " -a " + command.name.substr(space + 1) + meaning + "\n";
    for (const ManualOption& option : command.options) {
      if (option.is_argument) {
        if (value_of(option) == Value::terminal)
          out += "complete -c holdfast" + seen + " -a '(__holdfast_terminals)'\n";
        if (value_of(option) == Value::session)
          out += "complete -c holdfast" + seen + " -a '(__holdfast_sessions)'\n";
        continue;
      }
      out += "complete -c holdfast" + seen;
      for (const std::string& name : option.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.takes_value) out += " -r";
      if (value_of(option) == Value::session) out += " -a '(__holdfast_sessions)'";
      out += " -d " + in_quotes(option.meaning) + "\n";
    }
  }
  return out;
}

}  // namespace

std::optional<std::string> completions(const std::vector<ManualCommand>& commands,
                                       std::string_view shell) {
  if (shell == "bash") return for_bash(commands);
  if (shell == "zsh") return for_zsh(commands);
  if (shell == "fish") return for_fish(commands);
  return std::nullopt;
}

}  // namespace cli
