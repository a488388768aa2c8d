#include "extension/rpc.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/log.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
// Drops a runner that does not read when this much is queued for it.
constexpr std::size_t kMostQueued = 64 * 1024 * 1024;

struct Number {
  base::Code code;
  int number;
};
constexpr Number kNumbers[] = {
    {base::Code::invalid_argument, -32602},  {base::Code::unsupported, -32601},
    {base::Code::permission_denied, -32001}, {base::Code::not_found, -32002},
    {base::Code::too_large, -32003},
};

const json::object kNothing;

const json::object& object_in(const json::object& message, std::string_view key) {
  const json::value* const found = message.if_contains({key.data(), key.size()});
  return found != nullptr && found->is_object() ? found->get_object() : kNothing;
}

std::string text_in(const json::object& message, std::string_view key) {
  const json::value* const found = message.if_contains({key.data(), key.size()});
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

}  // namespace

json::object error_to_json(const base::Error& error) {
  int number = -32000;
  for (const Number& each : kNumbers)
    if (each.code == error.code) number = each.number;
  json::object result{{"code", number}, {"message", error.what}};
  if (!error.advice.empty()) result["data"] = json::object{{"advice", error.advice}};
  return result;
}

base::Error error_from_json(const json::value& error) {
  base::Error result{.code = base::Code::io, .what = "unknown error", .advice = {}};
  if (!error.is_object()) return result;
  const json::object& object = error.get_object();
  if (const auto* code = object.if_contains("code"); code != nullptr && code->is_int64())
    for (const Number& each : kNumbers)
      if (each.number == code->get_int64()) result.code = each.code;
  if (auto message = text_in(object, "message"); !message.empty()) result.what = std::move(message);
  result.advice = text_in(object_in(object, "data"), "advice");
  return result;
}

Rpc::Rpc(Socket socket, Handlers handlers)
    : socket_(std::move(socket)),
      handlers_(std::move(handlers)),
      tasks_(socket_.get_executor()),
      wake_(socket_.get_executor()) {}

void Rpc::close() {
  closed_ = true;
  boost::system::error_code ignored;  // It is closed either way.
  socket_.close(ignored);
  wake_.notify();
}

awaitable<void> Rpc::run() {
  tasks_.spawn([this]() -> awaitable<void> { co_await write(); });
  if (auto ended = co_await read(); !ended)
    base::log(base::Level::error, "dropped the runner's connection", {{"error", ended.error()}});
  close();
  for (auto& [id, pending] : pending_) pending->answered.notify();
  pending_.clear();
  tasks_.cancel();
  co_await tasks_.join();
}

awaitable<base::Status> Rpc::read() {
  std::string buffer;
  for (;;) {
    const auto [error, size] = co_await asio::async_read_until(
        socket_, asio::dynamic_buffer(buffer, kLongestLine), '\n', kNoThrow);
    if (error == asio::error::not_found)
      co_return base::fail(base::Code::too_large, "a message is longer than 8 MiB");
    if (error) co_return base::Status{};
    if (auto taken = received(std::string_view(buffer).substr(0, size - 1)); !taken)
      co_return taken;
    buffer.erase(0, size);
  }
}

base::Status Rpc::received(std::string_view line) {
  boost::system::error_code error;
  const json::value parsed = json::parse({line.data(), line.size()}, error, {}, kDeepNesting);
  if (error || !parsed.is_object())
    return base::fail(base::Code::corrupt, "a line is not a JSON object");
  const json::object& message = parsed.get_object();
  const json::value* const id = message.if_contains("id");
  if (message.contains("method")) {
    if (id != nullptr) return received_request(*id, message);
    handlers_.notification(text_in(message, "method"), object_in(message, "params"));
    return {};
  }
  if (id == nullptr)
    return base::fail(base::Code::corrupt, "a message has neither a method nor an id");
  received_answer(*id, message);
  return {};
}

base::Status Rpc::received_request(const json::value& id, const json::object& message) {
  std::string method = text_in(message, "method");
  if (method.empty()) return base::fail(base::Code::corrupt, "a method is not a string");
  tasks_.spawn([this, id, method = std::move(method),
                params = object_in(message, "params")]() -> awaitable<void> {
    auto result = co_await handlers_.request(method, params);
    json::object answer{{"jsonrpc", "2.0"}, {"id", id}};
    if (result)
      answer["result"] = std::move(*result);
    else
      answer["error"] = error_to_json(result.error());
    send(answer);
  });
  return {};
}

void Rpc::received_answer(const json::value& id, const json::object& message) {
  const auto number = id.is_int64() ? static_cast<std::uint64_t>(id.get_int64()) : 0;
  const auto found = pending_.find(number);
  if (found == pending_.end()) return;  // Its caller is gone.
  const std::shared_ptr<Pending> pending = found->second;
  pending_.erase(found);
  if (const json::value* error = message.if_contains("error"))
    pending->result = base::fail(error_from_json(*error));
  else
    pending->result = message.contains("result") ? message.at("result") : json::value();
  pending->answered.notify();
}

awaitable<base::Result<json::value>> Rpc::call(std::string method, json::object params) {
  const auto pending = std::make_shared<Pending>(socket_.get_executor());
  if (closed_) co_return pending->result;
  const std::uint64_t id = ++last_id_;
  pending_.emplace(id, pending);
  send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  co_await pending->answered.wait();
  pending_.erase(id);
  co_return std::move(pending->result);
}

void Rpc::notify(std::string_view method, json::object params) {
  send({{"jsonrpc", "2.0"},
        {"method", json::string_view(method.data(), method.size())},
        {"params", std::move(params)}});
}

void Rpc::send(const json::object& message) {
  if (closed_) return;
  queue_.push_back(json::serialize(message) + "\n");
  queued_bytes_ += queue_.back().size();
  if (queued_bytes_ > kMostQueued) {
    base::log(base::Level::error, "dropped the runner's connection: it does not read");
    close();
  }
  wake_.notify();
}

awaitable<void> Rpc::write() {
  while (!closed_) {
    if (queue_.empty()) {
      co_await wake_.wait();
      continue;
    }
    const std::string line = std::move(queue_.front());
    queue_.pop_front();
    const auto [error, size] = co_await asio::async_write(socket_, asio::buffer(line), kNoThrow);
    queued_bytes_ -= line.size();
    if (error) close();
  }
}

}  // namespace extension
