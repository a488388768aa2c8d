#include "keeper_program/status.h"

#include <vector>

#include "base/printable.h"
#include "base/version.h"
#include "keeper_client/ask.h"

namespace keeper {
namespace {

std::string escaped(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      // Command lines may not be UTF-8, so each byte beyond ASCII becomes the character with that
      // number.
      json += "\\u00";
      json += kHex[byte >> 4];
      json += kHex[byte & 15];
    } else {
      if (c == '"' || c == '\\') json += '\\';
      json += c;
    }
  }
  return json + '"';
}

std::string command_of(const Message& child) {
  std::string command;
  for (const std::string& argument : child.texts(Field::argv)) {
    if (!command.empty()) command += ' ';
    command += argument;
  }
  return base::printable(command);
}

std::string number(const Message& message, Field field) {
  return std::to_string(message.number_or(field, 0));
}

std::string state_of(const Message& child) {
  return std::string(to_string(static_cast<State>(child.number_or(Field::state, 0))));
}

std::string as_text(const Message& keeper, const std::vector<Message>& children) {
  const auto owner = keeper.number(Field::owner);
  std::string text = "keeper " + base::printable(keeper.text(Field::version)) + ", pid " +
                     number(keeper, Field::pid) + ", " +
                     (owner ? "daemon pid " + std::to_string(*owner) : "no daemon") + ", " +
                     std::to_string(children.size()) +
                     (children.size() == 1 ? " child\n" : " children\n");
  if (keeper.text(Field::version) != base::version())
    text += "This program is " + std::string(base::version()) +
            ". Upgrade the keeper with: holdfast upgrade\n";
  for (const Message& child : children) {
    const Exit exit = exit_of(child);
    std::string state = state_of(child);
    if (child.number(Field::signal)) state += " by signal " + std::to_string(exit.signal);
    if (child.number(Field::code)) state += " with " + std::to_string(exit.code);
    text += "  " + base::printable(child.text(Field::id)) + "  " +
            std::string(to_string(static_cast<Kind>(child.number_or(Field::kind, 0)))) + "  pid " +
            number(child, Field::pid) + "  " + state + "  " + number(child, Field::produced) +
            " bytes  " + command_of(child) + "\n";
  }
  return text;
}

std::string as_json(const Message& keeper, const std::vector<Message>& children) {
  const auto owner = keeper.number(Field::owner);
  std::string json = "{\"version\":" + escaped(keeper.text(Field::version)) +
                     ",\"protocol\":" + number(keeper, Field::protocol) +
                     ",\"revision\":" + number(keeper, Field::revision) +
                     ",\"pid\":" + number(keeper, Field::pid) +
                     ",\"daemonPid\":" + (owner ? std::to_string(*owner) : "null") +
                     ",\"children\":[";
  for (const Message& child : children) {
    if (json.back() != '[') json += ',';
    json += "{\"id\":" + escaped(child.text(Field::id)) +
            ",\"kind\":" + escaped(to_string(static_cast<Kind>(child.number_or(Field::kind, 0)))) +
            ",\"pid\":" + number(child, Field::pid) + ",\"state\":" + escaped(state_of(child)) +
            ",\"createdMs\":" + number(child, Field::created) +
            ",\"rows\":" + number(child, Field::rows) + ",\"cols\":" + number(child, Field::cols) +
            ",\"produced\":" + number(child, Field::produced);
    if (child.number(Field::code)) json += ",\"exitCode\":" + number(child, Field::code);
    if (child.number(Field::signal)) json += ",\"exitSignal\":" + number(child, Field::signal);
    json += ",\"argv\":[";
    for (const std::string& argument : child.texts(Field::argv))
      json += (json.back() == '[' ? "" : ",") + escaped(argument);
    json += "]}";
  }
  return json + "]}\n";
}

}  // namespace

base::Result<std::string> status(const std::filesystem::path& runtime_dir, StatusFormat format) {
  const auto holding = ask_holding(runtime_dir);
  if (!holding) return base::fail(holding.error());
  const auto& [keeper, children] = *holding;
  return format == StatusFormat::json ? as_json(keeper, children) : as_text(keeper, children);
}

}  // namespace keeper
