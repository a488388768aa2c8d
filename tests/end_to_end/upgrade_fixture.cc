#include "end_to_end/upgrade_fixture.h"

#include "keeper_client/ask.h"

namespace e2e {

Process::Outcome UpgradingTest::run_program(const std::filesystem::path& program,
                                            const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{program};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return Process(argv, environment()).wait();
}

Process::Outcome UpgradingTest::upgrade_while(const std::filesystem::path& program,
                                              const std::function<void()>& meanwhile) {
  Process command({program, "upgrade"}, environment());
  while (command.is_running()) meanwhile();
  return command.wait();
}

base::Status UpgradingTest::upgrade_keeper(const std::filesystem::path& program) {
  const auto opened = base::Program::open(program);
  if (!opened) return base::fail(opened.error());
  const auto welcome = keeper::ask_upgrade(runtime_dir(), *opened);
  if (!welcome) return base::fail(welcome.error());
  return {};
}

void UpgradingTest::come_back(Seat& seat) {
  wait_for_any({&seat}, milliseconds(5));
  if (seat.pull()) return;
  ++codes_[seat.client().close_code()];
  ASSERT_TRUE(eventually([&] {
    try {
      seat.sit(native(), Wire::native, Begin::resume);
      seat.pull_until_attached();
      return true;
    } catch (const boost::system::system_error& error) {
      EXPECT_NE(error.code(), boost::system::errc::connection_refused);
    } catch (const std::runtime_error&) {  // Accepted by the daemon that leaves.
    }
    return false;
  }));
}

}  // namespace e2e
