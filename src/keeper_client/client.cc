#include "keeper_client/client.h"

#include <cerrno>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/event.h"
#include "base/log.h"

namespace keeper {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::milliseconds kFirstRetry{10};
constexpr std::chrono::milliseconds kLongestRetry{1000};

base::Error disconnected() {
  return {.code = base::Code::unavailable,
          .what = "lost the connection to the keeper",
          .advice = "Reconnecting; try again."};
}

ChildExit child_exit_of(const Message& message) {
  return {.status = keeper::exit_of(message), .offset = message.number_or(Field::offset, 0)};
}

ChildInfo info_of(const Message& message) {
  ChildInfo info;
  info.id = ChildId(message.text(Field::id));
  info.kind = static_cast<Kind>(message.number_or(Field::kind, 0));
  info.state = static_cast<State>(message.number_or(Field::state, 0));
  info.pid = static_cast<pid_t>(message.number_or(Field::pid, 0));
  info.rows = static_cast<std::uint16_t>(message.number_or(Field::rows, 0));
  info.cols = static_cast<std::uint16_t>(message.number_or(Field::cols, 0));
  info.created = std::chrono::system_clock::time_point(
      std::chrono::milliseconds(message.number_or(Field::created, 0)));
  info.argv = message.texts(Field::argv);
  info.label = message.text(Field::label);
  if (message.number(Field::offset)) info.exit = child_exit_of(message);
  if (const auto uid = message.number(Field::uid)) info.uid = static_cast<uid_t>(*uid);
  return info;
}

KeeperInfo keeper_info_of(const Message& welcome) {
  return {.version = welcome.text(Field::version),
          .revision = welcome.number_or(Field::revision, 0),
          .pid = static_cast<pid_t>(welcome.number_or(Field::pid, 0))};
}

}  // namespace

// A request that waits for its answer. The timer never expires; cancelling it wakes the waiter.
struct KeeperClient::Pending {
  explicit Pending(const asio::any_io_executor& executor, Tag asked)
      : asked(asked), arrived(executor) {}

  Tag asked;
  base::Event arrived;
  std::vector<Answer> answers;
  std::optional<base::Error> failure;
  bool complete = false;

  void finish() {
    complete = true;
    arrived.notify();
  }
};

// One connection, kept alive by those who still wait on it.
struct KeeperClient::Link {
  Link(const asio::any_io_executor& executor, base::Fd fd)
      : socket(std::move(fd)), ready(executor, socket.get()) {}
  ~Link() { close(); }

  base::Fd socket;
  asio::posix::stream_descriptor ready;  // Waits on `socket` but does not own it.

  void close() {
    if (!socket) return;
    ready.release();
    socket.reset();
  }
};

KeeperClient::KeeperClient(asio::any_io_executor executor, std::filesystem::path runtime_dir,
                           Events events)
    : executor_(executor),
      runtime_dir_(std::move(runtime_dir)),
      events_(std::move(events)),
      tasks_(executor) {}

KeeperClient::~KeeperClient() = default;

awaitable<base::Status> KeeperClient::start(Takeover takeover) {
  auto connected = co_await connect(takeover);
  owns_ = connected.has_value();
  co_return connected;
}

awaitable<base::Status> KeeperClient::connect(Takeover takeover) {
  auto socket = connect_to_keeper(runtime_dir_);
  if (!socket) co_return base::fail(socket.error());
  link_ = std::make_shared<Link>(executor_, std::move(*socket));
  tasks_.spawn([this, link = link_]() -> awaitable<void> { co_await read(link); });

  Message message = request(Tag::claim);
  message.add(Field::takeover, std::uint64_t{takeover == Takeover::yes});
  auto granted = co_await ask(std::move(message), Tag::granted);
  if (granted) co_return base::Status{};
  if (link_) std::exchange(link_, nullptr)->close();
  co_return base::fail(std::move(granted.error()));
}

awaitable<void> KeeperClient::stop() {
  stopping_ = true;
  if (link_) std::exchange(link_, nullptr)->close();
  link_lost(disconnected());
  tasks_.cancel();
  co_await tasks_.join();
}

awaitable<void> KeeperClient::read(std::shared_ptr<Link> link) {
  for (;;) {
    auto packet = keeper::receive_packet(link->socket);
    if (packet) {
      received(std::move(*packet));
      continue;
    }
    if (!keeper::would_block(packet.error())) {
      if (link_ == link) link_lost(packet.error());
      co_return;
    }
    const auto [error] =
        co_await link->ready.async_wait(asio::posix::stream_descriptor::wait_read, kNoThrow);
    if (error) co_return;  // Closed on this side.
  }
}

