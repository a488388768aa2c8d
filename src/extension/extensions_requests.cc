// The runner's requests and notifications (docs/extensions.md).

#include <algorithm>
#include <array>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/log.h"
#include "extension/extensions.h"
#include "extension/params.h"
#include "extension/process_record.h"

namespace extension {

using boost::asio::awaitable;

namespace {

constexpr std::chrono::hours kLongestQuestion{24};
constexpr std::size_t kMostRegistered = 1000;

std::optional<QuestionKind> kind_of(const std::string& text) {
  if (text == "confirm") return QuestionKind::confirm;
  if (text == "select") return QuestionKind::select;
  if (text == "input") return QuestionKind::input;
  return std::nullopt;
}

// An answer that does not fit its question counts as no answer.
json::value fitting(QuestionKind kind, const std::vector<std::string>& options,
                    const json::value& answer) {
  if (kind == QuestionKind::confirm) return answer.is_bool() ? answer : json::value(false);
  if (!answer.is_string()) return nullptr;
  if (kind == QuestionKind::select &&
      std::ranges::find(options, std::string(answer.get_string())) == options.end())
    return nullptr;
  return answer;
}

base::Level level_of(const std::string& text) {
  if (text == "error") return base::Level::error;
  if (text == "warning") return base::Level::warning;
  return base::Level::info;
}

std::vector<CommandInfo> commands_in(Params& params, const std::string& extension) {
  std::vector<CommandInfo> commands;
  for (const json::object& each : params.objects("commands")) {
    Params command(each);
    commands.push_back({.name = command.text("name"),
                        .extension = extension,
                        .description = command.optional_text("description")});
  }
  return commands;
}

std::vector<Tool> tools_in(Params& params) {
  std::vector<Tool> tools;
  for (const json::object& each : params.objects("tools")) {
    Params tool(each);
    tools.push_back({.name = tool.text("name"),
                     .description = tool.optional_text("description"),
                     .parameters = tool.value("parameters")});
  }
  return tools;
}

}  // namespace

struct Extensions::Method {
  std::string_view name;
  awaitable<Answer> (Extensions::*handle)(Caller, Object);
};

const Extensions::Method Extensions::kMethods[] = {
    {"ui.notify", &Extensions::ui_notify},
    {"ui.ask", &Extensions::ui_ask},
    {"ui.status", &Extensions::ui_status},
    {"state.get", &Extensions::state_get},
    {"state.set", &Extensions::state_set},
    {"state.delete", &Extensions::state_delete},
    {"state.keys", &Extensions::state_keys},
    {"terminal.create", &Extensions::terminal_create},
    {"terminal.list", &Extensions::terminal_list},
    {"terminal.write", &Extensions::terminal_write},
    {"terminal.text", &Extensions::terminal_text},
    {"terminal.close", &Extensions::terminal_close},
    {"process.start", &Extensions::process_start},
    {"process.output", &Extensions::process_output},
    {"process.wait", &Extensions::process_wait},
    {"process.kill", &Extensions::process_kill},
    {"process.list", &Extensions::process_list},
};

std::vector<std::string_view> Extensions::methods() {
  std::vector<std::string_view> names;
  for (const Method& method : kMethods) names.push_back(method.name);
  return names;
}

awaitable<Extensions::Answer> Extensions::request(std::weak_ptr<Rpc> link, pid_t peer,
                                                  std::string method, Object params) {
  if (method == "hello") {
    const auto from = link.lock();
    if (!from) co_return base::fail(base::Code::unavailable, "the connection has ended");
    co_return hello(from, peer, params);
  }
  if (!is_from_runner(link))
    co_return base::fail(base::Code::permission_denied, "only the extension runner may call this",
                         "Call hello first.");
  const auto known = std::ranges::find(kMethods, method, &Method::name);
  if (known == std::end(kMethods))
    co_return base::fail(base::Code::unsupported, "there is no method " + method);
  auto caller = caller_of(params);
  if (!caller) co_return base::fail(caller.error());
  auto handled = (this->*known->handle)(std::move(*caller), std::move(params));
  co_return co_await std::move(handled);
}

base::Result<Extensions::Caller> Extensions::caller_of(const Object& message) {
  Params params(message);
  const std::string session = params.text("session");
  const std::string extension = params.text("extension");
  const std::int64_t generation = params.number("generation", -1);
  if (auto fault = params.fault(); !fault) return base::fail(fault.error());
  const SpacePtr space = space_of(session);
  Instance* instance = space ? space->find(extension) : nullptr;
  // Extensions that an earlier daemon began to load show up as they call.
  if (space && space->loading && instance == nullptr)
    instance = &space->instances.emplace_back(
        Instance{.name = extension, .path = {}, .generation = generation});
  if (instance != nullptr && (generation == instance->generation || generation == instance->next ||
                              (space->loading && generation > instance->generation)))
    return Caller{.space = space, .key = {.session = space->session.id, .name = extension}};
  const std::string what =
      "generation " + std::to_string(generation) + " of " + extension + " has ended";
  base::log(base::Level::warning, "refused a call from old code",
            {{"session", session}, {"extension", extension}, {"generation", generation}});
  return base::fail(base::Code::permission_denied, what, "Use the pi and ctx of the current code.");
}

void Extensions::notified(std::string_view method, const Object& message) {
  Params params(message);
  if (method == "progress") {
    const auto call = calls_.find(params.text("call"));
    if (call != calls_.end() && call->second) call->second(params.text("text"));
    return;
  }
  const SpacePtr space = space_of(params.text("session"));
  if (!space) return;
  if (method == "worker_ended") {
    if (space->is_open)
      worker_ended(space, params.text("reason"), params.optional_text("detail").value_or(""),
                   params.optional_text("extension").value_or(""));
    return;
  }
  if (method == "children") {
    space->children.clear();
    for (const std::int64_t pid : params.numbers("pids"))
      if (auto record = record_of(static_cast<pid_t>(pid))) space->children.push_back(*record);
    return;
  }
  if (method == "log") {
    const std::string extension = params.optional_text("extension").value_or("");
    const std::string text = params.text("text");
    base::log(level_of(params.text("level")), "extension log",
              {{"session", space->session.name}, {"extension", extension}, {"text", text}});
    if (params.value("show") == Json(true))
      notify(*space, params.text("level"), extension + ": " + text);
    return note(*space, extension, "log", text);
  }
  if (method == "loaded") return loaded(*space, message);
  // Resources outlive the code that made them, so their changes count without it.
  if (method == "resource" &&
      space->resources.contains({params.text("extension"), params.text("key")}))
    return resource_changed(
        {.space = space, .key = {.session = space->session.id, .name = params.text("extension")}},
        message);
  const auto caller = caller_of(message);
  if (!caller) return;
  if (method == "resource") return resource_changed(*caller, message);
  if (method != "registered") return;
  Instance& instance = *space->find(caller->key.name);
  instance.commands = commands_in(params, instance.name);
  instance.tools = tools_in(params);
  const auto events = params.texts("events");
  instance.events = {events.begin(), events.end()};
  const auto must_decide = params.texts("mustDecide");
  declared(*space, instance.name, {must_decide.begin(), must_decide.end()});
  if (instance.commands.size() > kMostRegistered) instance.commands.resize(kMostRegistered);
  if (!space->changing) registered(*space);
}

// Finishes a load that an earlier daemon began.
void Extensions::loaded(Space& space, const Object& message) {
  if (!space.loading) return;
  std::set<std::string> wanted;
  for (const Object& outcome : Params(message).objects("extensions"))
    wanted.insert(Params(outcome).text("name"));
  for (const std::string& name : wanted)
    if (space.find(name) == nullptr) space.instances.push_back({.name = name});
  const std::string trouble = take_outcomes(space, message);
  std::erase_if(space.instances,
                [&](const Instance& instance) { return !wanted.contains(instance.name); });
  add_absent_guards(space);
  space.loading = false;
  space.changing = false;
  settled_.cancel();
  registered(space);
  if (!trouble.empty()) notify(space, "error", trouble);
}

// --- showing and asking ---

awaitable<Extensions::Answer> Extensions::ui_notify(Caller caller, Object message) {
  Params params(message);
  const std::string text = params.text("text");
  const std::string level = params.optional_text("level").value_or("info");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  notify(*caller.space, level, text);
  co_return Json(nullptr);
}

awaitable<Extensions::Answer> Extensions::ui_ask(Caller caller, Object message) {
  Params params(message);
  const auto kind = kind_of(params.text("kind"));
  QuestionInfo info{.id = {},
                    .kind = kind.value_or(QuestionKind::confirm),
                    .title = params.text("title"),
                    .message = params.optional_text("message"),
                    .options = params.texts("options"),
                    .placeholder = params.optional_text("placeholder"),
                    .timeout = std::chrono::milliseconds(std::clamp<std::int64_t>(
                        params.number("timeoutMs", 60'000), 0,
                        std::chrono::milliseconds(kLongestQuestion).count()))};
  std::string call = params.optional_text("call").value_or("");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  if (!kind) co_return base::fail(base::Code::invalid_argument, "unknown kind of question");
  const auto options = info.options;
  const Json answer = co_await ask(caller.space, std::move(info), std::move(call));
  co_return fitting(*kind, options, answer);
}

awaitable<Extensions::Answer> Extensions::ui_status(Caller caller, Object message) {
  Params params(message);
  const std::string key = params.text("key");
  const auto text = params.optional_text("text");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  Space& space = *caller.space;
  const std::pair item(caller.key.name, key);
  if (text)
    space.status[item] = *text;
  else
    space.status.erase(item);
  for (Surface* surface : space.surfaces)
    surface->show_status(space.session.name, item.first + "." + key, text);
  co_return Json(nullptr);
}

// --- state ---

awaitable<Extensions::Answer> Extensions::state_get(Caller caller, Object message) {
  Params params(message);
  const std::string key = params.text("key");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  auto value = store_.extensions().state(caller.key, key);
  if (!value) co_return base::fail(value.error());
  if (!*value) co_return Json(nullptr);
  boost::system::error_code error;
  Json parsed = json::parse(**value, error, {}, kDeep);
  if (error)
    co_return base::fail(base::Code::corrupt, "the stored value of " + key + " is damaged");
  co_return parsed;
}

awaitable<Extensions::Answer> Extensions::state_set(Caller caller, Object message) {
  Params params(message);
  const std::string key = params.text("key");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  if (auto set =
          store_.extensions().set_state(caller.key, key, json::serialize(params.value("value")));
      !set)
    co_return base::fail(set.error());
  co_return Json(nullptr);
}

awaitable<Extensions::Answer> Extensions::state_delete(Caller caller, Object message) {
  Params params(message);
  const std::string key = params.text("key");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  if (auto removed = store_.extensions().remove_state(caller.key, key); !removed)
    co_return base::fail(removed.error());
  co_return Json(nullptr);
}

awaitable<Extensions::Answer> Extensions::state_keys(Caller caller, Object) {
  auto keys = store_.extensions().state_keys(caller.key);
  if (!keys) co_return base::fail(keys.error());
  json::array list;
  for (const std::string& key : *keys) list.emplace_back(key);
  co_return Json(std::move(list));
}

}  // namespace extension
