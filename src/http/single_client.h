// A client of the single protocol (docs/protocol.md): one terminal, which ends with the connection.

#pragma once

#include "http/client.h"
#include "wire/single.h"

namespace http {

class SingleClient final : public Client {
 public:
  SingleClient(boost::asio::any_io_executor executor, std::unique_ptr<WebSocket> socket,
               session::Sessions& sessions, operation::Operations& operations, User user,
               vt::Size size)
      : Client(executor, std::move(socket), sessions, operations, std::move(user)), size_(size) {}

 private:
  boost::asio::awaitable<void> begin() override;
  boost::asio::awaitable<void> handle(Message message) override;
  Taken take(Attachment& attachment, std::string& out, MessageKind& kind) override;
  void detached(Attachment& attachment, terminal::Detached why) override;
  [[nodiscard]] std::string too_many_messages(const std::string& limit) const override;
  boost::asio::awaitable<void> finish() override;

  void handle(const wire::single::Input& request);
  void handle(const wire::single::Resize& request);
  void handle(const wire::single::Ping& request);

  vt::Size size_;
  std::string terminal_id_;
  std::string scratch_;
};

}  // namespace http
