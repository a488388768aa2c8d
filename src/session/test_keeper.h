// A keeper for tests of races: it takes requests, and answers each when the test says so. It has no
// thread: `look` is called between the turns of the loop that runs the daemon's side.

#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
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
  void done(const Message& request) { send(Message(Tag::done, request.request())); }
  void refuse(const Message& request, base::Code code = base::Code::io) {
    send(keeper::error_message(request.request(),
                               {.code = code, .what = "the test refuses", .advice = {}}));
  }
  // The child that was asked for runs, but nobody is told yet.
  void make(const Message& request) {
    const std::string id = request.text(Field::id);
    children_.try_emplace(id, journal::Shape{.rows = 24, .cols = 80});
    labels_[id] = request.text(Field::label);
  }
  void start(const Message& request) {
    make(request);
    const std::string id = request.text(Field::id);
    const journal::TestJournal& journal = children_.at(id);
    send(describe(id, request.request()),
         {journal.memory.get(), journal.wakeups.data.fd().get(), journal.wakeups.space.fd().get()});
  }
  // Lists the children, as they are now.
  void list(const Message& request) {
    for (const auto& [id, child] : children_) send(describe(id, request.request()));
    done(request);
  }
  void forget(const std::string& id) { children_.erase(id); }
  void print(const std::string& id, std::string_view text) {
    EXPECT_EQ(children_.at(id).write(text), text.size());
  }
  // Reports that the child has ended, and that its output ends where it is.
  void exit(const std::string& id, int code) {
    Message message(Tag::exited);
    message.add(Field::id, id).add(Field::offset, children_.at(id).producer.produced());
    keeper::add_exit(message, {.code = code});
    send(message);
  }

 private:
  static constexpr int kFlags = SOCK_CLOEXEC | SOCK_NONBLOCK;

  [[nodiscard]] std::vector<Message>::const_iterator find(Tag tag) const {
    return std::ranges::find_if(asked_, [&](const Message& each) { return each.tag() == tag; });
  }
  [[nodiscard]] Message describe(const std::string& id, std::uint32_t request) const {
    Message message(Tag::child, request);
    message.add(Field::id, id)
        .add(Field::state, static_cast<std::uint64_t>(keeper::State::running))
        .add(Field::pid, static_cast<std::uint64_t>(::getpid()))
        .add(Field::rows, std::uint64_t{24})
        .add(Field::cols, std::uint64_t{80})
        .add(Field::argv, std::vector<std::string>{"/bin/sh"})
        .add(Field::label, labels_.at(id));
    return message;
  }
  void send(const Message& message, const std::vector<int>& descriptors = {}) {
    EXPECT_TRUE(keeper::send_packet(peer_, message.encode(), descriptors));
  }

  base::Fd listener_;
  base::Fd peer_;
  std::vector<Message> asked_;
  std::map<std::string, journal::TestJournal> children_;
  std::map<std::string, std::string> labels_;
};

}  // namespace session
