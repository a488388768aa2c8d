// Saves and restores a child across a keeper upgrade.

#include <algorithm>

#include "keeper/child.h"
#include "keeper/state.h"

namespace keeper {
namespace {

void add_descriptor(Message& message, Field field, const base::Fd& fd) {
  if (fd) message.add(field, static_cast<std::uint64_t>(fd.get()));
}

}  // namespace

void Child::save(Message& message) const {
  message.add(Field::id, id_.str())
      .add(Field::kind, static_cast<std::uint64_t>(spec_.kind))
      .add(Field::argv, spec_.argv)
      .add(Field::cwd, spec_.cwd)
      .add(Field::label, spec_.label)
      .add(Field::rows, std::uint64_t{spec_.rows})
      .add(Field::cols, std::uint64_t{spec_.cols})
      .add(Field::created, created_)
      .add(Field::pid, static_cast<std::uint64_t>(pid_))
      .add(Field::produced, producer_.produced())
      .add(Field::limit, static_cast<std::uint64_t>(limit_))
      .add(Field::drain_left, std::uint64_t{drain_left_})
      .add(Field::reaped, std::uint64_t{reaped_})
      .add(Field::closing, std::uint64_t{closing_});
  if (closing_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(kill_at_ - loop_.clock().now());
    message.add(Field::grace, static_cast<std::uint64_t>(std::max<std::int64_t>(left.count(), 0)));
  }
  add_confinement(message, spec_.confinement);
  if (cgroup_) message.add(Field::cgroup, cgroup_->path().native());
  if (exit_) add_exit(message, *exit_);
  if (exit_offset_) message.add(Field::offset, *exit_offset_);
  add_descriptor(message, Field::fd_memory, producer_.memory());
  add_descriptor(message, Field::fd_data, producer_.wakeups().data.fd());
  add_descriptor(message, Field::fd_space, producer_.wakeups().space.fd());
  add_descriptor(message, Field::fd_output, output_);
  add_descriptor(message, Field::fd_slave, slave_);
  add_descriptor(message, Field::fd_outcome, outcome_);
}

std::vector<const base::Fd*> Child::saved_descriptors() const {
  std::vector<const base::Fd*> open{&producer_.memory(), &producer_.wakeups().data.fd(),
                                    &producer_.wakeups().space.fd()};
  for (const base::Fd* fd : {&output_, &slave_, &outcome_})
    if (*fd) open.push_back(fd);
  return open;
}

base::Result<std::unique_ptr<Child>> Child::restore(const Message& saved, Loop& loop,
                                                    ChildEvents& events) {
  journal::Wakeups wakeups{.data = journal::Wakeup(adopt(saved, Field::fd_data)),
                           .space = journal::Wakeup(adopt(saved, Field::fd_space))};
  auto producer = journal::Producer::open(adopt(saved, Field::fd_memory), std::move(wakeups),
                                          saved.number_or(Field::produced, 0));
  if (!producer) return base::fail(producer.error());
  auto confinement = confinement_of(saved);
  if (!confinement) return base::fail(confinement.error());
  std::unique_ptr<Child> child(
      new Child(ChildId(saved.text(Field::id)), loop, events, std::move(*producer)));
  child->spec_ = {.kind = static_cast<Kind>(saved.number_or(Field::kind, 0)),
                  .argv = saved.texts(Field::argv),
                  .env = {},
                  .cwd = saved.text(Field::cwd),
                  .label = saved.text(Field::label),
                  .rows = static_cast<std::uint16_t>(saved.number_or(Field::rows, 24)),
                  .cols = static_cast<std::uint16_t>(saved.number_or(Field::cols, 80)),
                  .confinement = std::move(*confinement)};
  child->created_ = saved.number_or(Field::created, 0);
  child->pid_ = static_cast<pid_t>(saved.number_or(Field::pid, 0));
  child->limit_ = static_cast<journal::Limit>(saved.number_or(Field::limit, 0));
  child->drain_left_ = saved.number_or(Field::drain_left, 0);
  child->reaped_ = saved.number_or(Field::reaped, 0) != 0;
  child->closing_ = saved.number_or(Field::closing, 0) != 0;
  if (saved.number(Field::code) || saved.number(Field::signal)) child->exit_ = exit_of(saved);
  child->exit_offset_ = saved.number(Field::offset);
  child->output_ = adopt(saved, Field::fd_output);
  child->slave_ = adopt(saved, Field::fd_slave);
  child->outcome_ = adopt(saved, Field::fd_outcome);
  if (const std::string cgroup = saved.text(Field::cgroup); !cgroup.empty())
    child->cgroup_.emplace(cgroup);
  if (auto watched = child->watch_all(); !watched) return base::fail(watched.error());
  // The rest of its session may have ended in the meantime, or may end without any event.
  if (child->exit_ && !child->reaped_) child->settle_later(std::chrono::seconds(60));
  if (child->closing_) {
    const std::chrono::milliseconds left(saved.number_or(Field::grace, 0));
    child->kill_at_ = loop.clock().now() + left;
    child->kill_timer_ = loop.after(left, [raw = child.get()] { raw->kill_members(); });
  }
  return child;
}

}  // namespace keeper
