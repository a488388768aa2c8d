#include "extension/session_extensions.h"

#include "base/log.h"
#include "extension/lifecycle_note.h"

namespace extension {

SessionExtensions::SessionExtensions(boost::asio::any_io_executor executor, session::Store& records,
                                     const base::Clock& clock, session::SessionRow row)
    : store(records),
      session(std::move(row)),
      resources(store, session, clock),
      display(session),
      questions(executor, display),
      guards(store, session),
      disabled(clock) {}

void SessionExtensions::drop_shown() {
  questions.close_all();
  display.drop_status();
}

void SessionExtensions::note(const std::string& subject, std::string_view event,
                             const std::string& detail) const {
  extension::note(store, session, subject, event, detail);
}

void SessionExtensions::record(session::ExtensionsWere what) const {
  if (auto set = store.extensions().set_were(session.id, what); !set)
    base::log(base::Level::warning, "cannot record the state of a session's extensions",
              {{"session", session.name}, {"error", set.error()}});
}

}  // namespace extension
