// A program's hold on a terminal's keyboard.

#include "operation/input_operations.h"
#include "session/random.h"

namespace operation {

base::Result<terminal::Lease> InputOperations::lease(const Caller& caller, const Target& target,
                                                     const LeaseRequest& request) {
  if (auto allowed = caller.may_change(); !allowed) return base::fail(allowed.error());
  const auto terminal = finder_.find_alive(caller, target);
  if (!terminal) return base::fail(terminal.error());
  terminal::Keyboard& keyboard = (*terminal)->keyboard();
  if (!request.lease.empty()) return keyboard.renew(request.lease, request.time);
  if (request.holder.empty() || request.holder.size() > terminal::kLongestHolder)
    return base::fail(
        base::Code::invalid_argument,
        "a holder's name has 1 to " + std::to_string(terminal::kLongestHolder) + " bytes");
  auto id = session::random_id();
  if (!id) return base::fail(id.error());
  return keyboard.take(*std::move(id), request.holder, request.time);
}

base::Status InputOperations::release(const Caller& caller, const Target& target,
                                      const std::string& lease) {
  if (auto allowed = caller.may_change(); !allowed) return allowed;
  const auto terminal = finder_.find_alive(caller, target);
  if (!terminal) return base::fail(terminal.error());
  return (*terminal)->keyboard().release(lease);
}

}  // namespace operation
