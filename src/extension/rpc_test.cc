#include "extension/rpc.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>

namespace extension {
namespace {

namespace asio = boost::asio;
using asio::awaitable;

// Both ends of a connection; the test plays the runner.
class RpcTest : public ::testing::Test {
 protected:
  RpcTest() : peer_(io_), tasks_(io_.get_executor()) {
    Rpc::Socket socket(io_);
    asio::local::connect_pair(socket, peer_);
    rpc_ = std::make_shared<Rpc>(
        std::move(socket),
        Rpc::Handlers{
            .request = [this](std::string method,
                              json::object params) -> awaitable<base::Result<json::value>> {
              heard_.push_back(method);
              if (method == "fail")
                co_return base::fail(base::Code::not_found, "not here", "Look elsewhere.");
              co_return json::value(params);
            },
            .notification = [this](std::string_view method,
                                   const json::object&) { heard_.emplace_back(method); }});
    tasks_.spawn([this]() -> awaitable<void> {
      co_await rpc_->run();
      ended_ = true;
    });
  }
  ~RpcTest() override {
    rpc_->close();
    run();
    EXPECT_TRUE(ended_);
  }

  void run() {
    io_.restart();
    io_.poll();
  }
  void send(const std::string& text) {
    asio::write(peer_, asio::buffer(text));
    run();
  }
  json::value receive() {
    run();
    const std::size_t size = asio::read_until(peer_, asio::dynamic_buffer(buffer_), '\n');
    const json::value message = json::parse(buffer_.substr(0, size));
    buffer_.erase(0, size);
    return message;
  }

  asio::io_context io_;
  Rpc::Socket peer_;
  base::TaskScope tasks_;
  std::shared_ptr<Rpc> rpc_;
  std::vector<std::string> heard_;
  std::string buffer_;
  bool ended_ = false;
};

TEST_F(RpcTest, RequestsAreAnsweredAndNotificationsTaken) {
  send(R"({"jsonrpc":"2.0","method":"log","params":{}})"
       "\n"
       R"({"jsonrpc":"2.0","id":7,"method":"echo","params":{"a":1}})"
       "\n");
  EXPECT_EQ(receive(), json::parse(R"({"jsonrpc":"2.0","id":7,"result":{"a":1}})"));
  EXPECT_EQ(heard_, (std::vector<std::string>{"log", "echo"}));
  send(R"({"jsonrpc":"2.0","id":"x","method":"fail"})"
       "\n");
  EXPECT_EQ(receive(), json::parse(R"({"jsonrpc":"2.0","id":"x","error":
      {"code":-32002,"message":"not here","data":{"advice":"Look elsewhere."}}})"));
}

TEST_F(RpcTest, AMessageMayComeInPieces) {
  const std::string line = R"({"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"ä"}})"
                           "\n";
  for (const char byte : line) send(std::string(1, byte));
  EXPECT_EQ(receive().at("result").at("text"), "ä");
}

TEST_F(RpcTest, DeepValuesAreTaken) {
  send(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":{"v":)" + std::string(500, '[') +
       std::string(500, ']') + "}}\n");
  run();
  EXPECT_EQ(heard_, std::vector<std::string>{"echo"});
  EXPECT_FALSE(ended_);
}

TEST_F(RpcTest, WhatIsNoMessageEndsTheConnection) {
  send("hello\n");
  EXPECT_TRUE(ended_);
}

TEST_F(RpcTest, AValueThatIsNoObjectEndsTheConnection) {
  send("[1]\n");
  EXPECT_TRUE(ended_);
}

TEST_F(RpcTest, AnObjectThatSaysNothingEndsTheConnection) {
  send("{}\n");
  EXPECT_TRUE(ended_);
}

TEST_F(RpcTest, AMethodThatIsNoTextEndsTheConnection) {
  send(R"({"id":1,"method":7})"
       "\n");
  EXPECT_TRUE(ended_);
}

TEST_F(RpcTest, ALineThatIsTooLongEndsTheConnection) {
  const std::string piece(64 * 1024, 'x');
  peer_.non_blocking(true);
  for (std::size_t sent = 0; sent <= kLongestLine && !ended_;) {
    boost::system::error_code error;
    sent += peer_.write_some(asio::buffer(piece), error);
    run();
  }
  EXPECT_TRUE(ended_);
}

TEST_F(RpcTest, AnswersReachTheirCallers) {
  std::vector<std::string> results;
  for (const char* method : {"one", "two"})
    tasks_.spawn([this, &results, method]() -> awaitable<void> {
      auto result = co_await rpc_->call(method, {});
      results.push_back(result ? std::string(result->as_string()) : result.error().what);
    });
  EXPECT_EQ(receive().at("method"), "one");
  EXPECT_EQ(receive().at("method"), "two");
  send(R"({"id":2,"result":"second"})"
       "\n"
       R"({"id":9,"result":"nobody asked"})"
       "\n"
       R"({"id":1,"error":{"code":-32001,"message":"refused"}})"
       "\n");
  EXPECT_EQ(results, (std::vector<std::string>{"second", "refused"}));
}

TEST_F(RpcTest, TheEndOfTheConnectionIsTheAnswerToWhatWaits) {
  std::optional<base::Code> code;
  tasks_.spawn([this, &code]() -> awaitable<void> {
    const auto result = co_await rpc_->call("one", {});
    code = result.error().code;
  });
  run();
  peer_.close();
  run();
  EXPECT_EQ(code, base::Code::unavailable);
}

}  // namespace
}  // namespace extension
