#include "extension/questions.h"

#include "extension/extension_fixture.h"

namespace extension {
namespace {

using Shown = std::vector<std::string>;

class QuestionsTest : public ExtensionTest {
 protected:
  QuestionsTest() { display_.add(first_); }
  ~QuestionsTest() override { questions_.close_all(); }

  // The answer, as text, once there is one.
  std::shared_ptr<std::string> ask(const std::string& title, const std::string& call,
                                   std::chrono::milliseconds timeout = std::chrono::hours(1),
                                   std::int64_t generation = 0) {
    const auto answer = std::make_shared<std::string>("none yet");
    tasks_.spawn([this, title, call, timeout, generation, answer]() -> asio::awaitable<void> {
      QuestionInfo info;
      info.title = title;
      info.timeout = timeout;
      info.extension = "vms";
      *answer = json::serialize(co_await questions_.ask(std::move(info), call, generation));
    });
    run();
    return answer;
  }

  session::SessionRow session_ = make_session("main");
  Display display_{session_};
  Questions questions_{executor_, display_};
  RecordingSurface first_;
  RecordingSurface second_;
};

TEST_F(QuestionsTest, TheFirstAnswerCounts) {
  const auto answer = ask("Sure?", "call-1");
  const std::string id = first_.asked.at(0);
  EXPECT_FALSE(questions_.answer("another", true));
  EXPECT_TRUE(questions_.answer(id, true));
  EXPECT_FALSE(questions_.answer(id, false));
  run();
  EXPECT_EQ(*answer, "true");
  EXPECT_FALSE(questions_.answer(id, false));
  EXPECT_EQ(first_.shown, (Shown{"main asks Sure?", "hides"}));
}

TEST_F(QuestionsTest, ASurfaceThatComesLaterIsAskedToo) {
  const auto answer = ask("Sure?", "call-1");
  display_.add(second_);
  questions_.show_all(second_, "main");
  EXPECT_EQ(second_.asked, first_.asked);
  EXPECT_TRUE(questions_.answer(second_.asked.at(0), 7));
  run();
  EXPECT_EQ(*answer, "7");
  EXPECT_TRUE(first_.asked.empty());
}

// It stayed on the screen after a reload, and its answer reached the old code.
TEST_F(QuestionsTest, WhatEndedCodeHasAskedIsWithdrawn) {
  const auto old = ask("Old?", "call-1", std::chrono::hours(1), 1);
  const auto present = ask("Present?", "call-2", std::chrono::hours(1), 2);
  questions_.close_of("other", 1);
  questions_.close_of("vms", 1);
  run();
  EXPECT_EQ(*old, "null");
  EXPECT_EQ(*present, "none yet");
  EXPECT_EQ(first_.shown.back(), "hides");
  questions_.close_of("vms", 2);
  run();
  EXPECT_EQ(*present, "null");
}

TEST_F(QuestionsTest, WhatNobodyAnswersInTimeIsAnsweredWithNull) {
  EXPECT_EQ(*ask("Sure?", "call-1", std::chrono::milliseconds(0)), "null");
  EXPECT_TRUE(first_.asked.empty());
}

TEST_F(QuestionsTest, ACallThatIsGoneTakesItsQuestionsWithIt) {
  const auto one = ask("One?", "call-1");
  const auto two = ask("Two?", "call-2");
  EXPECT_TRUE(questions_.has_any_of("call-1"));
  questions_.close_of("call-1");
  run();
  EXPECT_EQ(*one, "null");
  EXPECT_EQ(*two, "none yet");
  EXPECT_FALSE(questions_.has_any_of("call-1"));
  EXPECT_TRUE(questions_.has_any_of("call-2"));
  questions_.close_all();
  run();
  EXPECT_EQ(*two, "null");
}

// --- display ---

TEST_F(QuestionsTest, NotificationsAreKeptForTheNextSurface) {
  display_.remove(first_);
  for (int number = 0; number < 60; ++number) display_.notify("info", std::to_string(number));
  display_.add(second_);
  ASSERT_EQ(second_.shown.size(), 50U);
  EXPECT_EQ(second_.shown.front(), "main info 10");
  EXPECT_EQ(second_.shown.back(), "main info 59");
  display_.add(first_);
  EXPECT_TRUE(first_.shown.empty());
}

TEST_F(QuestionsTest, StatusStaysUntilItsCodeIsGone) {
  display_.set_status("vms", "count", "2");
  display_.set_status("vms", "load", "high");
  display_.set_status("tests", "state", "green");
  display_.set_status("vms", "load", std::nullopt);
  display_.add(second_);
  EXPECT_EQ(second_.shown, (Shown{"main tests.state=green", "main vms.count=2"}));
  second_.shown.clear();
  display_.drop_status("vms");
  EXPECT_EQ(second_.shown, Shown{"main vms.count=(none)"});
  display_.drop_status();
  EXPECT_EQ(second_.shown, (Shown{"main vms.count=(none)", "main tests.state=(none)"}));
}

}  // namespace
}  // namespace extension
