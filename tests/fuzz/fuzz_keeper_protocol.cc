// Any packet decodes to a message or to an error; what decodes survives encoding; a state of any
// bytes is read or refused.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "keeper/state.h"
#include "keeper_protocol/protocol.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  if (const auto message = keeper::Message::decode(bytes)) {
    const auto again = keeper::Message::decode(message->encode());
    if (!again || again->encode() != message->encode()) std::abort();
    (void)keeper::error_of(*message);
    (void)keeper::exit_of(*message);
    for (std::uint16_t field = 0; field < 100; ++field) {
      (void)message->number(static_cast<keeper::Field>(field));
      (void)message->texts(static_cast<keeper::Field>(field));
    }
  }
  static const base::Fd state(::memfd_create("fuzz", MFD_CLOEXEC));
  if (::ftruncate(state.get(), 0) != 0 ||
      ::pwrite(state.get(), data, size, 0) != static_cast<ssize_t>(size))
    std::abort();
  (void)keeper::read_state(state);
  return 0;
}
