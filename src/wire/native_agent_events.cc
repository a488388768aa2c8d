#include "wire/native_agent_events.h"

#include "wire/native_envelope.h"

namespace wire::native {
namespace {

std::string encode(std::string_view type, const Answers& request, const AgentOffer& offer) {
  std::string out;
  JsonWriter writer = begin_data(out, type, request);
  write_tools(writer.field("session", offer.session), offer.tools);
  writer.begin_array("events");
  for (const std::string& event : offer.events) writer.element(event);
  writer.end_array();
  end(writer);
  return out;
}

}  // namespace

std::string agent_attached(const Answers& request, const AgentOffer& offer) {
  return encode("agent_attached", request, offer);
}

std::string agent_offer(const AgentOffer& offer) {
  return encode("agent_offer", std::nullopt, offer);
}

std::string agent_decision(const Answers& request, std::string_view session,
                           std::string_view json) {
  std::string out;
  JsonWriter writer = begin_data(out, "agent_decision", request);
  writer.field("session", session).raw("decision", json);
  end(writer);
  return out;
}

std::string agent_call(std::string_view session, std::string_view id, std::string_view name,
                       std::string_view params) {
  std::string out;
  JsonWriter writer = begin_data(out, "agent_call", std::nullopt);
  writer.field("session", session).field("id", id).field("name", name).raw("params", params);
  end(writer);
  return out;
}

std::string agent_detached(const Answers& request, std::string_view session,
                           std::string_view reason) {
  std::string out;
  JsonWriter writer = begin_data(out, "agent_detached", request);
  writer.field("session", session).field("reason", reason);
  end(writer);
  return out;
}

}  // namespace wire::native
