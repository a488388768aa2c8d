#include "journal/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "journal/test_journal.h"

namespace journal {
namespace {

// A copy of a valid journal in a new memfd, with `change` applied to its bytes, sealed like the
// real one.
template <class Change>
base::Fd damaged(Change change, int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW) {
  const auto good = create_memory(kSmallShape).value();
  struct stat status{};
  EXPECT_EQ(::fstat(good.get(), &status), 0);
  std::vector<std::byte> bytes(status.st_size);
  EXPECT_EQ(::pread(good.get(), bytes.data(), bytes.size(), 0), status.st_size);
  change(bytes);
  base::Fd bad(::memfd_create("damaged", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  EXPECT_EQ(::pwrite(bad.get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  EXPECT_EQ(::fcntl(bad.get(), F_ADD_SEALS, seals), 0);
  return bad;
}

base::Result<Consumer> open(const base::Fd& memory) {
  return Consumer::open(memory, Wakeups{});
}

TEST(MemoryTest, AnUnchangedCopyOpens) {
  EXPECT_TRUE(open(damaged([](auto&) {})));
}

TEST(MemoryTest, EveryDamagedByteOfTheConstantsIsNoticed) {
  for (std::size_t at = 0; at < sizeof(Constants); ++at)
    EXPECT_FALSE(open(damaged([at](auto& bytes) { bytes[at] ^= std::byte{0x10}; }))) << at;
}

TEST(MemoryTest, AJournalThatCouldShrinkUnderUsIsRefused) {
  const auto result = open(damaged([](auto&) {}, F_SEAL_GROW));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().what.find("not sealed"), std::string::npos);
}

TEST(MemoryTest, ATruncatedOrGrownJournalIsRefused) {
  EXPECT_FALSE(open(damaged([](auto& bytes) { bytes.resize(bytes.size() - kPage); })));
  EXPECT_FALSE(open(damaged([](auto& bytes) { bytes.resize(bytes.size() + kPage); })));
  EXPECT_FALSE(open(damaged([](auto& bytes) { bytes.resize(10); })));
  EXPECT_FALSE(open(damaged([](auto& bytes) { bytes.clear(); })));
}

TEST(MemoryTest, AFileThatIsNoMemfdIsRefused) {
  EXPECT_FALSE(open(base::Fd(::open("/dev/null", O_RDWR | O_CLOEXEC))));
  EXPECT_FALSE(open(base::Fd()));
}

TEST(MemoryTest, ANewerVersionSaysWhatToDo) {
  const auto result = open(damaged([](auto& bytes) { bytes[8] = std::byte{9}; }));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, base::Code::unsupported);
  EXPECT_NE(result.error().message().find("Upgrade"), std::string::npos);
}

TEST(MemoryTest, MoreConsumedThanProducedIsRefused) {
  EXPECT_FALSE(open(damaged([](auto& bytes) { bytes[256] = std::byte{1}; })));
}

TEST(MemoryTest, ImpossibleShapesAreErrors) {
  EXPECT_FALSE(create_memory({.replay = kMaxRegion + 1}));
  EXPECT_FALSE(create_memory({.slack = 0}));
  EXPECT_TRUE(create_memory({.replay = 0, .slack = 1, .history = 0, .checkpoint = 0}));
}

TEST(MemoryTest, TheTwoCopiesAreTheSameBytes) {
  const auto memory = create_memory(kSmallShape).value();
  const auto ring = Mapping::twice(memory, kPage, 8192).value();
  ring.data()[8192 + 5] = std::byte{42};
  std::atomic_signal_fence(std::memory_order_seq_cst);  // See Mapping::twice.
  EXPECT_EQ(ring.data()[5], std::byte{42});
}

TEST(MemoryTest, AJournalThatBothSidesHaveOpenedTouchesOnlyItsHeader) {
  const auto memory = create_memory(Shape{}).value();
  struct stat status{};
  ASSERT_EQ(::fstat(memory.get(), &status), 0);
  EXPECT_EQ(status.st_blocks * 512, static_cast<blkcnt_t>(kPage));
}

}  // namespace
}  // namespace journal
