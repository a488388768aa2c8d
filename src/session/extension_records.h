// The part of the store for extensions: their resources, state and generations, and the directories
// they may be loaded from.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "session/rows.h"
#include "session/sqlite.h"

namespace session {

// An extension in a session.
struct ExtensionKey {
  SessionId session;
  std::string name;

  friend auto operator<=>(const ExtensionKey&, const ExtensionKey&) = default;
};

// The events that extensions must decide, by the extension's name.
using EventNames = std::set<std::string, std::less<>>;
using Guards = std::map<std::string, EventNames, std::less<>>;

inline constexpr std::size_t kMaxStateValue = 256 * 1024;
inline constexpr std::size_t kMaxState = 4 * 1024 * 1024;

class ExtensionRecords {
 public:
  explicit ExtensionRecords(Database& database) : database_(&database) {}

  [[nodiscard]] base::Status set_were(const SessionId& session, ExtensionsWere what);

  // Counts one more load of the extension and returns its number.
  [[nodiscard]] base::Result<std::int64_t> next_generation(const ExtensionKey& key);

  // Inserts the row, or replaces the one with its key.
  [[nodiscard]] base::Status save_resource(const ResourceRow& row);
  [[nodiscard]] base::Status remove_resource(const ExtensionKey& owner, std::string_view key);
  [[nodiscard]] base::Result<std::vector<ResourceRow>> resources(const SessionId& session);

  // The value is JSON, but the store does not parse it.
  [[nodiscard]] base::Result<std::optional<std::string>> state(const ExtensionKey& owner,
                                                               std::string_view key);
  // Fails with `too_large` beyond the limits above.
  [[nodiscard]] base::Status set_state(const ExtensionKey& owner, std::string_view key,
                                       std::string_view value);
  [[nodiscard]] base::Status remove_state(const ExtensionKey& owner, std::string_view key);
  [[nodiscard]] base::Result<std::vector<std::string>> state_keys(const ExtensionKey& owner);

  // The events that extensions must decide in that session. For an extension that has declared none
  // there, its declarations in the user's other sessions count.
  [[nodiscard]] base::Result<Guards> guards(const SessionId& session);
  [[nodiscard]] base::Status set_guard(const ExtensionKey& key, const EventNames& events);

  // Directories whose own extensions the user trusts.
  [[nodiscard]] base::Status trust(const UserId& user, std::string_view directory);
  [[nodiscard]] base::Status distrust(const UserId& user, std::string_view directory);
  [[nodiscard]] base::Result<std::vector<std::string>> trusted(const UserId& user);

 private:
  Database* database_;
};

}  // namespace session
