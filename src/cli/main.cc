// holdfast: the program people run. This file parses the command line and runs the command.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <span>

#include <CLI/CLI.hpp>

#include "base/printable.h"
#include "base/process.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/overview.h"
#include "cli/serve_command.h"
#include "daemon/become.h"

namespace cli {
namespace {

constexpr int kUsageError = 2;

// Errors can quote other programs (a daemon, a keeper, a failed trial), so escape them.
void say(const base::Error& error) {
  std::fprintf(stderr, "holdfast: %s\n",
               base::printable(error.message(), base::Lines::many).c_str());
}

using Make = std::function<std::unique_ptr<Command>(const Arguments&)>;

// In the order in which help lists them.
std::vector<std::pair<std::string_view, Make>> all_commands(const Make& serve) {
  return {{"attach", make_attach_command},
          {"ls", make_ls_command},
          {"new", make_new_command},
          {"send", make_send_command},
          {"lease", make_lease_command},
          {"capture", make_capture_command},
          {"wait", make_wait_command},
          {"exec", make_exec_command},
          {"commands", make_commands_command},
          {"search", make_search_command},
          {"record", make_record_command},
          {"play", make_play_command},
          {"notify", make_notify_command},
          {"rename", make_rename_command},
          {"resize", make_resize_command},
          {"restore", make_restore_command},
          {"kill", make_kill_command},
          {"share", make_share_command},
          {"sessions", make_sessions_command},
          {"events", make_events_command},
          {"status", make_status_command},
          {"doctor", make_doctor_command},
          {"logs", make_logs_command},
          {"resources", make_resources_command},
          {"reload", make_reload_command},
          {"extension", make_extension_command},
          {"mcp", make_mcp_command},
          {"env", make_env_command},
          {"login", make_login_command},
          {"logout", make_logout_command},
          {"skill", make_skill_command},
          {"completions", make_completions_command},
          {"man", make_man_command},
          {"help", make_help_command},
          {"serve", serve},
          {"config", make_config_command},
          {"link", make_link_command},
          {"sign-ins", make_sign_ins_command},
          {"token", make_token_command},
          {"trust", make_trust_command},
          {"stop", make_stop_command},
          {"upgrade", make_upgrade_command},
          {"run", make_run_command}};
}

// Declaring every command with its options takes longer than `ls`. So only those that the command line
// may mean are declared, which are those that it names, unless it is about all of them.
std::vector<std::unique_ptr<Command>> declared(const Arguments& app, const Make& serve,
                                               std::span<const std::string> words) {
  const auto is_named = [&](std::string_view name) {
    return std::ranges::find(words, name) != words.end();
  };
  const bool is_about_all = is_named("help") || is_named("man") || is_named("completions");
  std::vector<std::unique_ptr<Command>> commands;
  const auto all = all_commands(serve);
  for (const auto& [name, make] : all)
    if (is_about_all || is_named(name) || (name == "attach" && is_named("a")))
      commands.push_back(make(app));
  if (commands.empty())
    for (const auto& [name, make] : all) commands.push_back(make(app));
  return commands;
}

// The command that is meant, such as `token new`; empty if it is none.
std::string path_of(const CLI::App& parser) {
  std::string path;
  for (const CLI::App* app = &parser; !app->get_subcommands().empty();) {
    app = app->get_subcommands().front();
    path += " " + app->get_name();
  }
  return path;
}

// What is said of a mistake in the command line.
std::string mistake(const CLI::App* parser, const CLI::Error& error) {
  const std::string path = path_of(*parser);
  std::string what = error.what();
  const std::vector<std::string> unknown = parser->remaining();
  if (path.empty() && !unknown.empty()) what = "there is no command \"" + unknown.front() + "\"";
  return "holdfast: " + base::printable(what, base::Lines::many) + "\nSee: holdfast help" + path +
         "\n";
}

base::Result<int> run_given(const std::vector<std::unique_ptr<Command>>& commands) {
  const auto given = std::ranges::find_if(commands, &Command::was_given);
  return given == commands.end() ? exit_status(show_overview()) : (*given)->execute();
}

int run(int argc, char** argv) {
  CLI::App parser("Holdfast: terminals that keep running when you disconnect.", "holdfast");
  parser.set_version_flag("--version", "holdfast " + std::string(base::version()));
  parser.require_subcommand(0, 1);
  parser.failure_message(mistake);
  const Arguments app(parser);

  const std::vector<std::string> arguments(argv, argv + argc);
  holdfast::Inherited inherited = holdfast::take_inherited();
  bool no_start = false;
  app.add_flag("--no-start", no_start, "Do not start a daemon if none runs");
  const Make serve = [&](const Arguments& holdfast) {
    return make_serve_command(holdfast, arguments, inherited);
  };
  const auto commands = declared(app, serve, std::span(arguments).subspan(1));
  try {
    std::vector<std::string> line = arguments;
    for (const auto& command : commands) command->take_words(line);
    line.erase(line.begin());
    std::ranges::reverse(line);  // CLI11 takes them from the end.
    parser.parse(std::move(line));
  } catch (const CLI::ParseError& error) {
    if (inherited.previous && error.get_exit_code() != 0)
      (void)holdfast::go_back(
          std::move(inherited), arguments,
          {.code = base::Code::invalid_argument, .what = error.what(), .advice = ""});
    return parser.exit(error) == 0 ? 0 : kUsageError;
  }

  if (no_start) start_none();
  const auto outcome = run_given(commands);
  if (outcome) return *outcome;
  say(outcome.error());
  if (inherited.previous) {
    const base::Error why = holdfast::go_back(std::move(inherited), arguments, outcome.error());
    say(why);
  }
  return 1;
}

}  // namespace
}  // namespace cli

int main(int argc, char** argv) {
  base::name_process("holdfast");
  return cli::run(argc, argv);
}
