// Packets with descriptors over the keeper's socket, for both of its ends.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <span>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "keeper/protocol.h"

namespace keeper {

struct Packet {
  std::vector<std::byte> bytes;
  std::vector<base::Fd> descriptors;
  // This side may open no more files: not all descriptors that were sent have come.
  bool is_short_of_descriptors = false;
};

// A non-blocking connection to the keeper of a runtime directory, this user's or root's;
// `unavailable` if none runs there.
[[nodiscard]] base::Result<base::Fd> connect_to_keeper(const std::filesystem::path& runtime_dir);
// A non-blocking listening socket at `path`, for its owner alone, in a directory that is private
// (keeper/runtime_dir.h). A socket that stands there is replaced.
[[nodiscard]] base::Result<base::Fd> listen_at(const std::filesystem::path& path, int type);

// Whether a failed send or receive only has to wait.
[[nodiscard]] bool would_block(const base::Error& error);

// Sends one packet whole, or nothing of it.
[[nodiscard]] base::Status send_packet(const base::Fd& socket, std::span<const std::byte> bytes,
                                       std::span<const int> descriptors = {});

// Receives one packet. `not_found` means that the peer closed, `too_large` that a packet did not
// fit and was dropped.
[[nodiscard]] base::Result<Packet> receive_packet(const base::Fd& socket);

struct Peer {
  pid_t pid = 0;
  uid_t uid = 0;
};
[[nodiscard]] base::Result<Peer> peer_of(const base::Fd& socket);

}  // namespace keeper