void KeeperClient::link_lost(const base::Error& why) {
  if (link_) std::exchange(link_, nullptr)->close();
  for (const auto& [number, pending] : std::exchange(pending_, {})) {
    pending->failure = disconnected();
    pending->finish();
  }
  if (stopping_ || !owns_ || reconnecting_) return;
  base::log(base::Level::warning, "lost the connection to the keeper", {{"error", why}});
  if (events_.lost) events_.lost(why);
  reconnecting_ = true;
  tasks_.spawn([this]() -> awaitable<void> { co_await reconnect(); });
}

awaitable<void> KeeperClient::reconnect() {
  asio::steady_timer pause(executor_);
  for (auto delay = kFirstRetry; !stopping_; delay = std::min(2 * delay, kLongestRetry)) {
    const auto connected = co_await connect(Takeover::no);
    if (connected || connected.error().code == base::Code::busy) {
      reconnecting_ = false;
      owns_ = connected.has_value();
      if (!connected && events_.displaced) events_.displaced(connected.error());
      if (!connected) co_return;
      const auto handed = co_await hand_over_listeners();
      // If the connection was lost again, another attempt is under way.
      if (link_ && events_.back) events_.back();
      co_return;
    }
    if (events_.unreachable) events_.unreachable();
    pause.expires_after(delay);
    const auto [error] = co_await pause.async_wait(kNoThrow);
    if (error) co_return;
  }
}

void KeeperClient::received(Packet packet) {
  auto message = Message::decode(packet.bytes);
  if (!message) {
    base::log(base::Level::error, "cannot read the keeper's message", {{"error", message.error()}});
    return;
  }
  if (message->request() == 0) return happened(*message);
  const auto found = pending_.find(message->request());
  if (found == pending_.end()) return;  // The caller is gone; drop the answer.
  const auto pending = found->second;
  const bool more = pending->asked == Tag::list && message->tag() == Tag::child;
  pending->answers.push_back({.message = std::move(*message),
                              .descriptors = std::move(packet.descriptors),
                              .is_short_of_descriptors = packet.is_short_of_descriptors});
  if (more) return;
  pending_.erase(found);
  pending->finish();
}

void KeeperClient::happened(const Message& event) {
  if (event.tag() == Tag::exited && events_.exited)
    events_.exited(ChildId(event.text(Field::id)), child_exit_of(event));
  if (event.tag() == Tag::let_go && events_.let_go)
    events_.let_go(std::chrono::milliseconds(event.number_or(Field::grace, 0)));
  if (event.tag() == Tag::error)
    base::log(base::Level::error, "the keeper reported an error",
              {{"error", keeper::error_of(event)}});
}

Message KeeperClient::request(Tag tag) {
  if (++last_request_ == 0) ++last_request_;  // 0 marks messages that answer no request.
  return Message(tag, last_request_);
}

awaitable<base::Status> KeeperClient::send(std::shared_ptr<Link> link, std::vector<std::byte> bytes,
                                           int descriptor) {
  for (;;) {
    const auto sent = keeper::send_packet(
        link->socket, bytes, std::span<const int>(&descriptor, descriptor < 0 ? 0 : 1));
    if (sent) co_return base::Status{};
    if (!keeper::would_block(sent.error())) co_return base::fail(sent.error());
    const auto [error] =
        co_await link->ready.async_wait(asio::posix::stream_descriptor::wait_write, kNoThrow);
    if (error) co_return base::fail(disconnected());
  }
}

awaitable<base::Result<std::vector<KeeperClient::Answer>>> KeeperClient::ask_for_all(
    Message message, int descriptor) {
  const auto link = link_;
  if (!link) co_return base::fail(disconnected());
  const auto pending = std::make_shared<Pending>(executor_, message.tag());
  pending_.emplace(message.request(), pending);
  std::vector<std::byte> bytes = message.encode();
  const auto sent = co_await send(link, std::move(bytes), descriptor);
  if (!sent) {
    pending_.erase(message.request());
    co_return base::fail(sent.error());
  }
  if (!pending->complete) co_await pending->arrived.wait();
  if (!pending->complete) {  // The caller was cancelled.
    pending_.erase(message.request());
    co_return base::fail(base::Code::unavailable, "the wait for the keeper's answer was cancelled");
  }
  if (pending->failure) co_return base::fail(*pending->failure);
  if (pending->answers.back().message.tag() == Tag::error)
    co_return base::fail(keeper::error_of(pending->answers.back().message));
  co_return std::move(pending->answers);
}

awaitable<base::Result<KeeperClient::Answer>> KeeperClient::ask(Message message, Tag wanted) {
  auto answers = co_await ask_for_all(std::move(message));
  if (!answers) co_return base::fail(answers.error());
  if (answers->back().message.tag() != wanted)
    co_return base::fail(base::Code::corrupt, "unexpected answer from the keeper");
  co_return std::move(answers->back());
}

awaitable<base::Status> KeeperClient::ask_done(Message message, int descriptor) {
  auto answers = co_await ask_for_all(std::move(message), descriptor);
  if (!answers) co_return base::fail(answers.error());
  if (answers->back().message.tag() != Tag::done)
    co_return base::fail(base::Code::corrupt, "unexpected answer from the keeper");
  co_return base::Status{};
}

