#include "cli/attached_environment.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/printable.h"

namespace cli {
namespace {

constexpr const char* kFile = "environment";
constexpr const char* kAgentLink = "agent.sock";
constexpr const char* kAgent = "SSH_AUTH_SOCK";
constexpr std::size_t kLongestValue = 4096;
constexpr std::size_t kLargestFile = 32 * 1024;

// Whatever a shell or a terminal could act on is in no value that is kept.
bool is_sound(const std::string& value) {
  return !value.empty() && value.size() <= kLongestValue && base::printable(value) == value;
}

bool is_kept(const std::string& name) {
  return std::ranges::any_of(kAttachedVariables, [&](const char* each) { return name == each; });
}

// A name of its own, since two people may attach at once.
std::string draft_of(const char* name) {
  return std::string(name) + "." + std::to_string(::getpid());
}

base::Status write_file(const keeper::RuntimeDir& dir, const std::string& text) {
  const std::string draft = draft_of(kFile);
  {
    const auto file = dir.open_file(draft, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file) return base::fail(file.error());
    if (::write(file->get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
      const int error = errno;
      dir.remove(draft);
      return base::fail(base::errno_error(error, "write " + (dir.path() / draft).native()));
    }
  }
  return dir.rename(draft, kFile);
}

std::string in_quotes(const std::string& text, const std::string& quote, bool escapes_backslash) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += quote;
    else if (c == '\\' && escapes_backslash)
      out += "\\\\";
    else
      out += c;
  }
  return out + "'";
}

}  // namespace

base::Status keep_environment(const keeper::RuntimeDir& dir, const base::Environment& own) {
  std::string text;
  bool has_agent = false;
  const std::string link = dir.path() / kAgentLink;
  for (const char* name : kAttachedVariables) {
    std::string value = own(name);
    const bool is_agent = std::string_view(name) == kAgent;
    if (!is_sound(value) || (is_agent && !value.starts_with('/'))) continue;
    has_agent = has_agent || is_agent;
    if (is_agent && value != link) {  // A link to itself would lead nowhere.
      if (auto made = dir.link(kAgentLink, draft_of(kAgentLink), value); !made) return made;
      value = link;
    }
    text.append(name).append("=").append(value).append("\n");
  }
  if (!has_agent) dir.remove(kAgentLink);
  return write_file(dir, text);
}

base::Result<Variables> kept_environment(const keeper::RuntimeDir& dir) {
  const auto file = dir.open_file(kFile, O_RDONLY);
  if (!file && file.error().sys_errno == ENOENT)
    return base::fail(base::Code::not_found, "nobody has attached on this machine yet",
                      "Variables are kept by: holdfast attach");
  if (!file) return base::fail(file.error());
  std::string text(kLargestFile, '\0');
  const ssize_t size = ::read(file->get(), text.data(), text.size());
  if (size < 0)
    return base::fail(base::errno_error(errno, "read " + (dir.path() / kFile).native()));
  text.resize(static_cast<std::size_t>(size));
  Variables variables;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t equals = std::min(line.find('='), line.size());
    const std::string name = line.substr(0, equals);
    const std::string value = line.substr(std::min(equals + 1, line.size()));
    if (is_kept(name) && is_sound(value)) variables[name] = value;
  }
  return variables;
}

std::string for_sh(const Variables& variables) {
  std::string out;
  for (const char* name : kAttachedVariables) {
    const auto found = variables.find(name);
    if (found == variables.end())
      out.append("unset ").append(name).append("\n");
    else
      out.append("export ").append(name).append("=").append(
          in_quotes(found->second, "'\\''", false) + "\n");
  }
  return out;
}

std::string for_fish(const Variables& variables) {
  std::string out;
  for (const char* name : kAttachedVariables) {
    const auto found = variables.find(name);
    if (found == variables.end())
      out.append("set -e ").append(name).append(";\n");
    else
      out.append("set -gx ")
          .append(name)
          .append(" ")
          .append(in_quotes(found->second, "\\'", true) + ";\n");
  }
  return out;
}

}  // namespace cli
