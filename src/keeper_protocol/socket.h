// Packets with descriptors over the keeper's socket, for both ends.

#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "keeper_protocol/protocol.h"

namespace keeper {

struct Packet {
  std::vector<std::byte> bytes;
  std::vector<base::Fd> descriptors;
  // Some descriptors were lost because this process is at its limit on open files.
  bool is_short_of_descriptors = false;
};

// A non-blocking connection to the keeper of a runtime directory that belongs to this user or root.
// `unavailable` if no keeper runs there.
[[nodiscard]] base::Result<base::Fd> connect_to_keeper(const std::filesystem::path& runtime_dir);

// Whether a failed send or receive should be tried again later.
[[nodiscard]] bool would_block(const base::Error& error);

// Sends one whole packet or nothing.
[[nodiscard]] base::Status send_packet(const base::Fd& socket, std::span<const std::byte> bytes,
                                       std::span<const int> descriptors = {});

// Receives one packet. `not_found` means that the peer closed the connection, `too_large` that a
// packet was too long and was dropped.
[[nodiscard]] base::Result<Packet> receive_packet(const base::Fd& socket);

}  // namespace keeper
