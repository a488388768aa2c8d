// What the extensions of one session show, and on which surfaces.
//
// Invariants
// 1. What a session shows reaches only its own surfaces.
// 2. Notifications are kept for the next surface while there is none: the newest 50.
// 3. A surface that comes is shown every status item. One whose code is gone is taken away.

#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "extension/surface.h"
#include "session/rows.h"

namespace extension {

class Display {
 public:
  // The session outlives it.
  explicit Display(const session::SessionRow& session) : session_(session) {}

  void add(Surface& surface);
  void remove(Surface& surface);

  void notify(const std::string& level, const std::string& text);
  void show_commands(const std::vector<CommandInfo>& commands);
  // None removes the item.
  void set_status(const std::string& extension, const std::string& key,
                  const std::optional<std::string>& text);
  // Removes the items of that extension, or all of them.
  void drop_status(const std::string& extension);
  void drop_status();

  void show_question(const QuestionInfo& question);
  void hide_question(const std::string& id);

 private:
  struct Notification {
    std::string level;
    std::string text;
  };

  const session::SessionRow& session_;
  std::vector<Surface*> surfaces_;
  std::deque<Notification> kept_;                                      // For the next surface.
  std::map<std::pair<std::string, std::string>, std::string> status_;  // By extension and key.
};

}  // namespace extension
