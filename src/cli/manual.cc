#include "cli/manual.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "base/version.h"
#include "cli/server.h"

namespace cli {
namespace {

constexpr std::string_view kExamples = "Examples:";

ManualOption option_of(const CLI::Option& option) {
  ManualOption made{.names = {},
                    .is_argument = option.get_positional(),
                    .is_required = option.get_required(),
                    .takes_value = option.get_items_expected_max() != 0,
                    .repeats = option.get_items_expected_max() > 1,
                    .meaning = option.get_description()};
  for (const std::string& name : option.get_lnames()) made.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) made.names.push_back("-" + name);
  if (made.is_argument) made.names = {option.get_name(true)};
  return made;
}

void add(std::vector<ManualCommand>& all, const CLI::App& app, const std::string& path) {
  ManualCommand made{
      .name = path, .meaning = app.get_description(), .options = {}, .more = {}, .examples = {}};
  std::vector<const CLI::Option*> options = app.get_options();
  std::ranges::stable_partition(options, [](const CLI::Option* option) {
    return option->get_group() != kElsewhere;  // What nearly all have comes last.
  });
  for (const CLI::Option* const option : options) {
    if (option->get_name() == "--help") continue;
    made.options.push_back(option_of(*option));
  }
  // As `explain` wrote it.
  std::string footer = app.get_footer();
  if (const auto examples = footer.rfind(kExamples); examples != std::string::npos) {
    for (std::size_t at = examples; (at = footer.find("\n  ", at)) != std::string::npos;) {
      at += 3;
      made.examples.push_back(footer.substr(at, footer.find('\n', at) - at));
    }
    footer.erase(examples);
  }
  while (footer.ends_with('\n')) footer.pop_back();
  made.more = std::move(footer);
  if (!path.empty()) all.push_back(std::move(made));
  for (const CLI::App* const each : app.get_subcommands({}))
    add(all, *each, path.empty() ? each->get_name() : path + " " + each->get_name());
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string names_of(const ManualOption& option) {
  if (option.is_argument) return upper(option.names.front());
  std::string text;
  for (const std::string& name : option.names) (text += text.empty() ? "" : ", ") += name;
  return text + (option.takes_value ? " VALUE" : "");
}

// --- man ---

std::string in_man(std::string_view text) {
  std::string out;
  bool is_begin = true;
  for (const char c : text) {
    if (is_begin && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    is_begin = c == '\n';
  }
  return out;
}

std::string paragraphs_in_man(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    out += ".PP\n" + in_man(text.substr(at, end - at)) + "\n";
    at = end + 2;
  }
  return out;
}

std::string section_in_man(const ManualCommand& command) {
  std::string out = ".SS " + in_man(command.usage()) + "\n" + in_man(command.meaning) + ".\n";
  for (const ManualOption& option : command.options)
    out += ".TP\n.B " + in_man(names_of(option)) + "\n" + in_man(option.meaning) + ".\n";
  out += paragraphs_in_man(command.more);
  if (command.examples.empty()) return out;
  out += ".PP\n.EX\n";
  for (const std::string& example : command.examples) out += in_man(example) + "\n";
  return out + ".EE\n";
}

// --- Markdown ---

std::string in_markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*') out += '\\';
    out += c;
  }
  return out;
}

constexpr std::size_t kColumns = 100;

// In lines of that many columns at most, if no word is longer. Lines after the first are indented.
std::string wrapped(std::string_view text, std::size_t indent = 0) {
  std::string out;
  std::size_t column = 0;
  bool begins_line = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (!begins_line && column + 1 + word.size() > kColumns) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!begins_line) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    begins_line = end < text.size() && text[end] == '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!begins_line) continue;
    out += "\n";
    column = 0;
  }
  return out;
}

