#include "journal/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>

namespace journal {
namespace {

constexpr int kSeals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW;

std::uint64_t whole_pages(std::uint64_t size) {
  return (size + kPage - 1) / kPage * kPage;
}

std::uint64_t checksum(const Constants& constants) {
  return XXH3_64bits(&constants, offsetof(Constants, checksum));
}

Constants constants_for(const Shape& shape) {
  Constants constants{.magic = kMagic,
                      .version = kVersion,
                      .write_window = kWriteWindow,
                      .output_capacity = whole_pages(shape.replay + shape.slack + kWriteWindow),
                      .slack = shape.slack,
                      .history_capacity = whole_pages(shape.history),
                      .checkpoint_capacity = whole_pages(shape.checkpoint),
                      .rows = shape.rows,
                      .cols = shape.cols,
                      .zero = 0,
                      .checksum = 0};
  constants.checksum = checksum(constants);
  return constants;
}

bool sizes_make_sense(const Constants& constants) {
  for (const std::uint64_t region : {constants.output_capacity, constants.history_capacity,
                                     constants.checkpoint_capacity, constants.slack})
    if (region > 4 * kMaxRegion) return false;
  for (const std::uint64_t region :
       {constants.output_capacity, constants.history_capacity, constants.checkpoint_capacity})
    if (region % kPage != 0) return false;
  return constants.slack > 0 && constants.write_window > 0 &&
         constants.write_window + constants.slack < constants.output_capacity;
}

base::Status write_header(const base::Fd& memory, const Shape& shape) {
  // The rest of a new file is zero.
  const Constants constants = constants_for(shape);
  if (::pwrite(memory.get(), &constants, sizeof constants, 0) != sizeof constants)
    return base::fail(base::errno_error(errno, "write a journal's header"));
  return {};
}

}  // namespace

std::uint64_t total_size(const Constants& constants) {
  return kPage + constants.output_capacity + constants.history_capacity +
         2 * constants.checkpoint_capacity;
}

base::Result<base::Fd> create_memory(const Shape& shape) {
  for (const std::uint64_t size : {shape.replay, shape.slack, shape.history, shape.checkpoint})
    if (size > kMaxRegion)
      return base::fail(base::Code::too_large, "each part of a journal is limited to 1 GiB");
  if (shape.slack == 0)
    return base::fail(base::Code::invalid_argument, "the journal's slack must not be 0");

  base::Fd memory(::memfd_create("holdfast-journal", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory) return base::fail(base::errno_error(errno, "create a journal"));
  if (::ftruncate(memory.get(), static_cast<off_t>(total_size(constants_for(shape)))) < 0)
    return base::fail(base::errno_error(errno, "set a journal's size"));
  if (auto written = write_header(memory, shape); !written) return base::fail(written.error());
  if (::fcntl(memory.get(), F_ADD_SEALS, kSeals) < 0)
    return base::fail(base::errno_error(errno, "seal a journal"));
  return memory;
}

base::Result<Constants> check_memory(const base::Fd& memory) {
  const int seals = ::fcntl(memory.get(), F_GET_SEALS);
  if (seals < 0) return base::fail(base::errno_error(errno, "check a journal's seals"));
  if ((seals & kSeals) != kSeals)
    return base::fail(base::Code::corrupt, "the journal is not sealed against resizing");
  struct stat status{};
  if (::fstat(memory.get(), &status) < 0)
    return base::fail(base::errno_error(errno, "check a journal"));

  Constants constants{};
  if (::pread(memory.get(), &constants, sizeof constants, 0) != sizeof constants)
    return base::fail(base::Code::corrupt, "the journal is too short for its header");
  if (constants.magic != kMagic) return base::fail(base::Code::corrupt, "this is not a journal");
  if (constants.version != kVersion)
    return base::fail(base::Code::unsupported,
                      "the journal has version " + std::to_string(constants.version) +
                          ", but this program needs version " + std::to_string(kVersion),
                      "Upgrade the older one of keeper and daemon.");
  if (constants.checksum != checksum(constants) || !sizes_make_sense(constants) ||
      total_size(constants) != static_cast<std::uint64_t>(status.st_size))
    return base::fail(base::Code::corrupt, "the journal's header is damaged");
  return constants;
}

Mapping::~Mapping() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

base::Result<Mapping> Mapping::once(const base::Fd& memory, std::uint64_t from, std::size_t size) {
  if (size == 0) return Mapping();
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(),
                      static_cast<off_t>(from));
  if (data == MAP_FAILED) return base::fail(base::errno_error(errno, "map a journal"));
  return Mapping(static_cast<std::byte*>(data), size);
}

base::Result<Mapping> Mapping::twice(const base::Fd& memory, std::uint64_t from, std::size_t size) {
  if (size == 0) return Mapping();
  void* reserved =
      ::mmap(nullptr, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED)
    return base::fail(base::errno_error(errno, "reserve memory for a journal"));
  Mapping mapping(static_cast<std::byte*>(reserved), 2 * size);
  for (std::byte* copy : {mapping.data_, mapping.data_ + size})
    if (::mmap(copy, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory.get(),
               static_cast<off_t>(from)) == MAP_FAILED)
      return base::fail(base::errno_error(errno, "map a journal's ring"));
  return mapping;
}

}  // namespace journal
