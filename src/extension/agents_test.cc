#include "extension/agents.h"

#include <algorithm>
#include <numeric>

#include "extension/extension_fixture.h"

namespace extension {
namespace {

using Lines = std::vector<std::string>;
using Request = PlayedRunner::Request;

constexpr const char* kToolCall = "tool_call";

// Remembers what it was told, as text.
class RecordingAgent final : public AgentClient {
 public:
  void agent_offer(const std::string& session, const AgentOffer& offer) override {
    std::string line = session + " offers";
    for (const auto& [extension, tool] : offer.tools) line += " " + extension + "." + tool.name;
    for (const std::string& event : offer.events) line += " " + event;
    told.push_back(line);
  }
  void agent_call(const std::string& session, const std::string& id, const std::string& name,
                  const json::object& params) override {
    told.push_back(session + " calls " + name + " " + json::serialize(params));
    calls.push_back(id);
  }
  void agent_detached(const std::string& session, std::string_view reason) override {
    told.push_back(session + " detached: " + std::string(reason));
  }

  Lines told;
  Lines calls;  // The ids of those not answered yet.
};

class AgentsTest : public ExtensionTest {
 protected:
  AgentsTest() { by_session_.opened_all(); }

  // The runner has code in the session that hears of these events.
  [[nodiscard]] json::array held(json::array events) const {
    return {json::object{
        {"id", main_->session.id.str()},
        {"extensions",
         json::array{json::object{
             {"name", "gate"}, {"path", ""}, {"generation", 1}, {"events", std::move(events)}}}}}};
  }
  static AgentInfo info(const std::string& name) {
    return {.name = name, .calls = {"abort"}, .state = {{"isIdle", true}}};
  }
  std::string attach(RecordingAgent& agent, const std::string& name, bool takeover = false) {
    const auto attached = agents_.attach(main_->session, agent, info(name), takeover);
    settle();
    return attached ? "attached" : attached.error().what;
  }
  Answer<MethodAnswer> event(const std::string& name, const std::string& call = "c1") {
    return begin<MethodAnswer>([this, name, call] {
      return agents_.event(main_->session, name, {{"toolName", "bash"}}, call);
    });
  }
  // An extension calls the agent.
  Answer<MethodAnswer> call(const std::string& name) {
    return begin<MethodAnswer>([this, name] {
      return api_.request("agent.call", {{"session", main_->session.id.str()},
                                         {"extension", "gate"},
                                         {"generation", 1},
                                         {"name", name},
                                         {"params", {{"a", 1}}}});
    });
  }
  static std::string text(const Answer<MethodAnswer>& answer) {
    if (!*answer) return "no answer yet";
    return **answer ? json::serialize(***answer) : (*answer)->error().what;
  }
  // What the runner was told of the agent.
  static Lines told(PlayedRunner& runner) {
    Lines lines;
    for (const Request& request : runner.take())
      if (request.method == "agent") lines.push_back(json::serialize(request.params.at("agent")));
    return lines;
  }

