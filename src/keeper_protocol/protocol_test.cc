#include "keeper_protocol/protocol.h"

#include <gtest/gtest.h>

#include <string>

#include "keeper_protocol/confinement.h"

namespace keeper {
namespace {

std::string hex(const std::vector<std::byte>& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    if (!text.empty()) text += ' ';
    text += kDigits[std::to_integer<int>(byte) >> 4];
    text += kDigits[std::to_integer<int>(byte) & 15];
  }
  return text;
}

// The worked example of docs/keeper-protocol.md.
TEST(ProtocolTest, TheWorkedExample) {
  EXPECT_EQ(hex(Message(Tag::hello, 7).encode()), "01 00 01 00 07 00 00 00");
  Message close(Tag::close, 8);
  close.add(Field::id, "a1").add(Field::grace, std::uint64_t{2000});
  EXPECT_EQ(hex(close.encode()),
            "01 00 06 00 08 00 00 00 "
            "01 00 00 00 02 00 00 00 61 31 "
            "18 00 00 00 08 00 00 00 d0 07 00 00 00 00 00 00");
}

TEST(ProtocolTest, WhatIsEncodedDecodes) {
  Message message(Tag::spawn, 42);
  message.add(Field::id, "x")
      .add(Field::argv, std::vector<std::string>{"a", "", "c d"})
      .add(Field::rows, std::uint64_t{50});
  const auto decoded = Message::decode(message.encode());
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->tag(), Tag::spawn);
  EXPECT_EQ(decoded->request(), 42U);
  EXPECT_EQ(decoded->text(Field::id), "x");
  EXPECT_EQ(decoded->texts(Field::argv), (std::vector<std::string>{"a", "", "c d"}));
  EXPECT_EQ(decoded->number(Field::rows), 50U);
}

TEST(ProtocolTest, WhatIsNotThereHasItsDefault) {
  const Message message(Tag::spawn, 1);
  EXPECT_EQ(message.number(Field::rows), std::nullopt);
  EXPECT_EQ(message.number_or(Field::rows, 24), 24U);
  EXPECT_EQ(message.text(Field::cwd), "");
  EXPECT_TRUE(message.texts(Field::env).empty());
}

TEST(ProtocolTest, ANumberOfTheWrongSizeIsNotANumber) {
  Message message(Tag::spawn, 1);
  message.add(Field::rows, "24");
  EXPECT_EQ(message.number(Field::rows), std::nullopt);
}

TEST(ProtocolTest, EveryTruncationIsAnErrorOrEndsAtAField) {
  Message message(Tag::close, 8);
  message.add(Field::id, "a1").add(Field::grace, std::uint64_t{2000});
  const auto bytes = message.encode();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto decoded = Message::decode(std::span(bytes).first(size));
    EXPECT_EQ(decoded.has_value(), size == 8 || size == 18) << size;
  }
}

TEST(ProtocolTest, AFieldLongerThanItsMessageIsAnError) {
  auto bytes = Message(Tag::close, 8).add(Field::id, "a1").encode();
  bytes[12] = std::byte{0xff};
  bytes[15] = std::byte{0xff};
  EXPECT_EQ(Message::decode(bytes).error().code, base::Code::corrupt);
}

TEST(ProtocolTest, AnotherVersionIsAnErrorThatSaysWhatToDo) {
  auto bytes = Message(Tag::hello, 1).encode();
  bytes[0] = std::byte{7};
  const auto decoded = Message::decode(bytes);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, base::Code::unsupported);
  EXPECT_NE(decoded.error().message().find("Upgrade"), std::string::npos);
}

TEST(ProtocolTest, ErrorsComeThroughWhole) {
  for (int code = 0; code <= static_cast<int>(base::Code::io); ++code) {
    const base::Error error{
        .code = static_cast<base::Code>(code), .what = "what", .advice = "advice", .sys_errno = 13};
    const auto again = error_of(*Message::decode(error_message(3, error).encode()));
    EXPECT_EQ(again.code, error.code);
    EXPECT_EQ(again.what, "what");
    EXPECT_EQ(again.advice, "advice");
    EXPECT_EQ(again.sys_errno, 13);
  }
}

TEST(ProtocolTest, AnErrorCodeFromTheFutureIsAnIoError) {
  Message message(Tag::error, 1);
  message.add(Field::error_code, std::uint64_t{99});
  EXPECT_EQ(error_of(message).code, base::Code::io);
}

TEST(ProtocolTest, ExitsComeThrough) {
  for (const Exit exit : {Exit{.code = 0}, Exit{.code = 255}, Exit{.signal = 9}}) {
    Message message(Tag::exited);
    add_exit(message, exit);
    EXPECT_EQ(exit_of(message), exit);
  }
}

TEST(ConfinementTest, ComesBackAsItWas) {
  Confinement confinement;
  confinement.account = Account{.uid = 1000, .gid = 100, .groups = {100, 27, 0}};
  confinement.limits.open_files = 64;
  confinement.limits.core_size = 0;
  confinement.limits.processes = ~std::uint64_t{0};
  Message message(Tag::spawn_confined, 1);
  add_confinement(message, confinement);
  const auto back = confinement_of(Message::decode(message.encode()).value());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->account->uid, 1000U);
  EXPECT_EQ(back->account->gid, 100U);
  EXPECT_EQ(back->account->groups, confinement.account->groups);
  EXPECT_EQ(back->limits.open_files, 64U);
  EXPECT_EQ(back->limits.core_size, 0U);
  EXPECT_FALSE(back->limits.memory);
  EXPECT_FALSE(confinement_of(Message(Tag::spawn_confined, 1))->is_any());
}

TEST(ConfinementTest, HalfAnAccountAndRootAreNone) {
  const auto with = [](std::optional<std::uint64_t> uid, std::optional<std::uint64_t> gid,
                       std::optional<std::uint64_t> group) {
    Message message(Tag::spawn_confined, 1);
    if (uid) message.add(Field::uid, *uid);
    if (gid) message.add(Field::gid, *gid);
    if (group) message.add(Field::group, *group);
    return confinement_of(message).has_value();
  };
  EXPECT_TRUE(with(1000, 1000, 1000));
  EXPECT_FALSE(with(1000, {}, {}));
  EXPECT_FALSE(with({}, 1000, {}));
  EXPECT_FALSE(with({}, {}, 1000));
  EXPECT_FALSE(with(0, 0, {}));
  EXPECT_FALSE(with(std::uint64_t{1} << 32U, 1000, {})) << "would be truncated to 0";
  EXPECT_FALSE(with(0xffffffff, 1000, {})) << "would leave the uid unchanged";
  EXPECT_FALSE(with(1000, 0xffffffff, {}));
  EXPECT_FALSE(with(1000, 1000, std::uint64_t{1} << 32U));
  Message texts(Tag::spawn_confined, 1);
  texts.add(Field::uid, "1000").add(Field::gid, "1000");
  EXPECT_FALSE(confinement_of(texts)) << "a uid that is not a number must not be ignored";
}

}  // namespace
}  // namespace keeper
