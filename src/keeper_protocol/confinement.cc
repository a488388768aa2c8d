#include "keeper_protocol/confinement.h"

#include <algorithm>
#include <array>
#include <limits>

namespace keeper {
namespace {

constexpr std::uint64_t kNobodysId = std::numeric_limits<uid_t>::max();  // Means "leave as it is".
constexpr std::uint64_t kMostOfAnything = std::uint64_t{1} << 62U;  // Sums with it do not overflow.

struct LimitField {
  Field field;
  std::optional<std::uint64_t> Limits::* limit;
};

constexpr std::array<LimitField, 7> kLimitFields{{
    {Field::open_files, &Limits::open_files},
    {Field::account_processes, &Limits::account_processes},
    {Field::address_space, &Limits::address_space},
    {Field::cpu_seconds, &Limits::cpu_seconds},
    {Field::core_size, &Limits::core_size},
    {Field::memory, &Limits::memory},
    {Field::processes, &Limits::processes},
}};

bool are_numbers(const Message& message) {
  const auto is_number = [&](Field field) {
    return message.numbers(field).size() == message.texts(field).size();
  };
  return is_number(Field::uid) && is_number(Field::gid) && is_number(Field::group) &&
         std::all_of(kLimitFields.begin(), kLimitFields.end(),
                     [&](const LimitField& each) { return is_number(each.field); });
}

}  // namespace

void add_confinement(Message& message, const Confinement& confinement) {
  if (const auto& account = confinement.account) {
    message.add(Field::uid, std::uint64_t{account->uid});
    message.add(Field::gid, std::uint64_t{account->gid});
    for (const gid_t group : account->groups) message.add(Field::group, std::uint64_t{group});
  }
  for (const auto& [field, limit] : kLimitFields)
    if (const auto& value = confinement.limits.*limit) message.add(field, *value);
}

base::Result<Confinement> confinement_of(const Message& message) {
  Confinement confinement;
  // Elsewhere malformed fields are ignored. Here that would give the child more rights than
  // intended.
  if (!are_numbers(message))
    return base::fail(base::Code::invalid_argument, "uid, gid, groups and limits must be numbers");
  const auto uid = message.number(Field::uid);
  const auto gid = message.number(Field::gid);
  const auto groups = message.numbers(Field::group);
  if (uid.has_value() != gid.has_value() || (!uid && !groups.empty()))
    return base::fail(base::Code::invalid_argument, "an account needs both a uid and a gid");
  if (uid) {
    if (*uid == 0)
      return base::fail(base::Code::permission_denied, "the account of a child cannot be root");
    const auto is_no_id = [](std::uint64_t id) { return id >= kNobodysId; };
    if (is_no_id(*uid) || is_no_id(*gid) || std::any_of(groups.begin(), groups.end(), is_no_id))
      return base::fail(base::Code::invalid_argument, "the uid or gid is out of range");
    confinement.account = Account{.uid = static_cast<uid_t>(*uid),
                                  .gid = static_cast<gid_t>(*gid),
                                  .groups = {groups.begin(), groups.end()}};
  }
  for (const auto& [field, limit] : kLimitFields)
    if (const auto value = message.number(field))
      confinement.limits.*limit = std::min(*value, kMostOfAnything);
  return confinement;
}

}  // namespace keeper
