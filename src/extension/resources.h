// What the extensions of one session hold over their reloads, as recorded in the store.
//
// Invariants
// 1. A record matches the live resource, or says that it is lost.
// 2. A record outlives the code that made it. It goes when the resource is closed.
// 3. When the worker ends, a program that it started and that no record names is ended. One that a
//    record names is kept until the resource is closed.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>

#include "base/clock.h"
#include "base/result.h"
#include "extension/rpc.h"
#include "session/store.h"

namespace extension {

class Resources {
 public:
  using Key = std::pair<std::string, std::string>;  // The extension and its key.

  // Reads the records from the store. All three outlive it.
  Resources(session::Store& store, const session::SessionRow& session, const base::Clock& clock);

  [[nodiscard]] const std::map<Key, session::ResourceRow>& rows() const { return rows_; }
  [[nodiscard]] bool contains(const Key& key) const { return rows_.contains(key); }
  // What is held now and would end with the worker, for people.
  [[nodiscard]] std::vector<std::string> would_be_lost() const;

  // The extension has created, changed, orphaned or closed one.
  void changed(const std::string& extension, const boost::json::object& message);
  // The programs that the worker has started.
  void set_children(const std::vector<std::int64_t>& pids);
  // A runner that is older than this daemon holds exactly these.
  void announced(const std::vector<boost::json::object>& all);
  // The worker has ended. Returns the programs that have to be ended.
  [[nodiscard]] std::vector<session::ProcessRecord> lose(const std::string& why);
  // Has the extension close it, if there is a connection to it; ends what is left, and forgets it.
  // Returns why the extension could not close it itself; empty if it could, or was not asked. Keep
  // this object until it returns.
  boost::asio::awaitable<base::Result<std::string>> close(Key key, std::shared_ptr<Rpc> connection);

 private:
  void note(const Key& key, std::string_view event, const std::string& detail);
  void save(const session::ResourceRow& row);
  void forget(const Key& key, const std::string& why);
  void put(session::ResourceRow row);

  session::Store& store_;
  const session::SessionRow& session_;
  const base::Clock& clock_;
  std::map<Key, session::ResourceRow> rows_;
  std::vector<session::ProcessRecord> children_;
};

}  // namespace extension
