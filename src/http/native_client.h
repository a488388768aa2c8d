// A client of the native protocol (docs/protocol.md): control messages as text, terminal data as
// binary frames.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "extension/extensions.h"
#include "http/client.h"
#include "http/overview.h"
#include "terminal/paste.h"
#include "wire/native.h"
#include "wire/native_extension_events.h"
#include "wire/native_frame.h"

namespace http {

class NativeClient final : public Client,
                           private extension::Surface,
                           private extension::AgentClient {
 public:
  NativeClient(boost::asio::any_io_executor executor, std::unique_ptr<WebSocket> socket,
               session::Sessions& sessions, operation::Operations& operations, User user,
               extension::Extensions& extensions);
  ~NativeClient() override;

  void terminal_created(const session::TerminalEntry& entry) override;
  void terminal_renamed(const session::TerminalEntry& entry) override;
  void terminals_reordered(const std::vector<const session::TerminalEntry*>& order) override;
  void terminal_exited(const session::TerminalEntry& entry) override;
  void terminal_closed(const session::TerminalEntry& entry, session::CloseReason reason) override;
  void terminal_restorable(const session::TerminalEntry& entry) override;
  void terminal_changed(const session::TerminalEntry& entry) override;
  void terminal_noticed(const session::TerminalEntry& entry,
                        const terminal::Notice& notice) override;
  void session_created(const session::SessionRow& session) override;
  void session_renamed(const session::SessionRow& session, const std::string& old_name) override;
  void session_closed(const session::SessionRow& session) override;
  void preference_changed(const session::PreferenceRow& preference) override;

 private:
  static constexpr std::size_t kMostPasted = 8 * 1024 * 1024;
  using Id = std::optional<wire::native::RequestId>;

  boost::asio::awaitable<void> begin() override;
  boost::asio::awaitable<void> finish() override;
  boost::asio::awaitable<void> handle(Message message) override;
  Taken take(Attachment& attachment, std::string& out, MessageKind& kind) override;
  bool take_more(std::string& out) override { return overview_.take(out); }
  void detached(Attachment& attachment, terminal::Detached why) override;
  [[nodiscard]] std::string too_many_messages(const std::string& limit) const override {
    return wire::native::error(
        wire::native::refusal({.code = base::Code::too_large,
                               .what = "too many messages; the limit is " + limit,
                               .advice = {}},
                              {}));
  }

  boost::asio::awaitable<void> refused(base::Error error, Id id);
  boost::asio::awaitable<void> handle(Id id, wire::native::List request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Create request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Restore request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Attach request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Detach request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Resize request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Focus request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Hide request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Show request);
  boost::asio::awaitable<void> handle(Id id, wire::native::ChangeRole request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Theme request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Rename request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Reorder request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Close request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Send request);
  boost::asio::awaitable<void> handle(Id id, wire::native::TakeLease request);
  boost::asio::awaitable<void> handle(Id id, wire::native::ReleaseLease request);
  boost::asio::awaitable<void> handle(Id id, wire::native::CommandsOf request);
  boost::asio::awaitable<void> handle(Id id, wire::native::ListNotices request);
  boost::asio::awaitable<void> handle(Id id, wire::native::ShowOverview request);
  // native_client_output.cc
  boost::asio::awaitable<void> handle(Id id, wire::native::CommandOutputOf request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Search request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Ping request);
  boost::asio::awaitable<void> handle(Id id, wire::native::ListSessions request);
  boost::asio::awaitable<void> handle(Id id, wire::native::CreateSession request);
  boost::asio::awaitable<void> handle(Id id, wire::native::RenameSession request);
  boost::asio::awaitable<void> handle(Id id, wire::native::CloseSession request);
  boost::asio::awaitable<void> handle(Id id, wire::native::ListPreferences request);
  boost::asio::awaitable<void> handle(Id id, wire::native::SetPreference request);
  // native_client_extensions.cc
  boost::asio::awaitable<void> handle(Id id, wire::native::SwitchSession request);
  boost::asio::awaitable<void> handle(Id id, wire::native::ListCommands request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Run request);
  boost::asio::awaitable<void> handle(Id id, wire::native::ListTools request);
  boost::asio::awaitable<void> handle(Id id, wire::native::CallTool request);
  boost::asio::awaitable<void> handle(Id id, wire::native::Cancel request);
  boost::asio::awaitable<void> handle(Id id, wire::native::AnswerQuestion request);
  boost::asio::awaitable<void> handle(Id id, wire::native::ListResources request);
  boost::asio::awaitable<void> handle(Id id, wire::native::CloseResource request);
  // native_client_agents.cc
  boost::asio::awaitable<void> handle(Id id, wire::native::AttachAgent request);
  boost::asio::awaitable<void> handle(Id id, wire::native::TellAgentState request);
  boost::asio::awaitable<void> handle(Id id, wire::native::TellAgentEvent request);
  boost::asio::awaitable<void> handle(Id id, wire::native::AnswerAgentCall request);
  boost::asio::awaitable<void> handle(Id id, wire::native::DetachAgent request);
  void agent_offer(const std::string& session, const extension::AgentOffer& offer) override;
  void agent_call(const std::string& session, const std::string& id, const std::string& name,
                  const boost::json::object& params) override;
  void agent_detached(const std::string& session, std::string_view reason) override;
  void show_commands(const std::string& session,
                     const std::vector<extension::CommandInfo>& commands) override;
  void show_notification(const std::string& session, const std::string& level,
                         const std::string& text) override;
  void show_question(const std::string& session, const extension::QuestionInfo& question) override;
  void hide_question(const std::string& id) override;
  void show_status(const std::string& session, const std::string& key,
                   const std::optional<std::string>& text) override;
  [[nodiscard]] extension::Call begin_call(const Id& id);
  // The user's session with that name; sends an error if there is none.
  [[nodiscard]] std::optional<session::SessionRow> session_of(const std::string& name,
                                                              const Id& id);

  void handle_frame(std::span<const std::byte> bytes);
  // Whether input from there is allowed; sends an error if not.
  [[nodiscard]] bool may_type(Attachment& attachment);
  void type(Attachment& attachment, std::string_view bytes);
  void paste(Attachment& attachment, std::string_view piece, std::uint64_t following);

  // The channel's attachment; sends an error if there is none.
  [[nodiscard]] Attachment* channel(std::uint32_t number, const Id& id);
  void refuse(const base::Error& error, const Id& id);

  extension::Extensions& extensions_;
  base::TaskScope waiting_;  // For answers of extensions, which may take any time.
  std::map<std::string, std::shared_ptr<const void>> searches_;  // By the client's id.
  std::map<std::string, std::string> calls_;  // The call's id for extensions, by the client's id.
  // Lets callbacks check that the client still exists.
  std::shared_ptr<NativeClient*> self_ = std::make_shared<NativeClient*>(this);
  terminal::PasteInPieces paste_{kMostPasted};
  Overview overview_;
};

}  // namespace http
