#include "session/unsaved_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>

#include <boost/json.hpp>

#include "base/fd.h"
#include "session/row_values.h"

namespace session {

namespace json = boost::json;

namespace {

json::object to_json(const TerminalRow& row) {
  json::object object{{"id", row.id.str()},
                      {"session", row.session.str()},
                      {"position", row.position},
                      {"cwd", row.cwd},
                      {"command", json::value_from(row.command)},
                      {"rows", row.rows},
                      {"cols", row.cols},
                      {"created", to_milliseconds(row.created)},
                      {"lastActivity", to_milliseconds(row.last_activity)}};
  if (row.name) object["name"] = *row.name;
  if (row.exit) object["exit"] = *row.exit;
  return object;
}

TerminalId id_from(const json::value& text) {
  const auto id = TerminalId::parse(json::value_to<std::string>(text));
  if (!id) throw std::invalid_argument("invalid id");
  return *id;
}

base::WallTime time_from(const json::value& milliseconds) {
  return base::WallTime(std::chrono::milliseconds(json::value_to<std::int64_t>(milliseconds)));
}

TerminalRow row_from(const json::object& object) {
  TerminalRow row{.id = id_from(object.at("id")),
                  .session = SessionId(json::value_to<std::string>(object.at("session"))),
                  .name = {},
                  .position = json::value_to<int>(object.at("position")),
                  .cwd = json::value_to<std::string>(object.at("cwd")),
                  .command = json::value_to<std::vector<std::string>>(object.at("command")),
                  .rows = json::value_to<std::uint16_t>(object.at("rows")),
                  .cols = json::value_to<std::uint16_t>(object.at("cols")),
                  .created = time_from(object.at("created")),
                  .last_activity = time_from(object.at("lastActivity")),
                  .exit = {}};
  if (const auto* name = object.if_contains("name")) row.name = json::value_to<std::string>(*name);
  if (const auto* exit = object.if_contains("exit")) row.exit = json::value_to<int>(*exit);
  return row;
}

}  // namespace

base::Result<Unsaved> UnsavedFile::read() const {
  if (::access(path_.c_str(), F_OK) != 0) return Unsaved();
  std::ifstream file(path_, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  json::parse_options options;
  options.allow_invalid_utf8 = true;  // Directory names may contain any bytes.
  try {
    const json::value parsed = json::parse(text, {}, options);
    Unsaved unsaved;
    for (const json::value& row : parsed.at("rows").as_array())
      unsaved.rows.push_back(row_from(row.as_object()));
    for (const json::value& id : parsed.at("removed").as_array())
      unsaved.removed.push_back(id_from(id));
    return unsaved;
  } catch (const std::exception& error) {
    return base::fail(base::Code::corrupt, "cannot read " + path_.native() + ": " + error.what(),
                      "Remove it. Names that were not saved are lost.");
  }
}

base::Status UnsavedFile::write(const Unsaved& unsaved) const {
  if (unsaved == Unsaved()) {
    if (::unlink(path_.c_str()) != 0 && errno != ENOENT)
      return base::fail(base::errno_error(errno, "remove " + path_.native()));
    return {};
  }
  json::array rows;
  for (const TerminalRow& row : unsaved.rows) rows.push_back(to_json(row));
  json::array removed;
  for (const TerminalId& id : unsaved.removed) removed.emplace_back(id.str());
  const std::string text =
      json::serialize(json::object{{"rows", std::move(rows)}, {"removed", std::move(removed)}});
  const std::string fresh = path_.native() + ".new";
  const auto failed = [&] { return base::fail(base::errno_error(errno, "write " + fresh)); };
  if (::unlink(fresh.c_str()) != 0 && errno != ENOENT) return failed();
  const base::Fd file(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) return failed();
  for (std::string_view left = text; !left.empty();) {
    const ssize_t written = ::write(file.get(), left.data(), left.size());
    if (written < 0) return failed();
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::rename(fresh.c_str(), path_.c_str()) != 0) return failed();
  return {};
}

}  // namespace session
