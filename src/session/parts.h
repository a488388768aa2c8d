// The parts of Sessions with which terminals are started and recovered.

#pragma once

namespace keeper {
class KeeperClient;
}

namespace session {

class Closer;
class Follower;
class HistorySaver;
class Logins;
class Names;
class RowSaver;
class Terminals;
class Watchers;
struct Settings;

// They outlive every holder of this.
struct Parts {
  keeper::KeeperClient& keeper;
  Terminals& terminals;
  RowSaver& rows;
  HistorySaver& histories;
  Closer& closer;
  Follower& follower;
  Names& names;
  Logins& logins;
  const Watchers& watchers;
  const Settings& settings;
};

}  // namespace session
