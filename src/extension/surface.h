// Where a session is shown: a browser or a command line. Its functions are called in the middle of
// other work, so they must only take note.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

namespace extension {

struct CommandInfo {
  std::string name;
  std::string extension;
  std::optional<std::string> description;
};

enum class QuestionKind { confirm, select, input };

struct QuestionInfo {
  std::string id;
  std::string extension;  // Who asks.
  QuestionKind kind = QuestionKind::confirm;
  std::string title;
  std::optional<std::string> message;
  std::vector<std::string> options;
  std::optional<std::string> placeholder;
  std::chrono::milliseconds timeout{0};
};

class Surface {
 public:
  virtual void show_commands(const std::string& session,
                             const std::vector<CommandInfo>& commands) = 0;
  virtual void show_notification(const std::string& session, const std::string& level,
                                 const std::string& text) = 0;
  virtual void show_question(const std::string& session, const QuestionInfo& question) = 0;
  virtual void hide_question(const std::string& id) = 0;
  // None removes the item.
  virtual void show_status(const std::string& session, const std::string& key,
                           const std::optional<std::string>& text) = 0;

 protected:
  ~Surface() = default;
};

}  // namespace extension
