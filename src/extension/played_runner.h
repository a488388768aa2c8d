// What tests play: a surface that remembers, and the other end of a runner's connection.

#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "extension/runners.h"
#include "extension/surface.h"

namespace extension {

namespace asio = boost::asio;

// Remembers what it was shown, as text.
class RecordingSurface final : public Surface {
 public:
  void show_commands(const std::string& session,
                     const std::vector<CommandInfo>& commands) override {
    shown.push_back(session + " commands " + std::to_string(commands.size()));
  }
  void show_notification(const std::string& session, const std::string& level,
                         const std::string& text) override {
    shown.push_back(session + " " + level + " " + text);
  }
  void show_question(const std::string& session, const QuestionInfo& question) override {
    shown.push_back(session + " asks " + question.title);
    asked.push_back(question.id);
  }
  void hide_question(const std::string& id) override {
    shown.push_back("hides");
    std::erase(asked, id);
  }
  void show_status(const std::string& session, const std::string& key,
                   const std::optional<std::string>& text) override {
    shown.push_back(session + " " + key + "=" + text.value_or("(none)"));
  }

  std::vector<std::string> shown;
  std::vector<std::string> asked;  // The ids of open questions.
};

// The other end of a connection to the daemon.
class PlayedRunner {
 public:
  struct Request {
    std::int64_t id = 0;  // 0: a notification.
    std::string method;
    json::object params;
  };

  PlayedRunner(asio::io_context& io, Runners& runners, pid_t pid) : io_(io), socket_(io) {
    Rpc::Socket theirs(io);
    asio::local::connect_pair(theirs, socket_);
    socket_.non_blocking(true);
    runners.serve(std::move(theirs), pid);
  }

  // Connects to the daemon's socket, as the test's own process.
  PlayedRunner(asio::io_context& io, const std::filesystem::path& socket) : io_(io), socket_(io) {
    socket_.connect({socket.string()});
    socket_.non_blocking(true);
    run();
  }

  // The daemon accepts it as a runner that holds these sessions.
  void say_hello(json::array sessions, json::object more = {}) {
    more["protocol"] = 1;
    more["sessions"] = std::move(sessions);
    const json::value said = ask("hello", std::move(more));
    EXPECT_TRUE(said.is_object() && said.as_object().contains("result")) << said;
  }

  void send(const json::object& message) {
    asio::write(socket_, asio::buffer(json::serialize(message) + "\n"));
    run();
  }
  void notify(std::string_view method, json::object params) {
    send({{"method", json::string_view(method.data(), method.size())}, {"params", params}});
  }
  void answer(std::int64_t id, json::value result) { send({{"id", id}, {"result", result}}); }
  void refuse(std::int64_t id, const std::string& why) {
    send({{"id", id}, {"error", {{"code", -32000}, {"message", why}}}});
  }
  // Asks the daemon. Returns its whole answer, or null if it has not come.
  json::value ask(std::string_view method, json::object params) {
    send({{"id", "asked"},
          {"method", json::string_view(method.data(), method.size())},
          {"params", params}});
    read();
    return std::exchange(answered_, nullptr);
  }
  // What the daemon has sent since the last call.
  std::deque<Request> take() {
    read();
    return std::exchange(requests_, {});
  }
  [[nodiscard]] bool has_requests() {
    read();
    return !requests_.empty();
  }
  void close() {
    socket_.close();
    run();
  }

 private:
  void run() {
    io_.restart();
    io_.poll();
  }
  void read() {
    run();
    char bytes[4096];
    boost::system::error_code error;
    for (std::size_t size = 1; size > 0 && !error;) {
      size = socket_.read_some(asio::buffer(bytes), error);
      buffer_.append(bytes, size);
    }
    for (std::size_t end; (end = buffer_.find('\n')) != std::string::npos;
         buffer_.erase(0, end + 1)) {
      const json::object message = json::parse(buffer_.substr(0, end)).as_object();
      if (!message.contains("method")) {
        answered_ = message;
        continue;
      }
      requests_.push_back({.id = message.contains("id") ? message.at("id").as_int64() : 0,
                           .method = std::string(message.at("method").as_string()),
                           .params = message.at("params").as_object()});
    }
  }

  asio::io_context& io_;
  Rpc::Socket socket_;
  std::string buffer_;
  std::deque<Request> requests_;
  json::value answered_;
};

}  // namespace extension
