// A keeper for tests of races: it takes requests, and answers each when the test says so. It has no
// thread: `look` is called between the turns of the loop that runs the daemon's side.

#pragma once

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "journal/test_journal.h"
#include "keeper_protocol/protocol.h"
#include "keeper_protocol/runtime_dir.h"
#include "keeper_protocol/socket.h"

namespace session {

class TestKeeper {
 public:
  using Message = keeper::Message;
  using Tag = keeper::Tag;
  using Field = keeper::Field;

  // What it holds, as it tells of it. A test may change that.
  struct Child {
    Child() : journal({.rows = 24, .cols = 80}) {
      int master_end = -1;
      int slave_end = -1;
      termios raw{};
      ::cfmakeraw(&raw);
      EXPECT_EQ(::openpty(&master_end, &slave_end, nullptr, &raw, nullptr), 0);
      master.reset(master_end);
      slave.reset(slave_end);
      EXPECT_TRUE(base::set_nonblocking(master));
      EXPECT_TRUE(base::set_nonblocking(slave));
    }

    journal::TestJournal journal;
    base::Fd master;
    base::Fd slave;
    std::string label;
    std::vector<std::string> argv;
    keeper::Kind kind = keeper::Kind::terminal;
    keeper::State state = keeper::State::running;
    pid_t pid = ::getpid();
    std::optional<int> exit;
  };

  explicit TestKeeper(const std::filesystem::path& dir)
      : listener_(
            keeper::RuntimeDir::open(dir).value().listen("keeper.sock", SOCK_SEQPACKET).value()) {}

  // Takes what has arrived. Grants the claim at once.
  void look() {
    if (!peer_) peer_ = base::Fd(::accept4(listener_.get(), nullptr, nullptr, kFlags));
    if (!peer_) return;
    for (auto packet = keeper::receive_packet(peer_); packet;
         packet = keeper::receive_packet(peer_)) {
      const Message message = Message::decode(packet->bytes).value();
      if (message.tag() == Tag::claim)
        send(Message(Tag::granted, message.request()));
      else
        asked_.push_back(message);
    }
  }
  // Cuts the connection, and takes the next one. What was asked gets no answer.
  void hang_up() {
    peer_.reset();
    asked_.clear();
  }

  [[nodiscard]] bool was_asked(Tag tag) const { return find(tag) != asked_.end(); }
  [[nodiscard]] std::size_t open_requests() const { return asked_.size(); }

  // The oldest request with this tag. The test has waited for it.
  Message take(Tag tag) {
    const auto found = find(tag);
    EXPECT_NE(found, asked_.end());
    if (found == asked_.end()) return Message(tag);
    Message taken = *found;
    asked_.erase(found);
    return taken;
  }
  // The same, and it still has to be answered.
  [[nodiscard]] Message peek(Tag tag) const { return *find(tag); }
  void done(const Message& request) { send(Message(Tag::done, request.request())); }
  void refuse(const Message& request, base::Code code = base::Code::io) {
    send(keeper::error_message(request.request(),
                               {.code = code, .what = "the test refuses", .advice = {}}));
  }
  // The child that was asked for runs, but nobody is told yet.
  void make(const Message& request) {
    Child& made = children_[request.text(Field::id)];
    made.label = request.text(Field::label);
    made.argv = request.texts(Field::argv);
    made.kind = static_cast<keeper::Kind>(request.number_or(Field::kind, 0));
  }
  void start(const Message& request) {
    make(request);
    hand_over(request);
  }
  // The same as a process with that pid, not the test's own.
  void start(const Message& request, pid_t pid) {
    make(request);
    child(request.text(Field::id)).pid = pid;
    hand_over(request);
  }
  // A child of an earlier daemon.
  Child& hold(const std::string& id, const std::string& label) {
    Child& made = children_[id];
    made.label = label;
    made.argv = {"/bin/sh"};
    return made;
  }
  [[nodiscard]] bool holds(const std::string& id) const { return children_.contains(id); }
  [[nodiscard]] Child& child(const std::string& id) { return children_.at(id); }
  // Answers an `attach`.
  void hand_over(const Message& request) {
    const std::string id = request.text(Field::id);
    const Child& held = children_.at(id);
    std::vector<int> descriptors{held.journal.memory.get(), held.journal.wakeups.data.fd().get(),
                                 held.journal.wakeups.space.fd().get()};
    if (held.kind == keeper::Kind::terminal) descriptors.push_back(held.master.get());
    send(describe(id, request.request()), descriptors);
  }
  // Lists the children, as they are now.
  void list(const Message& request) {
    for (const auto& [id, child] : children_) send(describe(id, request.request()));
    done(request);
  }
  void forget(const std::string& id) { children_.erase(id); }
  void print(const std::string& id, std::string_view text) {
    EXPECT_EQ(children_.at(id).journal.write(text), text.size());
  }
  // What was typed into it.
  std::string typed(const std::string& id) {
    std::string text(4096, '\0');
    const ssize_t size = ::read(child(id).slave.get(), text.data(), text.size());
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }
  // Reports that the child has ended, and that its output ends where it is.
  void exit(const std::string& id, int code) {
    child(id).exit = code;
    Message message(Tag::exited);
    message.add(Field::id, id);
    add_exit(message, child(id));
    send(message);
  }

 private:
  static constexpr int kFlags = SOCK_CLOEXEC | SOCK_NONBLOCK;

  static void add_exit(Message& message, const Child& child) {
    message.add(Field::offset, child.journal.producer.produced());
    keeper::add_exit(message, {.code = *child.exit});
  }
  [[nodiscard]] std::vector<Message>::const_iterator find(Tag tag) const {
    return std::ranges::find_if(asked_, [&](const Message& each) { return each.tag() == tag; });
  }
  [[nodiscard]] Message describe(const std::string& id, std::uint32_t request) const {
    const Child& child = children_.at(id);
    Message message(Tag::child, request);
    message.add(Field::id, id)
        .add(Field::kind, static_cast<std::uint64_t>(child.kind))
        .add(Field::state, static_cast<std::uint64_t>(child.state))
        .add(Field::pid, static_cast<std::uint64_t>(child.pid))
        .add(Field::rows, std::uint64_t{24})
        .add(Field::cols, std::uint64_t{80})
        .add(Field::argv, child.argv)
        .add(Field::label, child.label);
    if (child.exit) add_exit(message, child);
    return message;
  }
  void send(const Message& message, const std::vector<int>& descriptors = {}) {
    EXPECT_TRUE(keeper::send_packet(peer_, message.encode(), descriptors));
  }

  base::Fd listener_;
  base::Fd peer_;
  std::vector<Message> asked_;
  std::map<std::string, Child> children_;
};

}  // namespace session
