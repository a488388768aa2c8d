// The open questions of one session: asked on all its surfaces, and answered once.
//
// Invariants
// 1. The first answer counts. A question that is closed, or that nobody answers in time, is
//    answered with null.
// 2. A question is shown until `ask` returns, also on a surface that comes later.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/value.hpp>

#include "extension/display.h"

namespace extension {

class Questions {
 public:
  // The display outlives it.
  Questions(boost::asio::any_io_executor executor, Display& display)
      : executor_(executor), display_(display) {}

  // `call`: the command or event that asks. `generation`: of the code that asks; 0 if none does.
  // It must outlive the wait.
  boost::asio::awaitable<boost::json::value> ask(QuestionInfo info, std::string call,
                                                 std::int64_t generation = 0);
  // False if there is no such question, or it was answered already.
  bool answer(const std::string& id, boost::json::value value);
  // Shows all of them to a surface that has just come.
  void show_all(Surface& surface, const std::string& session) const;
  void close_all();
  // Its caller is gone.
  void close_of(const std::string& call);
  // The code that asked has ended.
  void close_of(const std::string& extension, std::int64_t generation);
  [[nodiscard]] bool has_any_of(const std::string& call) const;

 private:
  struct Question {
    QuestionInfo info;
    std::string call;
    std::int64_t generation = 0;
    std::optional<boost::json::value> answer;
    std::shared_ptr<boost::asio::steady_timer> answered;  // Expires with the question.
  };

  boost::asio::any_io_executor executor_;
  Display& display_;
  std::map<std::string, Question> open_;  // By id.
};

}  // namespace extension
