#include "extension/events.h"

#include "extension/extension_fixture.h"

namespace extension {
namespace {

constexpr const char* kBeforeCreate = "terminal_before_create";

class EventsTest : public ExtensionTest {
 protected:
  EventsTest() { by_session_.opened_all(); }

  // The runner has code in that session that hears of these events.
  [[nodiscard]] static json::object held(const SessionExtensions& extensions, json::array events) {
    return {
        {"id", extensions.session.id.str()},
        {"extensions",
         json::array{json::object{
             {"name", "vms"}, {"path", ""}, {"generation", 1}, {"events", std::move(events)}}}}};
  }

  std::optional<base::Status> before_create(session::TerminalSpec& spec) {
    const session::SessionRow session = main_->session;
    return result_of<base::Status>(
        [this, session, &spec] { return events_.before_create(session, spec); });
  }

  SessionExtensionsPtr main_ = make_extensions("main");
};

TEST_F(EventsTest, WithoutHandlersNobodyIsAsked) {
  const auto runner = connect({held(*main_, {"terminal_created"})});
  session::TerminalSpec spec;
  const auto allowed = before_create(spec);
  ASSERT_TRUE(allowed && *allowed);
  EXPECT_TRUE(runner->take().empty());
}

TEST_F(EventsTest, HandlersMayChangeATerminal) {
  const auto runner = connect({held(*main_, {kBeforeCreate})});
  session::TerminalSpec spec;
  spec.command = {"vi"};
  spec.work_dir = "/srv";
  EXPECT_FALSE(before_create(spec)) << "it waits for the handlers";
  const auto asked = runner->take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].method, "event");
  EXPECT_EQ(json::serialize(asked[0].params.at("data")),
            R"({"argv":["vi"],"cwd":"/srv","env":{}})");
  runner->answer(asked[0].id, {{"argv", {"ssh", "vm"}}, {"env", {{"A", "1"}}}});
  EXPECT_EQ(spec.command, (std::vector<std::string>{"ssh", "vm"}));
  EXPECT_EQ(spec.work_dir, "/srv");
  ASSERT_EQ(spec.env.size(), 1U);
  EXPECT_EQ(spec.env[0], (std::pair<std::string, std::string>("A", "1")));
}

TEST_F(EventsTest, HandlersMayRefuseToLeaveASession) {
  const SessionExtensionsPtr other = make_extensions("other");
  const auto runner = connect({held(*main_, {"session_before_switch", "session_switch"}),
                               held(*other, {"session_switch"})});
  std::optional<base::Status> switched;
  const auto leave = [&] {
    switched.reset();
    tasks_.spawn([&]() -> asio::awaitable<void> {
      switched = co_await events_.switch_session(main_->session, "other");
    });
    return runner->take().at(0).id;
  };
  runner->answer(leave(), {{"cancel", true}, {"reason", "a build is running"}});
  ASSERT_TRUE(switched);
  EXPECT_EQ(switched->error().what, "a build is running");
  EXPECT_TRUE(runner->take().empty()) << "nobody is told of what did not happen";
  runner->answer(leave(), nullptr);
  ASSERT_TRUE(switched && *switched);
  const auto told = runner->take();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].params.at("session").as_string(), main_->session.id.str());
  EXPECT_EQ(told[1].params.at("session").as_string(), other->session.id.str());
}

TEST_F(EventsTest, IfTheConnectionIsLostTheNextOneIsAsked) {
  auto runner = connect({held(*main_, {kBeforeCreate})});
  session::TerminalSpec spec;
  EXPECT_FALSE(before_create(spec));
  ASSERT_EQ(runner->take().size(), 1U);
  runner->close();
  runner = connect({held(*main_, {kBeforeCreate})});
  std::deque<PlayedRunner::Request> asked;
  while (asked.empty() && io_.run_one_for(std::chrono::seconds(10)) > 0) asked = runner->take();
  ASSERT_EQ(asked.size(), 1U);
  runner->answer(asked[0].id, {{"argv", json::array{"ssh"}}});
  EXPECT_EQ(spec.command, std::vector<std::string>{"ssh"});
}

}  // namespace
}  // namespace extension
