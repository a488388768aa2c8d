#include "session/history_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include <bit>
#include <chrono>
#include <cstring>
#include <memory>

namespace session {
namespace {

constexpr std::string_view kMagic = "HFSTROWS";
constexpr std::uint32_t kVersion = 1;
// The fastest, because a flood is compressed twice a second.
constexpr int kLevel = 1;

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint16_t cols;
  std::uint16_t rows;
  std::int64_t saved;
  std::uint32_t length;
  std::uint32_t payload;
  std::uint64_t checksum;
};
static_assert(sizeof(Header) == 40 && std::endian::native == std::endian::little);

std::uint64_t checksum(const Header& header, std::string_view payload) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       &XXH3_freeState);
  XXH3_64bits_reset(state.get());
  XXH3_64bits_update(state.get(), &header, offsetof(Header, checksum));
  XXH3_64bits_update(state.get(), payload.data(), payload.size());
  return XXH3_64bits_digest(state.get());
}

std::unexpected<base::Error> corrupt(std::string what) {
  return base::fail(base::Code::corrupt, std::move(what));
}

// A Zstandard frame that readers skip: those from before commands were saved do.
constexpr std::uint32_t kCommandsFrame = 0x184D2A5C;

std::string as_frame(const std::string& commands) {
  if (commands.empty() || commands.size() > kMostSavedCommands) return {};
  const std::uint32_t head[] = {kCommandsFrame, static_cast<std::uint32_t>(commands.size())};
  return std::string(reinterpret_cast<const char*>(head), sizeof head) + commands;
}

// The commands in what follows the rows' frame.
std::string commands_in(std::string_view payload) {
  const std::size_t rows = ZSTD_findFrameCompressedSize(payload.data(), payload.size());
  std::uint32_t head[2];
  if (ZSTD_isError(rows) != 0 || payload.size() - rows < sizeof head) return {};
  payload.remove_prefix(rows);
  std::memcpy(head, payload.data(), sizeof head);
  payload.remove_prefix(sizeof head);
  if (head[0] != kCommandsFrame || head[1] != payload.size()) return {};
  return std::string(payload.substr(0, kMostSavedCommands));
}

using std::chrono::milliseconds;

// Whether WallTime can hold it and it is not before 1970.
bool is_time(std::int64_t saved) {
  const auto latest = std::chrono::floor<milliseconds>(base::WallTime::max());
  return saved >= 0 && saved <= latest.time_since_epoch().count();
}

bool is_side(int side) {
  return side >= 1 && side <= vt::kMaxSide;
}

}  // namespace

base::Result<std::string> encode_history(const SavedHistory& history) {
  Header header{.magic = {},
                .version = kVersion,
                .cols = static_cast<std::uint16_t>(history.size.cols),
                .rows = static_cast<std::uint16_t>(history.size.rows),
                .saved = std::chrono::floor<milliseconds>(history.saved).time_since_epoch().count(),
                .length = static_cast<std::uint32_t>(history.rows.size()),
                .payload = 0,
                .checksum = 0};
  std::memcpy(header.magic, kMagic.data(), kMagic.size());
  std::string payload(ZSTD_compressBound(history.rows.size()), '\0');
  const std::size_t size = ZSTD_compress(payload.data(), payload.size(), history.rows.data(),
                                         history.rows.size(), kLevel);
  if (ZSTD_isError(size) != 0)
    return base::fail(base::Code::io,
                      std::string("cannot compress a history: ") + ZSTD_getErrorName(size));
  payload.resize(size);
  payload += as_frame(history.commands);
  header.payload = static_cast<std::uint32_t>(payload.size());
  header.checksum = checksum(header, payload);
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + payload;
}

base::Result<SavedHistory> decode_history(std::string_view bytes) {
  Header header{};
  if (bytes.size() < sizeof header) return corrupt("the file is shorter than its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::string_view payload = bytes.substr(sizeof header);
  if (std::string_view(header.magic, sizeof header.magic) != kMagic)
    return corrupt("not a saved history");
  if (header.version != kVersion)
    return corrupt("unsupported version " + std::to_string(header.version));
  if (header.payload != payload.size()) return corrupt("wrong length");
  if (header.checksum != checksum(header, payload)) return corrupt("wrong checksum");
  if (!is_side(header.cols) || !is_side(header.rows) || header.length > kMostSavedRows ||
      !is_time(header.saved))
    return corrupt("invalid header");
  SavedHistory history{.saved = base::WallTime(milliseconds(header.saved)),
                       .size = {.cols = header.cols, .rows = header.rows},
                       .rows = std::string(header.length, '\0'),
                       .commands = commands_in(payload)};
  const std::size_t size =
      ZSTD_decompress(history.rows.data(), history.rows.size(), payload.data(), payload.size());
  if (ZSTD_isError(size) != 0 || size != header.length) return corrupt("cannot decompress it");
  return history;
}

}  // namespace session
