// What a reboot leaves: terminals are offered, and made again with what they showed.

#include <algorithm>

#include "end_to_end/reboot_fixture.h"

namespace e2e {
namespace {

using Strings = std::vector<std::string>;

bool has_line(const Strings& lines, const std::string& wanted) {
  return std::ranges::find(lines, wanted) != lines.end();
}

std::size_t mark_of(const Strings& lines) {
  const auto mark = std::ranges::find_if(lines, [](const std::string& line) {
    return line.starts_with("\u2500\u2500 restored, saved 20");
  });
  if (mark == lines.end()) ADD_FAILURE() << "there is no marked line";
  return static_cast<std::size_t>(mark - lines.begin());
}

TEST_F(RebootTest, TerminalsAreOfferedWithNamesOrderDirectoryAndCommand) {
  start();
  make("a", "cd /usr; echo first", "first");
  make("b", "echo second", "second");
  make("c", "echo third", "third");
  {
    auto client = peer();
    client.ask("rename", {{"terminalId", "b"}, {"name", "build"}});
    client.ask("reorder", {{"terminalIds", json::array{"c", "b", "a"}}});
  }
  reboot();
  auto client = peer();
  EXPECT_EQ(listed(client), (Strings{"c  restorable", "b build restorable", "a  restorable"}));
  const json::object answer = client.ask("list", {{"session", "main"}});
  const json::object a = answer.at("data").at("terminals").as_array().at(2).as_object();
  EXPECT_EQ(string_at(a, "workingDirectory"), "/usr");
  EXPECT_EQ(a.at("command").as_array().at(2).as_string(), "cd /usr; echo first; exec cat");
  EXPECT_EQ(a.at("viewers").to_number<int>(), 0);
  const json::object sessions = client.ask("sessions");
  const json::object main = sessions.at("data").at("sessions").as_array().at(0).as_object();
  EXPECT_EQ(main.at("terminals").to_number<int>(), 0);
  EXPECT_EQ(main.at("restorable").to_number<int>(), 3);
  // Nothing runs, and the compatible protocol knows nothing of them.
  EXPECT_TRUE(children_of(keeper_pid()).empty());
  const auto other = compatible();
  EXPECT_TRUE(session_ids(*other).empty());
  EXPECT_EQ(refused(*other, reattach("a")).error, "session not found");
  EXPECT_EQ(refused(*other, message("close_session", {{"sessionId", "a"}})).error,
            "session not found");
  EXPECT_EQ(client.refused("attach", {{"terminalId", "a"}}), "not_found");
  // Names and places can be changed, and stay so.
  client.ask("rename", {{"terminalId", "a"}, {"name", "last"}});
  client.ask("reorder", {{"terminalIds", json::array{"a"}}});
  reboot();
  auto later = peer();
  EXPECT_EQ(listed(later), (Strings{"a last restorable", "c  restorable", "b build restorable"}));
}

TEST_F(RebootTest, ARestoredOneShowsItsHistoryAboveAMarkedLine) {
  start();
  make("t", "for i in $(seq 1 500); do echo line $i; done; printf '\\033[1;31mred\\033[m\\n'",
       "red");
  peer().ask("rename", {{"terminalId", "t"}, {"name", "build"}});
  reboot();
  auto client = peer();
  auto other = peer();
  const json::object created = restore(client, "t", {{"rows", 30}, {"cols", 100}});
  ASSERT_EQ(string_at(created, "type"), "created") << json::serialize(created);
  const json::object terminal = created.at("data").at("terminal").as_object();
  EXPECT_EQ(string_at(terminal, "name"), "build");
  EXPECT_EQ(string_at(terminal, "status"), "running");
  EXPECT_EQ(terminal.at("cols").to_number<int>(), 100);
  EXPECT_EQ(string_at(other.event("created").at("data").at("terminal").as_object(), "terminalId"),
            "t");
  // The command runs again below it: all its lines stand there twice.
  const auto seat = look_at(
      "t", [&](Seat& seat) { return std::ranges::count(seat.mirror().lines(), "red") == 2; });
  const Strings lines = seat->mirror().lines();
  const std::size_t mark = mark_of(lines);
  EXPECT_GT(mark, 500U);
  for (int i = 1; i <= 500; ++i) {
    const auto at = static_cast<std::size_t>(std::ranges::find(lines, "line " + std::to_string(i)) -
                                             lines.begin());
    ASSERT_LT(at, mark) << i;
  }
  EXPECT_EQ(lines.at(mark + 1), "line 1");
  EXPECT_NE(vt::json(seat->mirror().screen(), {.history_rows = vt::kAllHistory})
                .find("[[\"red\",\"fg=1 bold\"]]"),
            std::string::npos);
  // As wide as the terminal.
  std::size_t width = 0;
  for (const char byte : lines.at(mark)) width += (byte & 0xc0) != 0x80 ? 1 : 0;
  EXPECT_EQ(width, 100U);
  EXPECT_EQ(client.refused("restore", {{"terminalId", "t"}}), "already_exists");
}

// A client of the compatible protocol sees no restorable terminals: it finds nothing, and makes its
// tabs again. What it had would pile up unseen.
TEST_F(RebootTest, WhatACompatibleClientMakesAgainIsRestored) {
  start();
  const auto before = compatible();
  for (const char* id : {"a", "b", "c"}) e2e::create(*before, id);
  before->send(message("rename_session", {{"sessionId", "b"}, {"name", "build"}}));
  before->expect("session_renamed");
  e2e::type(*before, "b", "echo his''tory", "history");
  before->send(input("b", "\r"));  // A byte more than was seen, so that what was seen is saved.
  wait_until_saved("b");
  reboot();
  const auto client = compatible();
  ASSERT_TRUE(sessions_of(*client).empty());
  const auto make_again = [&](const char* id, json::object more) {
    more["sessionId"] = id;
    client->send(message("create_session", more));
    client->expect("session_created");
  };
  make_again("new", {{"name", "build"}});  // The page was loaded anew, so the ids are, too.
  EXPECT_NE(output_until(*client, "restored").find("history"), std::string::npos);
  auto peers = peer();
  EXPECT_EQ(listed(peers), (Strings{"a  restorable", "new build running", "c  restorable"}));
  make_again("c", {});
  make_again("d", {{"name", "first"}});
  EXPECT_EQ(listed(peers), (Strings{"d first running", "new build running", "c  running"}));
}

TEST_F(RebootTest, OnlyTextComesBack) {
  start();
  // One that prints those once, and is quiet when it is run again.
  const std::string once = (dir() / "once").string();
  make("u",
       "if mkdir " + once +
           "; then printf 'under\\n\\033]2;title\\007\\033[?1049h\\033[?1003h\\033[?2004h"
           "\\033[?25l\\033[?1hover'; else echo again; fi",
       "over");
  reboot();
  auto fresh = peer();
  restore(fresh, "u");
  const auto quiet = look_at("u", [&](Seat& seat) { return shows(seat, "again"); });
  const vt::State& state = quiet->mirror().screen().state();
  EXPECT_FALSE(state.alternate_active);
  EXPECT_EQ(state.modes, vt::Modes());
  EXPECT_EQ(state.lasting, vt::LastingModes());
  EXPECT_EQ(state.mouse_protocol, vt::MouseProtocol::none);
  EXPECT_EQ(state.titles, vt::Titles());
  const Strings lines = quiet->mirror().lines();
  EXPECT_TRUE(has_line(lines, "under"));
  EXPECT_FALSE(shows(*quiet, "over"));
}

// The history of a restored terminal is its history like any other: a viewer that comes, a killed
// daemon, another width and another reboot find it.
TEST_F(RebootTest, WhatWasRestoredStays) {
  start();
  make("t", "echo original; sleep 0", "original");
  reboot();
  {
    auto client = peer();
    restore(client, "t");
  }
  const auto before = look_at(
      "t", [&](Seat& seat) { return std::ranges::count(seat.mirror().lines(), "original") == 2; });
  kill_daemon();
  start();
  const auto after = look_at("t", [](Seat&) { return true; });
  EXPECT_EQ(difference(before->mirror(), after->mirror()), "");
  EXPECT_LT(mark_of(after->mirror().lines()), after->mirror().lines().size());
  // A client that has seen nothing has not seen the history either.
  auto client = peer();
  const auto channel = client.attach("t", {{"since", 0}});
  EXPECT_NE(client.output_until(channel, "restored, saved").find("original"), std::string::npos);
  client.type(channel, "typed\r");
  wait_until_saved("t");
  reboot();
  auto later = peer();
  restore(later, "t", {{"cols", 50}});
  const auto third = look_at(
      "t", [&](Seat& seat) { return std::ranges::count(seat.mirror().lines(), "original") == 3; });
  EXPECT_EQ(std::ranges::count_if(third->mirror().lines(),
                                  [](const std::string& line) {
                                    return line.find("restored, saved") != std::string::npos;
                                  }),
            2);
}

// Whatever instant the daemon dies at: a terminal that runs has its history, one that does not can
// be restored.
TEST_F(RebootTest, ADaemonThatDiesWhileItRestores) {
  start();
  make("t", "echo original", "original");
  for (int i = 0; i < a_tenth_unless_soaking(100); ++i) {
    reboot();
    auto client = peer();
    client.tell("restore", {{"terminalId", "t"}});
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::microseconds(random_below(4000));
    while (std::chrono::steady_clock::now() < end) {
    }
    kill_daemon();
    start();
    auto later = peer();
    const Strings now = listed(later);
    ASSERT_EQ(now.size(), 1U);
    if (now.front() == "t  restorable") restore(later, "t");
    ASSERT_TRUE(has_line(lines_of("t"), "original")) << i;
    const auto channel = later.attach("t");
    later.type(channel, "\r");
    wait_until_saved("t");
  }
}

TEST_F(RebootTest, ADirectoryThatIsGoneIsTold) {
  start();
  const auto gone = dir() / "gone";
  std::filesystem::create_directory(gone);
  make("t", "cd " + gone.string() + "; echo there; cd " + gone.string(), "there");
  std::filesystem::remove(gone);
  reboot();
  auto client = peer();
  ASSERT_EQ(string_at(restore(client, "t"), "type"), "created");
  const auto seat =
      look_at("t", [&](Seat& seat) { return shows(seat, "started in " + home().string()); });
  EXPECT_TRUE(shows(*seat, "enter the directory " + gone.string()));
}

TEST_F(RebootTest, AProgramThatIsGoneIsAnErrorAndItStaysRestorable) {
  start();
  const auto script = dir() / "script";
  std::ofstream(script) << "#!/bin/sh\necho here\nexec cat\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  create("t", {script.string()});
  look_at("t", [&](Seat& seat) { return shows(seat, "here"); });
  ASSERT_TRUE(eventually([&] { return history_in(history_file("t")).has_value(); }));
  std::filesystem::remove(script);
  reboot();
  auto client = peer();
  EXPECT_EQ(string_at(restore(client, "t"), "type"), "error");
  EXPECT_EQ(listed(client), (Strings{"t  restorable"}));
  std::ofstream(script) << "#!/bin/sh\necho there\nexec cat\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  EXPECT_EQ(string_at(restore(client, "t"), "type"), "created");
  look_at("t", [&](Seat& seat) { return shows(seat, "here") && shows(seat, "there"); });
}

TEST_F(RebootTest, AnExitedOneIsOfferedToo) {
  start();
  create("t", {"/bin/sh", "-c", "echo done; exit 3"});
  auto first = peer();
  ASSERT_TRUE(eventually([&] { return listed(first) == Strings{"t  exited"}; }));
  ASSERT_TRUE(eventually([&] { return history_in(history_file("t")).has_value(); }));
  reboot();
  auto client = peer();
  const json::object answer = client.ask("list");
  const json::object t = answer.at("data").at("terminals").as_array().at(0).as_object();
  EXPECT_EQ(string_at(t, "status"), "restorable");
  EXPECT_EQ(t.at("exitCode").to_number<int>(), 3);
  EXPECT_EQ(string_at(restore(client, "t"), "type"), "created");
  EXPECT_TRUE(has_line(lines_of("t"), "done"));
}

TEST_F(RebootTest, AKeeperThatIsKilledLeavesThemToTheDaemonThatGoesOn) {
  start();
  create("t", {"/bin/sh", "-c", "echo original; exec cat"});
  look_at("t", [&](Seat& seat) { return shows(seat, "original"); });
  auto client = peer();
  const auto viewer = compatible();
  viewer->send(reattach("t"));
  viewer->expect("scrollback");
  kill_keeper();
  const json::object lost = client.event("restorable").at("data").at("terminal").as_object();
  EXPECT_EQ(string_at(lost, "status"), "restorable");
  EXPECT_EQ(viewer->close_code(), 1012);
  EXPECT_EQ(listed(client), (Strings{"t  restorable"}));
  json::object created;
  ASSERT_TRUE(eventually([&] {  // The new keeper may not be there yet.
    created = restore(client, "t");
    return string_at(created, "type") == "created";
  })) << json::serialize(created);
  const auto seat = look_at(
      "t", [&](Seat& seat) { return std::ranges::count(seat.mirror().lines(), "original") == 2; });
  mark_of(seat->mirror().lines());
}

TEST_F(RebootTest, ItsIdMayBeCreatedAgain) {
  start();
  make("t", "echo original", "original");
  make("u", "echo original", "original");
  reboot();
  const auto client = compatible();
  client->send(message("create_session",
                       {{"sessionId", "t"}, {"rows", 24}, {"cols", 80}, {"name", "fresh"}}));
  client->expect("session_created");
  auto peers = peer();
  EXPECT_EQ(listed(peers), (Strings{"u  restorable", "t fresh running"}));
  EXPECT_FALSE(shows(*look_at("t"), "original"));
  // One that cannot be made leaves the old one.
  EXPECT_NE(peers.refused("create", {{"terminalId", "u"}, {"workDir", "/not/there"}}), "");
  EXPECT_EQ(listed(peers), (Strings{"u  restorable", "t fresh running"}));
  EXPECT_EQ(string_at(restore(peers, "u"), "type"), "created");
  EXPECT_TRUE(has_line(lines_of("u"), "original"));
}

TEST_F(RebootTest, ItIsItsOwnersAlone) {
  start();
  make("t", "echo secret", "secret");
  const std::string token = token_of("other");
  reboot();
  auto other = peer(token);
  EXPECT_TRUE(listed(other).empty());
  for (const char* type : {"restore", "close"})
    EXPECT_EQ(other.refused(type, {{"terminalId", "t"}}), "not_found") << type;
  EXPECT_EQ(other.refused("rename", {{"terminalId", "t"}, {"name", "x"}}), "not_found");
}

TEST_F(RebootTest, WhatIsClosedOrDiscardedLeavesNothing) {
  start();
  make("closed", "echo x", "x");
  make("discarded", "echo x", "x");
  make("session", "echo x", "x");
  peer().ask("close", {{"terminalId", "closed"}});
  EXPECT_TRUE(eventually([&] { return !exists(history_file("closed")); }));
  EXPECT_TRUE(exists(history_file("discarded")));
  reboot();
  auto client = peer();
  auto other = peer();
  EXPECT_EQ(string_at(client.ask("close", {{"terminalId", "discarded"}}), "type"), "closed");
  EXPECT_EQ(data_text(other.event("closed"), "terminalId"), "discarded");
  EXPECT_TRUE(eventually([&] { return !exists(history_file("discarded")); }));
  EXPECT_EQ(client.refused("restore", {{"terminalId", "discarded"}}), "not_found");
  client.ask("session_close", {{"name", "main"}});
  EXPECT_TRUE(eventually([&] { return !exists(history_file("session")); }));
  reboot();
  auto later = peer();
  EXPECT_TRUE(listed(later).empty());
}

TEST_F(RebootTest, ADamagedHistoryIsSetAside) {
  start();
  make("t", "echo original", "original");
  make("u", "echo original", "original");
  kill_daemon();
  kill_keeper();
  std::filesystem::resize_file(history_file("t"), 50);
  start();
  auto client = peer();
  EXPECT_EQ(string_at(restore(client, "t"), "type"), "created");
  const auto seat = look_at("t", [&](Seat& seat) { return shows(seat, "original"); });
  EXPECT_TRUE(seat->mirror().lines().front().starts_with("\u2500\u2500 restored \u2500"));
  EXPECT_TRUE(exists(state_dir() / "history" / "t.rows.corrupt"));
  EXPECT_TRUE(logged("a saved history is damaged and was set aside"));
  EXPECT_EQ(string_at(restore(client, "u"), "type"), "created");
  mark_of(lines_of("u"));
}

TEST_F(RebootTest, AtMostAHundredAreKeptThoseUsedLast) {
  start();
  {
    auto client = peer();
    for (int i = 0; i < 103; ++i)
      client.ask("create",
                 {{"terminalId", "t" + std::to_string(i)}, {"command", json::array{"/bin/cat"}}});
    // Used after all others.
    const auto channel = client.attach("t1");
    client.type(channel, "x\r");
    client.output_until(channel, "x");
  }
  stop_daemon();
  kill_keeper();
  start();
  auto client = peer();
  const Strings now = listed(client);
  EXPECT_EQ(now.size(), 100U);
  EXPECT_TRUE(has_line(now, "t1  restorable"));
}

}  // namespace
}  // namespace e2e
