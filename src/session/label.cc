#include "session/label.h"

#include <vector>

namespace session {
namespace {

constexpr std::string_view kFormat = "2";
constexpr std::string_view kKept = "kept";
constexpr std::string_view kConnection = "connection";
constexpr std::string_view kRestored = "restored";  // And kept.

std::string_view lifetime_of(const Label& label) {
  if (label.origin == Origin::restored) return kRestored;
  return label.lifetime == Lifetime::kept ? kKept : kConnection;
}

}  // namespace

// Only the last field, the session's name, may contain spaces.
std::string to_text(const Label& label) {
  std::string text(kFormat);
  for (const std::string_view field :
       {std::string_view(label.user.str()), std::string_view(label.user_name),
        std::string_view(label.session.str()), lifetime_of(label),
        std::string_view(label.session_name)})
    (text += ' ') += field;
  return text;
}

std::optional<Label> parse_label(std::string_view text) {
  std::vector<std::string_view> fields;
  while (fields.size() < 5) {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    fields.push_back(text.substr(0, space));
    text.remove_prefix(space + 1);
  }
  auto user = UserId::parse(fields[1]);
  auto session = SessionId::parse(fields[3]);
  if (fields[0] != kFormat || !user || !session) return std::nullopt;
  return Label{.user = *std::move(user),
               .user_name = std::string(fields[2]),
               .session = *std::move(session),
               .session_name = std::string(text),
               .lifetime = fields[4] == kConnection ? Lifetime::connection : Lifetime::kept,
               .origin = fields[4] == kRestored ? Origin::restored : Origin::fresh};
}

}  // namespace session
