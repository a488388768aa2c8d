// What the tests of the native protocol share.

#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "end_to_end/protocol_fixture.h"

namespace e2e {

class NativeTest : public ProtocolTest {
 protected:
  static bool soaking() { return std::getenv("HOLDFAST_SOAK") != nullptr; }
};

using Strings = std::vector<std::string>;

inline json::object terminal(std::string_view id, std::vector<std::string> command = {"/bin/sh"}) {
  json::array argv;
  for (const std::string& each : command) argv.emplace_back(each);
  return {{"terminalId", json::string_view(id.data(), id.size())}, {"command", std::move(argv)}};
}

inline json::object script(std::string_view id, const std::string& text) {
  return terminal(id, {"/bin/sh", "-c", text});
}

inline Strings terminal_ids(NativePeer& peer) {
  Strings ids;
  const auto answer = peer.ask("list");
  for (const json::value& each : answer.at("data").at("terminals").as_array())
    ids.emplace_back(each.at("terminalId").as_string());
  return ids;
}

inline Strings event_types(NativePeer& peer) {
  Strings types;
  for (const json::object& each : peer.events()) types.push_back(string_at(each, "type"));
  return types;
}

inline std::uint64_t attached_offset(const NativePeer& peer) {
  return static_cast<std::uint64_t>(data_number(peer.attached(), "offset"));
}

}  // namespace e2e
