#include "extension/runner_api.h"

#include <algorithm>

#include "base/log.h"
#include "extension/params.h"

namespace extension {

using boost::asio::awaitable;
using Object = json::object;

namespace {

constexpr std::string_view kReload = "reload";

base::Level level_of(const std::string& text) {
  if (text == "error") return base::Level::error;
  if (text == "warning") return base::Level::warning;
  return base::Level::info;
}

}  // namespace

const std::vector<Method>& methods() {
  static const std::vector<Method> all = [] {
    std::vector<Method> list;
    for (const auto& some :
         {ui_methods(), state_methods(), terminal_methods(), process_methods(), agent_methods()})
      list.insert(list.end(), some.begin(), some.end());
    return list;
  }();
  return all;
}

// --- requests ---

awaitable<MethodAnswer> RunnerApi::request(std::string method, Object params) {
  const auto known = std::ranges::find(methods(), method, &Method::name);
  if (known == methods().end() && method != kReload)
    co_return base::fail(base::Code::unsupported, "there is no method " + method);
  auto caller = caller_of(params);
  if (!caller) co_return base::fail(caller.error());
  if (method == kReload) co_return co_await reload(caller->extensions);
  auto handled = known->handle(parts_, std::move(*caller), std::move(params));
  co_return co_await std::move(handled);
}

// An extension asks for it: as if somebody had typed /reload.
awaitable<MethodAnswer> RunnerApi::reload(SessionExtensionsPtr extensions) {
  if (const std::string trouble = co_await loading_.reload(extensions); !trouble.empty())
    co_return base::fail(base::Code::invalid_argument, trouble);
  co_return json::value(nullptr);
}

base::Result<Caller> RunnerApi::caller_of(const Object& message) {
  Params params(message);
  const std::string session = params.text("session");
  const std::string extension = params.text("extension");
  const std::int64_t generation = params.number("generation", -1);
  if (auto fault = params.fault(); !fault) return base::fail(fault.error());
  const SessionExtensionsPtr extensions = by_session_.of(session);
  if (extensions &&
      (extensions->loading ? extensions->instances.may_call_while_loading(extension, generation)
                           : extensions->instances.may_call(extension, generation)))
    return Caller{.extensions = extensions,
                  .key = {.session = extensions->session.id, .name = extension}};
  const std::string what =
      "generation " + std::to_string(generation) + " of " + extension + " has ended";
  base::log(base::Level::warning, "refused a call from old code",
            {{"session", session}, {"extension", extension}, {"generation", generation}});
  return base::fail(base::Code::permission_denied, what, "Use the pi and ctx of the current code.");
}

// --- notifications ---

struct RunnerApi::Notice {
  std::string_view method;
  Notification take;
};

const RunnerApi::Notice RunnerApi::kNotices[] = {
    {"worker_ended", &RunnerApi::worker_ended},
    {"children", &RunnerApi::children},
    {"log", &RunnerApi::log},
    {"ui.withdraw", &RunnerApi::withdraw},
    {"loaded", &RunnerApi::loaded},
    {"resource", &RunnerApi::resource},
    {"registered", &RunnerApi::registered},
};

void RunnerApi::notified(std::string_view method, const Object& message) {
  Params params(message);
  if (method == "progress") return calls_.progress(params.text("call"), params.text("text"));
  const auto known = std::ranges::find(kNotices, method, &Notice::method);
  if (known == std::end(kNotices)) return;
  if (const SessionExtensionsPtr extensions = by_session_.of(params.text("session")))
    (this->*known->take)(extensions, message);
}

void RunnerApi::worker_ended(const SessionExtensionsPtr& extensions, const Object& message) {
  if (!extensions->is_open) return;
  Params params(message);
  loading_.worker_ended(extensions, params.text("reason"),
                        params.optional_text("detail").value_or(""),
                        params.optional_text("extension").value_or(""));
}

void RunnerApi::children(const SessionExtensionsPtr& extensions, const Object& message) {
  extensions->resources.set_children(Params(message).numbers("pids"));
}

void RunnerApi::log(const SessionExtensionsPtr& extensions, const Object& message) {
  Params params(message);
  const std::string extension = params.optional_text("extension").value_or("");
  const std::string text = params.text("text");
  const std::string level = params.text("level");
  base::log(level_of(level), "extension log",
            {{"session", extensions->session.name}, {"extension", extension}, {"text", text}});
  if (params.value("show") == json::value(true))
    extensions->display.notify(level, extension + ": " + text);
  extensions->note(extension, "log", text);
}

void RunnerApi::withdraw(const SessionExtensionsPtr& extensions, const Object& message) {
  Params params(message);
  extensions->questions.close_of(params.text("extension"), params.number("generation", -1));
}

void RunnerApi::loaded(const SessionExtensionsPtr& extensions, const Object& message) {
  loading_.loaded(*extensions, message);
}

void RunnerApi::resource(const SessionExtensionsPtr& extensions, const Object& message) {
  Params params(message);
  const std::string extension = params.text("extension");
  // Resources outlive the code that made them, so their changes count without it.
  if (extensions->resources.contains({extension, params.text("key")}) || caller_of(message))
    extensions->resources.changed(extension, message);
}

void RunnerApi::registered(const SessionExtensionsPtr& extensions, const Object& message) {
  if (const auto caller = caller_of(message))
    loading_.registered(*extensions, *extensions->instances.find(caller->key.name), message);
}

}  // namespace extension
