#include "base/trial.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace base {
namespace {

constexpr std::chrono::seconds kLong{20};

// Tries a shell with that script, whose descriptors are as `setup` says.
Result<Trial> try_script(const std::string& script, Trial::Setup setup = {}) {
  const auto shell = Program::open(std::filesystem::canonical("/bin/sh"));
  if (!shell) return fail(shell.error());
  setup.argv = {"sh", "-c", script};
  return Trial::start(*shell, setup);
}

Result<std::string> outcome_of(const std::string& script, Trial::Setup setup = {}) {
  auto trial = try_script(script, std::move(setup));
  if (!trial) return fail(trial.error());
  EXPECT_TRUE(trial->process().has_ended(kLong));
  return trial->outcome();
}

TEST(TrialTest, ThatSucceedsGivesItsLastLine) {
  const auto outcome = outcome_of("echo warning; echo 127.0.0.1:7420; echo ignored >&2");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(*outcome, "127.0.0.1:7420");
}

TEST(TrialTest, ThatFailsGivesItsErrorsElseItsOutput) {
  EXPECT_EQ(outcome_of("echo said; echo why >&2; exit 1").error().what, "why");
  EXPECT_EQ(outcome_of("echo said; exit 1").error().what, "said");
  EXPECT_EQ(outcome_of("echo why >&2; kill -9 $$").error().what, "why (signal 9)");
}

TEST(TrialTest, OneThatDoesNotEndIsKilled) {
  pid_t pid = 0;
  {
    auto trial = try_script("exec sleep 1000");
    ASSERT_TRUE(trial);
    pid = trial->process().pid();
    EXPECT_FALSE(trial->process().has_ended());
    EXPECT_EQ(trial->outcome().error().code, Code::timed_out);
  }
  EXPECT_EQ(Process::open(pid).error().code, Code::not_found);
}

TEST(TrialTest, OneThatWasMovedIsKilledOnce) {
  auto trial = try_script("exec sleep 1000");
  ASSERT_TRUE(trial);
  const pid_t pid = trial->process().pid();
  {
    const Trial moved = std::move(*trial);
    EXPECT_EQ(moved.process().pid(), pid);
  }
  EXPECT_EQ(Process::open(pid).error().code, Code::not_found);
}

TEST(TrialTest, GetsItsInputAndTheKeptDescriptorsAndNoOthers) {
  const Fd input(::memfd_create("input", MFD_CLOEXEC));
  ASSERT_EQ(::pwrite(input.get(), "state\n", 6, 0), 6);
  const Fd kept(::memfd_create("kept", MFD_CLOEXEC));
  ASSERT_EQ(::pwrite(kept.get(), "journal\n", 8, 0), 8);
  const Fd inheritable(::memfd_create("inheritable", 0));
  const std::string script = "read state; read journal < /proc/self/fd/" +
                             std::to_string(kept.get()) + "; test ! -e /proc/self/fd/" +
                             std::to_string(inheritable.get()) + " && echo $state $journal";
  const auto outcome = outcome_of(script, {.argv = {}, .input = &input, .kept = {kept.get()}});
  ASSERT_TRUE(outcome) << outcome.error().what;
  EXPECT_EQ(*outcome, "state journal");
  EXPECT_EQ(outcome_of("read line").error().code, Code::invalid_argument) << "its input is empty";
}

// The interpreter gets the script as a path through the program's descriptor.
TEST(TrialTest, AScriptIsTriedToo) {
  Fd file(::memfd_create("script", MFD_CLOEXEC));
  constexpr std::string_view kScript = "#!/bin/sh\necho it is $1\n";
  ASSERT_EQ(::write(file.get(), kScript.data(), kScript.size()), std::ssize(kScript));
  const Fd read_only(::open(("/proc/self/fd/" + std::to_string(file.get())).c_str(), O_RDONLY));
  file.reset();  // A file that is open for writing cannot be executed.
  auto trial = Trial::start(Program::known(*duplicate(read_only)),
                            {.argv = {"script", "--check"}, .input = nullptr, .kept = {}});
  ASSERT_TRUE(trial) << trial.error().what;
  ASSERT_TRUE(trial->process().has_ended(kLong));
  EXPECT_EQ(trial->outcome().value_or(""), "it is --check");
}

TEST(TrialTest, WhatCannotBeExecutedIsAnError) {
  const auto program = Program::open("/etc/passwd");
  ASSERT_TRUE(program);
  const auto trial = Trial::start(*program, {.argv = {"passwd"}, .input = nullptr, .kept = {}});
  ASSERT_FALSE(trial);
  EXPECT_TRUE(trial.error().what.starts_with("run /etc/passwd: ")) << trial.error().what;
}

}  // namespace
}  // namespace base