  SessionExtensionsPtr main_ = make_extensions("main");
  Agents agents_{by_session_, loading_, events_};
  RecordingAgent pi_;
  RecordingAgent other_;
};

TEST_F(AgentsTest, ASessionHasOne) {
  RecordingSurface surface;
  main_->display.add(surface);
  EXPECT_EQ(attach(pi_, "pi"), "attached");
  EXPECT_EQ(attach(other_, "other"), "session main has an agent: pi");
  EXPECT_EQ(attach(pi_, "pi 2"), "attached") << "it may say again who it is";
  EXPECT_TRUE(pi_.told.empty());
  EXPECT_EQ(attach(other_, "other", true), "attached");
  EXPECT_EQ(pi_.told, (Lines{"main detached: takeover"}));
  EXPECT_EQ(surface.shown,
            (Lines{"main holdfast.agent=agent: pi", "main holdfast.agent=agent: pi 2",
                   "main holdfast.agent=agent: other"}));
  EXPECT_FALSE(agents_.detach(main_->session, pi_));
  EXPECT_TRUE(agents_.detach(main_->session, other_));
  EXPECT_EQ(surface.shown.back(), "main holdfast.agent=(none)");
  EXPECT_EQ(attach(pi_, "pi"), "attached");
  agents_.leave(pi_);
  EXPECT_EQ(attach(other_, "other"), "attached");
}

TEST_F(AgentsTest, TheRunnerKnowsIt) {
  auto runner = connect(held({}));
  EXPECT_TRUE(told(*runner).empty());
  attach(pi_, "pi");
  agents_.set_state(main_->session, pi_, {{"isIdle", false}});
  agents_.set_state(main_->session, other_, {{"isIdle", "whatever"}});
  settle();
  EXPECT_EQ(told(*runner), (Lines{R"({"name":"pi","calls":["abort"],"state":{"isIdle":true}})",
                                  R"({"name":"pi","calls":["abort"],"state":{"isIdle":false}})"}));
  runner->close();
  runner = connect(held({}));
  EXPECT_EQ(told(*runner), (Lines{R"({"name":"pi","calls":["abort"],"state":{"isIdle":false}})"}));
  agents_.leave(pi_);
  settle();
  EXPECT_EQ(told(*runner), (Lines{"null"}));
}

TEST_F(AgentsTest, WhatHandlersDecideIsItsAnswer) {
  const auto runner = connect(held({kToolCall}));
  attach(pi_, "pi");
  (void)runner->take();
  const auto decided = event(kToolCall);
  const auto asked = runner->take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(json::serialize(asked[0].params),
            R"({"session":")" + main_->session.id.str() +
                R"(","name":"tool_call","data":{"toolName":"bash"},"call":"c1","patient":"all"})");
  clock_.advance(std::chrono::hours(1));
  settle();
  EXPECT_EQ(text(decided), "no answer yet") << "it waits as long as handlers take";
  runner->answer(asked[0].id, {{"block", true}});
  settle();
  EXPECT_EQ(text(decided), R"({"block":true})");
  for (const json::value& given : {json::value(nullptr), json::value("nonsense")}) {
    const auto again = event(kToolCall);
    runner->answer(runner->take().at(0).id, given);
    settle();
    EXPECT_EQ(text(again), "null");
  }
}

TEST_F(AgentsTest, AGuardThatDoesNotAnswerRefuses) {
  const auto runner = connect(held({kToolCall}));
  attach(pi_, "pi");
  (void)runner->take();
  const auto decided = event(kToolCall);
  runner->answer(runner->take().at(0).id,
                 {{"refused", {{"extension", "gate"}, {"reason", "it failed: no"}}}});
  settle();
  EXPECT_EQ(text(decided),
            "gate must decide about this tool call and gave no answer: it failed: no. The tool was "
            "not called");
  // Another event of which nobody has thought.
  const auto other = event("deploy_before");
  EXPECT_EQ(text(other), "null") << "nobody listens";
}

// The agent asks only about what it is offered. If guards that do not run were left out there,
// their events would pass.
TEST_F(AgentsTest, AGuardThatDoesNotRunRefusesAndIsOffered) {
  main_->instances.replace({{.name = "gate"}});
  main_->guards.declare("gate", {kToolCall, "deploy_before"});
  const auto attached = agents_.attach(main_->session, pi_, info("pi"), false);
  ASSERT_TRUE(attached);
  EXPECT_EQ(attached->events, (std::set<std::string, std::less<>>{"deploy_before", kToolCall}));
  EXPECT_EQ(text(event("deploy_before")),
            "gate must decide about deploy_before and gave no answer: it is not running. It was "
            "refused");
}

TEST_F(AgentsTest, WhatOnlyTheDaemonKnowsIsNotTakenFromIt) {
  const auto runner = connect(held({"user_bash", "terminal_exited"}));
  attach(pi_, "pi");
  (void)runner->take();
  for (const char* const name : {"user_bash", "terminal_exited", "session_start"})
    EXPECT_EQ(text(event(name)), std::string(name) + " is no event of an agent");
  EXPECT_TRUE(runner->take().empty());
}

TEST_F(AgentsTest, ItIsToldWhatTheSessionHasForIt) {
  const auto runner = connect(held({}));
  attach(pi_, "pi");
  runner->notify("registered", {{"session", main_->session.id.str()},
                                {"extension", "gate"},
                                {"generation", 1},
                                {"tools", json::array{json::object{{"name", "deploy"}}}},
                                {"events", json::array{kToolCall}}});
  settle();
  EXPECT_EQ(pi_.told, (Lines{"main offers gate.deploy tool_call"}));
}

