#include "extension/lifecycle_note.h"

#include "base/log.h"

namespace extension {

void note(session::Store& store, const session::SessionRow& session, const std::string& subject,
          std::string_view event, const std::string& detail) {
  const session::LogEntry entry{.user = session.user,
                                .session = session.id,
                                .subject = subject,
                                .event = std::string(event),
                                .detail = detail};
  if (auto noted = store.append_log(entry); !noted)
    base::log(base::Level::warning, "cannot write the lifecycle log",
              {{"subject", subject}, {"event", event}, {"error", noted.error()}});
}

}  // namespace extension