std::string section_in_markdown(const ManualCommand& command) {
  std::string out = "\n## holdfast " + command.name + "\n\n" +
                    wrapped(in_markdown(command.meaning) + ".") + "\n\n```\n" + command.usage() +
                    "\n```\n";
  if (!command.options.empty()) out += "\n";
  for (const ManualOption& option : command.options)
    out += wrapped("- `" + names_of(option) + "`: " + in_markdown(option.meaning) + ".", 2) + "\n";
  if (!command.more.empty()) out += "\n" + wrapped(in_markdown(command.more)) + "\n";
  if (command.examples.empty()) return out;
  out += "\n```\n";
  for (const std::string& example : command.examples) out += "$ " + example + "\n";
  return out + "```\n";
}

constexpr std::string_view kIntroduction =
    "`holdfast` alone says what runs. `holdfast help COMMAND` explains a command. A terminal is "
    "named by its id, by SESSION:NAME, by its name, by the start of its id, or by `.`, which is "
    "the terminal that the command runs in.";
constexpr std::string_view kOutput =
    "Errors go to standard error. Lists are in columns on a terminal, and separated by tabs in a "
    "pipe. Text that programs chose is printed with its control characters escaped. Colours are "
    "used on a terminal, unless NO_COLOR is set.";
constexpr std::string_view kStatuses =
    "0 if it worked, 1 if it did not, and 2 if the command line is wrong. Commands that have "
    "others say so.";

std::string title_in_man(const std::string& name) {
  return ".TH " + in_man(name) + " 1 \"\" \"holdfast " + in_man(base::version()) +
         "\" \"User Commands\"\n";
}

std::string last_sections_in_man(const std::string& others) {
  return ".SH EXIT STATUS\n" + in_man(kStatuses) + "\n.SH SEE ALSO\n" + others + "\n";
}

}  // namespace

std::string ManualCommand::usage() const {
  std::string text = "holdfast " + name;
  if (std::ranges::any_of(options, [](const ManualOption& each) { return !each.is_argument; }))
    text += " [OPTIONS]";
  for (const ManualOption& option : options) {
    if (!option.is_argument) continue;
    const std::string shown = upper(option.names.front()) + (option.repeats ? "..." : "");
    text += option.is_required ? " " + shown : " [" + shown + "]";
  }
  return text;
}

std::vector<ManualCommand> commands_of(const Arguments& holdfast) {
  std::vector<ManualCommand> all;
  add(all, holdfast.app(), "");
  std::ranges::sort(all, {}, &ManualCommand::name);
  return all;
}

std::string as_man_page(const std::vector<ManualCommand>& commands) {
  std::string out = title_in_man("HOLDFAST") +
                    ".SH NAME\nholdfast \\- terminals that keep running when "
                    "you disconnect\n.SH SYNOPSIS\n.B holdfast\n[\\-\\-no\\-start] [COMMAND ...]\n"
                    ".SH DESCRIPTION\n" +
                    in_man(kIntroduction) + "\n.PP\n" + in_man(kOutput) + "\n.SH COMMANDS\n";
  for (const ManualCommand& command : commands) out += section_in_man(command);
  return out + last_sections_in_man(".BR tmux (1)");
}

std::string as_man_page_of(const std::vector<ManualCommand>& commands) {
  const ManualCommand& first = commands.front();
  std::string name = "holdfast-" + first.name;
  std::ranges::replace(name, ' ', '-');
  std::string out = title_in_man(upper(name)) + ".SH NAME\n" + in_man(name) + " \\- " +
                    in_man(first.meaning) + "\n.SH DESCRIPTION\n";
  for (const ManualCommand& command : commands) out += section_in_man(command);
  return out + last_sections_in_man(".BR holdfast (1)");
}

std::string as_markdown(const std::vector<ManualCommand>& commands) {
  std::string out =
      "# The command line\n\nThis page is made from the commands' declarations in `src/cli` by "
      "`holdfast man --markdown`.\n[api.md](api.md) explains targets, offsets and waiting.\n\n" +
      wrapped(kIntroduction) + "\n\n" + wrapped(kOutput) + "\n\n" +
      wrapped("Exit status: " + std::string(kStatuses)) + "\n";
  for (const ManualCommand& command : commands) out += section_in_markdown(command);
  return out;
}

}  // namespace cli
