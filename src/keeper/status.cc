#include "keeper/status.h"

#include <poll.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <vector>

#include "keeper/protocol.h"
#include "keeper/socket.h"

namespace keeper {
namespace {

constexpr int kAnswerTime = 5000;

base::Result<Message> next_message(const base::Fd& socket) {
  for (;;) {
    const auto packet = receive_packet(socket);
    if (packet) return Message::decode(packet->bytes);
    if (!would_block(packet.error())) return base::fail(packet.error());
    pollfd poll{.fd = socket.get(), .events = POLLIN, .revents = 0};
    if (::poll(&poll, 1, kAnswerTime) == 0)
      return base::fail(base::Code::timed_out, "the keeper does not answer");
  }
}

std::string escaped(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      // Command lines need not be UTF-8; a byte beyond ASCII is shown as the character of that
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
  return command;
}

std::string number(const Message& message, Field field) {
  return std::to_string(message.number_or(field, 0));
}

std::string state_of(const Message& child) {
  return std::string(to_string(static_cast<State>(child.number_or(Field::state, 0))));
}

std::string as_text(const Message& keeper, const std::vector<Message>& children) {
  const auto owner = keeper.number(Field::owner);
  std::string text =
      "keeper " + keeper.text(Field::version) + ", pid " + number(keeper, Field::pid) + ", " +
      (owner ? "daemon pid " + std::to_string(*owner) : "no daemon") + ", " +
      std::to_string(children.size()) + (children.size() == 1 ? " child\n" : " children\n");
  for (const Message& child : children) {
    const Exit exit = exit_of(child);
    std::string state = state_of(child);
    if (child.number(Field::signal)) state += " by signal " + std::to_string(exit.signal);
    if (child.number(Field::code)) state += " with " + std::to_string(exit.code);
    text += "  " + child.text(Field::id) + "  " +
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
  const auto socket = connect_to_keeper(runtime_dir);
  if (!socket) return base::fail(socket.error());
  for (const Tag tag : {Tag::hello, Tag::list})
    if (auto sent = send_packet(*socket, Message(tag, 1).encode()); !sent)
      return base::fail(sent.error());
  const auto keeper = next_message(*socket);
  if (!keeper) return base::fail(keeper.error());
  if (keeper->tag() != Tag::welcome) return base::fail(error_of(*keeper));
  std::vector<Message> children;
  for (;;) {
    auto message = next_message(*socket);
    if (!message) return base::fail(message.error());
    if (message->tag() == Tag::done) break;
    if (message->tag() == Tag::error) return base::fail(error_of(*message));
    children.push_back(std::move(*message));
  }
  return format == StatusFormat::json ? as_json(*keeper, children) : as_text(*keeper, children);
}

}  // namespace keeper
