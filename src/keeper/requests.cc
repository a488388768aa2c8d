// The keeper's requests: one function each, dispatched by a table.

#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "base/version.h"
#include "keeper/keeper.h"

namespace keeper {
namespace {

using std::chrono::milliseconds;

base::Result<std::uint16_t> size_of(const Message& message, Field field, std::uint16_t otherwise) {
  const std::uint64_t size = message.number_or(field, otherwise);
  if (size < 1 || size > 0xffff)
    return base::fail(base::Code::invalid_argument, "rows and columns must be between 1 and 65535");
  return static_cast<std::uint16_t>(size);
}

base::Result<SpawnSpec> spec_of(const Message& message) {
  const std::uint64_t kind = message.number_or(Field::kind, 0);
  if (kind > static_cast<std::uint64_t>(Kind::process))
    return base::fail(base::Code::unsupported, "this keeper does not support that kind of child");
  const auto rows = size_of(message, Field::rows, 24);
  if (!rows) return base::fail(rows.error());
  const auto cols = size_of(message, Field::cols, 80);
  if (!cols) return base::fail(cols.error());
  const std::string cwd = message.text(Field::cwd);
  return SpawnSpec{.kind = static_cast<Kind>(kind),
                   .argv = message.texts(Field::argv),
                   .env = message.texts(Field::env),
                   .cwd = cwd.empty() ? "/" : cwd,
                   .label = message.text(Field::label),
                   .rows = *rows,
                   .cols = *cols,
                   .confinement = {}};
}

journal::Shape shape_of(const Message& message, const SpawnSpec& spec) {
  journal::Shape shape;
  shape.replay = message.number_or(Field::replay, shape.replay);
  shape.history = message.number_or(Field::history, shape.history);
  shape.checkpoint = message.number_or(Field::checkpoint, shape.checkpoint);
  if (spec.kind == Kind::terminal) {
    shape.rows = spec.rows;
    shape.cols = spec.cols;
  }
  return shape;
}

}  // namespace

struct Keeper::Request {
  Tag tag;
  For who;
  Reply (Keeper::*handler)(Connection& from, const Message& message);
};

const Keeper::Request Keeper::kRequests[] = {
    {Tag::hello, For::anyone, &Keeper::hello},
    {Tag::claim, For::anyone, &Keeper::claim},
    {Tag::list, For::anyone, &Keeper::list},
    {Tag::attach, For::owner, &Keeper::attach},
    {Tag::spawn, For::owner, &Keeper::spawn},
    {Tag::close, For::owner, &Keeper::close},
    {Tag::listen, For::owner, &Keeper::listen},
    {Tag::unlisten, For::owner, &Keeper::unlisten},
    {Tag::yield, For::owner, &Keeper::yield},
    {Tag::upgrade, For::anyone, &Keeper::upgrade},
    {Tag::spawn_confined, For::owner, &Keeper::spawn_confined},
    {Tag::hold, For::owner, &Keeper::hold},
    {Tag::listen_only, For::owner, &Keeper::listen_only},
};

Keeper::Reply Keeper::handle(Connection& from, const Message& message) {
  for (const Request& request : kRequests) {
    if (request.tag != message.tag()) continue;
    if (request.who == For::owner && from.id() != ownership_.connection())
      return base::fail(base::Code::permission_denied,
                        "only the daemon that owns the children may send this request",
                        "Claim them first.");
    return (this->*request.handler)(from, message);
  }
  return base::fail(
      base::Code::unsupported,
      "this keeper does not support message " + std::to_string(static_cast<int>(message.tag())),
      "Upgrade it with: holdfast upgrade");
}

Message Keeper::welcome(std::uint32_t request) const {
  Message message(Tag::welcome, request);
  message.add(Field::version, base::version())
      .add(Field::protocol, std::uint64_t{kProtocolVersion})
      .add(Field::revision, kProtocolRevision)
      .add(Field::pid, static_cast<std::uint64_t>(::getpid()))
      .add(Field::count, std::uint64_t{children_.size()});
  if (ownership_.pid() != 0)
    message.add(Field::owner, static_cast<std::uint64_t>(ownership_.pid()));
  return message;
}

Keeper::Reply Keeper::hello(Connection&, const Message& message) {
  return welcome(message.request());
}

Keeper::Reply Keeper::claim(Connection& from, const Message& message) {
  const auto takeover = message.number_or(Field::takeover, 0) != 0 ? Ownership::Takeover::yes
                                                                   : Ownership::Takeover::no;
  if (auto claimed = ownership_.claim(from, message.request(), takeover); !claimed)
    return base::fail(claimed.error());
  return std::nullopt;
}

Keeper::Reply Keeper::list(Connection& from, const Message& message) {
  for (const auto& [id, child] : children_) {
    Message described(Tag::child, message.request());
    child->describe(described);
    from.send(described);
  }
  return Message(Tag::done, message.request());
}

base::Result<Child*> Keeper::child_named(const Message& message) {
  const auto found = children_.find(ChildId(message.text(Field::id)));
  if (found == children_.end())
    return base::fail(base::Code::not_found, "there is no child '" + message.text(Field::id) + "'");
  return found->second.get();
}

void Keeper::send_child(const Asker& asker, const Child& child) {
  Message described(Tag::child, asker.request);
  child.describe(described);
  answer(asker, described, child.descriptors());
}

Keeper::Reply Keeper::attach(Connection& from, const Message& message) {
  const auto child = child_named(message);
  if (!child) return base::fail(child.error());
  send_child({.connection = from.id(), .request = message.request()}, **child);
  return std::nullopt;
}

Keeper::Reply Keeper::spawn(Connection& from, const Message& message) {
  auto spec = spec_of(message);
  if (!spec) return base::fail(spec.error());
  return start_child(from, message, std::move(*spec));
}

Keeper::Reply Keeper::spawn_confined(Connection& from, const Message& message) {
  auto spec = spec_of(message);
  if (!spec) return base::fail(spec.error());
  auto confinement = confinement_of(message);
  if (!confinement) return base::fail(confinement.error());
  spec->confinement = std::move(*confinement);
  return start_child(from, message, std::move(*spec));
}

Keeper::Reply Keeper::start_child(Connection& from, const Message& message, SpawnSpec spec) {
  if (stopping_) return base::fail(base::Code::unavailable, "the keeper is stopping");
  auto id = ChildId::parse(message.text(Field::id));
  if (!id) return base::fail(id.error());
  if (children_.contains(*id))
    return base::fail(base::Code::already_exists, "the child '" + id->str() + "' already exists");
  const journal::Shape shape = shape_of(message, spec);
  auto child = Child::start(*id, std::move(spec), shape, host_, loop_, *this);
  if (!child) return base::fail(child.error());
  (*child)->set_limit(limit_);
  spawn_askers_[*id] = {.connection = from.id(), .request = message.request()};
  children_.emplace(*id, std::move(*child));
  return std::nullopt;
}

Keeper::Reply Keeper::close(Connection& from, const Message& message) {
  const auto child = child_named(message);
  if (!child) return base::fail(child.error());
  close_askers_.emplace((*child)->id(),
                        Asker{.connection = from.id(), .request = message.request()});
  const auto most = static_cast<std::uint64_t>(kLongestCloseGrace.count());
  const auto grace = std::min(message.number_or(Field::grace, kCloseGrace.count()), most);
  (*child)->close(milliseconds(grace));
  return std::nullopt;
}

Keeper::Reply Keeper::listen(Connection& from, const Message& message) {
  const auto listener = listeners_.listen(message.text(Field::address));
  if (!listener) return base::fail(listener.error());
  Message listening(Tag::listening, message.request());
  listening.add(Field::address, (*listener)->bound);
  const int socket = (*listener)->socket.get();
  from.send(listening, std::span(&socket, 1));
  return std::nullopt;
}

Keeper::Reply Keeper::unlisten(Connection&, const Message& message) {
  if (auto done = listeners_.unlisten(message.text(Field::address)); !done)
    return base::fail(done.error());
  return Message(Tag::done, message.request());
}

Keeper::Reply Keeper::hold(Connection& from, const Message& message) {
  if (auto held = listeners_.hold({.asked = message.text(Field::asked_address),
                                   .bound = message.text(Field::address),
                                   .socket = from.take_descriptor()});
      !held)
    return base::fail(held.error());
  return Message(Tag::done, message.request());
}

Keeper::Reply Keeper::listen_only(Connection&, const Message& message) {
  listeners_.listen_only(message.texts(Field::address));
  return Message(Tag::done, message.request());
}

Keeper::Reply Keeper::yield(Connection& from, const Message& message) {
  from.send(Message(Tag::done, message.request()));
  ownership_.yield();
  return std::nullopt;
}

}  // namespace keeper
