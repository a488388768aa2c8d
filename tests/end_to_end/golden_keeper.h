// tests/golden/keeper_revision_0.json: what a daemon and a keeper of that revision said, and the
// state that the keeper left to its successor. The bytes are theirs and never change.

#pragma once

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "keeper_protocol/protocol.h"

namespace e2e::golden {

struct Packet {
  std::string name;
  bool from_daemon = false;
  std::size_t descriptors = 0;
  std::vector<std::byte> bytes;
};

// The fields of a packet as they stand there, known or not.
using Fields = std::vector<std::pair<keeper::Field, std::string>>;

inline std::vector<Packet> packets(const char* which) {
  std::stringstream text;
  text << std::ifstream(HOLDFAST_SOURCE "/tests/golden/keeper_revision_0.json").rdbuf();
  std::vector<Packet> packets;
  const auto recorded = boost::json::parse(text.str());
  for (const auto& value : recorded.at(which).as_array()) {
    const auto& object = value.as_object();
    Packet packet;
    packet.name = std::string(object.at("name").as_string());
    if (const auto* from = object.if_contains("from")) packet.from_daemon = *from == "daemon";
    if (const auto* count = object.if_contains("descriptors"))
      packet.descriptors = count->to_number<std::size_t>();
    const std::string hex(object.at("hex").as_string());
    for (std::size_t i = 0; i < hex.size(); i += 2)
      packet.bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    packets.push_back(std::move(packet));
  }
  return packets;
}

inline Fields fields_of(const std::vector<std::byte>& packet) {
  Fields fields;
  for (std::size_t at = 8; at + 8 <= packet.size();) {
    std::uint16_t number = 0;
    std::uint32_t size = 0;
    std::memcpy(&number, packet.data() + at, sizeof number);
    std::memcpy(&size, packet.data() + at + 4, sizeof size);
    fields.emplace_back(static_cast<keeper::Field>(number),
                        std::string(reinterpret_cast<const char*>(packet.data()) + at + 8, size));
    at += 8 + size;
  }
  return fields;
}

}  // namespace e2e::golden