base::Result<AttachedChild> KeeperClient::attached(Answer answer) {
  if (answer.is_short_of_descriptors)
    return base::fail(
        base::errno_error(EMFILE, "receive the descriptors of " + answer.message.text(Field::id),
                          "Raise the limit on open files, or close some terminals."));
  auto& descriptors = answer.descriptors;
  if (descriptors.size() < 3)
    return base::fail(base::Code::corrupt, "the keeper sent a child without its journal");
  journal::Wakeups wakeups{.data = journal::Wakeup(std::move(descriptors[1])),
                           .space = journal::Wakeup(std::move(descriptors[2]))};
  auto consumer = journal::Consumer::open(descriptors[0], std::move(wakeups));
  if (!consumer) return base::fail(consumer.error());
  ChildInfo info = info_of(answer.message);
  const bool is_terminal = info.kind == Kind::terminal;
  return AttachedChild{.info = std::move(info),
                       .journal = std::move(*consumer),
                       .memory = is_terminal ? std::move(descriptors[0]) : base::Fd(),
                       .input = descriptors.size() > 3 ? std::move(descriptors[3]) : base::Fd()};
}

awaitable<base::Result<KeeperInfo>> KeeperClient::hello() {
  auto answer = co_await ask(request(Tag::hello), Tag::welcome);
  if (!answer) co_return base::fail(answer.error());
  co_return keeper_info_of(answer->message);
}

awaitable<base::Result<std::vector<ChildInfo>>> KeeperClient::list() {
  auto answers = co_await ask_for_all(request(Tag::list));
  if (!answers) co_return base::fail(answers.error());
  std::vector<ChildInfo> children;
  for (const Answer& answer : *answers)
    if (answer.message.tag() == Tag::child) children.push_back(info_of(answer.message));
  co_return children;
}

awaitable<base::Result<AttachedChild>> KeeperClient::attach(ChildId id) {
  Message message = request(Tag::attach);
  message.add(Field::id, id.str());
  auto answer = co_await ask(std::move(message), Tag::child);
  if (!answer) co_return base::fail(answer.error());
  co_return attached(std::move(*answer));
}

awaitable<base::Result<AttachedChild>> KeeperClient::spawn(SpawnRequest wanted) {
  const bool is_confined = wanted.confinement.is_any();
  Message message = request(is_confined ? Tag::spawn_confined : Tag::spawn);
  message.add(Field::id, wanted.id.str())
      .add(Field::kind, static_cast<std::uint64_t>(wanted.kind))
      .add(Field::argv, wanted.argv)
      .add(Field::env, wanted.env)
      .add(Field::cwd, wanted.cwd)
      .add(Field::rows, std::uint64_t{wanted.rows})
      .add(Field::cols, std::uint64_t{wanted.cols});
  if (!wanted.label.empty()) message.add(Field::label, wanted.label);
  const HistorySpace history = wanted.history.value_or(HistorySpace{});
  const std::uint64_t behind = history.store + (history.has_input_area ? journal::kInputArea : 0);
  if (wanted.history) message.add(Field::history, history.ring + behind);
  if (wanted.replay) message.add(Field::replay, *wanted.replay);
  if (is_confined) add_confinement(message, wanted.confinement);
  auto answer = co_await ask(std::move(message), Tag::child);
  if (!answer) co_return base::fail(answer.error());
  auto child = attached(std::move(*answer));
  if (child) {
    child->journal.history().set_store(behind);
    if (history.has_input_area) child->journal.history().set_input_area();
    co_return child;
  }
  // Do not leave a program running that nobody can see.
  auto closed = co_await close(wanted.id, std::chrono::milliseconds(0));
  if (!closed)
    base::log(base::Level::warning, "cannot attach to a new program, and cannot end it",
              {{"child", wanted.id.str()}, {"error", closed.error()}});
  co_return child;
}

awaitable<base::Status> KeeperClient::close(ChildId id,
                                            std::optional<std::chrono::milliseconds> grace) {
  Message message = request(Tag::close);
  message.add(Field::id, id.str());
  if (grace) message.add(Field::grace, static_cast<std::uint64_t>(grace->count()));
  co_return co_await ask_done(std::move(message));
}

awaitable<base::Status> KeeperClient::yield() {
  auto yielded = co_await ask_done(request(Tag::yield));
  if (yielded) owns_ = false;
  co_return yielded;
}

awaitable<base::Result<KeeperInfo>> KeeperClient::upgrade(std::filesystem::path path) {
  Message message = request(Tag::upgrade);
  if (!path.empty()) message.add(Field::path, path.native());
  auto answer = co_await ask(std::move(message), Tag::welcome);
  if (!answer) co_return base::fail(answer.error());
  co_return keeper_info_of(answer->message);
}

}  // namespace keeper