TEST_F(AgentsTest, ExtensionsCallIt) {
  const auto runner = connect(held({}));
  EXPECT_EQ(text(call("abort")), "abort needs an agent that offers it, and none is attached");
  attach(pi_, "pi");
  EXPECT_EQ(text(call("fork")), "fork needs an agent that offers it, and none is attached");
  const auto called = call("abort");
  EXPECT_EQ(pi_.told, (Lines{R"(main calls abort {"a":1})"}));
  EXPECT_EQ(text(called), "no answer yet");
  agents_.answered(main_->session, other_, pi_.calls.at(0), json::value("of another"));
  settle();
  EXPECT_EQ(text(called), "no answer yet");
  agents_.answered(main_->session, pi_, pi_.calls.at(0), json::value("done"));
  agents_.answered(main_->session, pi_, pi_.calls.at(0), json::value("again"));
  settle();
  EXPECT_EQ(text(called), "\"done\"");
  const auto lost = call("abort");
  agents_.leave(pi_);
  settle();
  EXPECT_EQ(text(lost), "the agent has left the session");
}

TEST_F(AgentsTest, ASessionThatIsClosedLetsItGo) {
  attach(pi_, "pi");
  agents_.session_closed(main_->session);
  EXPECT_EQ(pi_.told, (Lines{"main detached: closed"}));
  EXPECT_FALSE(agents_.is_agent(main_->session, pi_));
}

TEST_F(AgentsTest, ACallerThatIsGoneStopsTheHandlers) {
  const auto runner = connect(held({kToolCall}));
  attach(pi_, "pi");
  (void)runner->take();
  base::TaskScope waiting(executor_);
  waiting.spawn([this]() -> asio::awaitable<void> {
    (void)co_await agents_.event(main_->session, kToolCall, {}, "c7");
  });
  settle();
  EXPECT_EQ(runner->take().at(0).params.at("call").as_string(), "c7");
  waiting.cancel();
  finish(waiting.join());
  const auto said = runner->take();
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].method, "cancel");
}

// Attaching, an event, its answer, a call, its answer, another agent, a lost connection and leaving,
// in every order: whatever was asked is answered once, and nobody hears what is not for them.
TEST_F(AgentsTest, InEveryOrder) {
  enum Step { kAttach, kEvent, kDecide, kCall, kAnswer, kTakeOver, kLose, kSteps };
  std::vector<int> order(kSteps);
  std::iota(order.begin(), order.end(), 0);
  auto runner = connect(held({kToolCall}));
  do {
    RecordingAgent first;
    RecordingAgent second;
    std::deque<Request> asked;
    std::vector<Answer<MethodAnswer>> events;
    std::vector<Answer<MethodAnswer>> calls;
    const auto hear = [&] {
      for (const Request& request : runner->take())
        if (request.method == "event") asked.push_back(request);
    };
    const auto answer_events = [&] {
      for (const Request& request : std::exchange(asked, {})) runner->answer(request.id, nullptr);
    };
    const auto step = [&](int what) {
      if (what == kAttach) attach(first, "first");
      if (what == kEvent && agents_.is_agent(main_->session, first))
        events.push_back(event(kToolCall));
      if (what == kDecide) answer_events();
      if (what == kCall) calls.push_back(call("abort"));
      if (what == kAnswer)
        for (const std::string& id : std::exchange(first.calls, {}))
          agents_.answered(main_->session, first, id, json::value(1));
      if (what == kTakeOver) attach(second, "second", true);
      if (what == kLose) {
        runner->close();
        asked.clear();
        runner = connect(held({kToolCall}));
      }
      settle();
      hear();
    };
    for (const int what : order) step(what);
    agents_.leave(first);
    agents_.leave(second);
    settle();
    run_until([&] {  // A lost connection is noticed after a moment.
      hear();
      answer_events();
      return std::ranges::all_of(events, [](const auto& each) { return each->has_value(); });
    });
    for (const auto& each : events) EXPECT_EQ(text(each), "null");
    for (const auto& each : calls) EXPECT_NE(text(each), "no answer yet");
    const auto detached = std::ranges::count(first.told, "main detached: takeover");
    const bool was_first =
        std::ranges::find(order, int(kAttach)) < std::ranges::find(order, int(kTakeOver));
    EXPECT_EQ(detached, was_first ? 1 : 0);
    EXPECT_FALSE(main_->agent.client());
    if (HasFailure()) break;
  } while (std::ranges::next_permutation(order).found);
}

}  // namespace
}  // namespace extension
