// The OpenAPI document, made from the table of operations.

#include <boost/json.hpp>

#include "base/version.h"
#include "http/api.h"

namespace http {

namespace json = boost::json;
using In = ApiParameter::In;
using Kind = ApiParameter::Kind;

namespace {

// What operations answer with.
constexpr std::string_view kSchemas = R"({
  "Document": {"type": "object", "required": ["openapi", "info", "paths"]},
  "Terminal": {
    "type": "object",
    "required": ["terminalId", "session", "order", "status", "rows", "cols", "createdAt",
                 "lastActivityAt", "command", "viewers"],
    "properties": {
      "terminalId": {"type": "string"},
      "session": {"type": "string"},
      "name": {"type": "string"},
      "order": {"type": "integer", "minimum": 0},
      "status": {"enum": ["running", "exited", "restorable"]},
      "rows": {"type": "integer", "minimum": 1},
      "cols": {"type": "integer", "minimum": 1},
      "createdAt": {"type": "string", "format": "date-time"},
      "lastActivityAt": {"type": "string", "format": "date-time"},
      "workingDirectory": {"type": "string"},
      "title": {"type": "string"},
      "command": {"type": "array", "items": {"type": "string"}},
      "process": {"type": "string", "description": "The program in the foreground."},
      "busy": {"type": "boolean", "description": "A program other than the shell is in the foreground."},
      "viewers": {"type": "integer", "minimum": 0},
      "exitCode": {"type": "integer", "description": "128 + N if signal N ended the program."},
      "state": {"$ref": "#/components/schemas/State"}
    }
  },
  "State": {
    "type": "object", "required": ["kind"],
    "properties": {
      "kind": {"enum": ["unknown", "prompt", "running", "succeeded", "failed", "waiting", "exited"]},
      "command": {"type": "string", "description": "The command that runs or has ended."},
      "since": {"type": "string", "format": "date-time"},
      "exitCode": {"type": "integer"},
      "progress": {"type": "integer", "minimum": 0, "maximum": 100},
      "text": {"type": "string", "description": "What the program said."}
    }
  },
  "Terminals": {
    "type": "object", "required": ["terminals"],
    "properties": {"terminals": {"type": "array", "items": {"$ref": "#/components/schemas/Terminal"}}}
  },
  "Closed": {
    "type": "object", "required": ["terminalId"],
    "properties": {"terminalId": {"type": "string"}, "exitCode": {"type": "integer"}}
  },
  "Offset": {
    "type": "object", "required": ["offset"],
    "properties": {"offset": {"$ref": "#/components/schemas/OffsetNumber"}}
  },
  "OffsetNumber": {
    "type": "integer", "minimum": 0,
    "description": "A place in the terminal's output: how many bytes came before it."
  },
  "Lease": {
    "type": "object", "required": ["lease", "holder", "expiresAt"],
    "properties": {
      "lease": {"type": "string", "description": "Send it with your input."},
      "holder": {"type": "string"},
      "expiresAt": {"type": "string", "format": "date-time"}
    }
  },
  "Released": {"type": "object", "required": ["lease"], "properties": {"lease": {"type": "string"}}},
  "Capture": {
    "type": "object", "required": ["offset"],
    "properties": {
      "offset": {"$ref": "#/components/schemas/OffsetNumber"},
      "text": {"type": "string", "description": "With all formats but json."},
      "missing": {"type": "integer", "minimum": 0,
                  "description": "With lastCommand: bytes of its output that are not in the text."},
      "screen": {"type": "object", "description": "With the format json: see docs/vt.md."}
    }
  },
  "Waited": {
    "type": "object", "required": ["outcome", "offset"],
    "properties": {
      "outcome": {"enum": ["matched", "prompt", "command_ended", "exited", "quiet", "timed_out"]},
      "offset": {"$ref": "#/components/schemas/OffsetNumber"},
      "line": {"type": "string", "description": "The line that matched."},
      "exitCode": {"type": "integer"}
    }
  },
  "Command": {
    "type": "object",
    "required": ["text", "directory", "start", "end", "exitCode", "startedAt", "endedAt"],
    "description": "What is not known is null.",
    "properties": {
      "text": {"type": ["string", "null"]},
      "directory": {"type": ["string", "null"]},
      "start": {"type": ["integer", "null"], "minimum": 0,
                "description": "The offset where its output begins. Null: it ran before the terminal was restored."},
      "end": {"type": ["integer", "null"], "minimum": 0, "description": "The offset after its end."},
      "exitCode": {"type": ["integer", "null"]},
      "startedAt": {"type": ["string", "null"], "format": "date-time"},
      "endedAt": {"type": ["string", "null"], "format": "date-time"}
    }
  },
  "Commands": {
    "type": "object", "required": ["state", "commands"],
    "properties": {
      "state": {"enum": ["unknown", "prompt", "incomplete", "running"]},
      "commands": {"type": "array", "items": {"$ref": "#/components/schemas/Command"}}
    }
  },
  "Execution": {
    "type": "object", "required": ["outcome", "offset", "next", "output", "leftOut"],
    "properties": {
      "outcome": {"enum": ["ended", "running", "refused", "incomplete", "exited"]},
      "offset": {"$ref": "#/components/schemas/OffsetNumber"},
      "next": {"$ref": "#/components/schemas/OffsetNumber"},
      "exitCode": {"type": "integer"},
      "output": {"type": "string", "description": "What it printed, as plain text."},
      "leftOut": {"type": "integer", "minimum": 0,
                  "description": "Bytes of output that are not in it: no longer kept, or too many."}
    }
  },
  "Found": {
    "type": "object", "required": ["matches", "leftOut", "skipped"],
    "properties": {
      "matches": {"type": "array", "items": {
        "type": "object", "required": ["terminalId", "session", "line", "fromEnd", "text"],
        "properties": {
          "terminalId": {"type": "string"},
          "session": {"type": "string"},
          "name": {"type": "string"},
          "line": {"type": "integer", "minimum": 1,
                   "description": "Counted from the oldest line that the terminal remembers."},
          "fromEnd": {"type": "integer", "minimum": 0,
                      "description": "How many lines come after it."},
          "text": {"type": "string", "description": "The line, at most 1000 bytes of it."},
          "offset": {"$ref": "#/components/schemas/OffsetNumber"}
        }
      }},
      "leftOut": {"type": "integer", "minimum": 0,
                  "description": "How many more lines matched, beyond the limit."},
      "skipped": {"type": "array", "items": {"type": "string"},
                  "description": "Terminals that could not be searched."}
    }
  },
  "Session": {
    "type": "object", "required": ["name", "kind", "terminals", "createdAt"],
    "properties": {
      "name": {"type": "string"},
      "kind": {"enum": ["interactive", "background"]},
      "terminals": {"type": "integer", "minimum": 0},
      "restorable": {"type": "integer", "minimum": 1},
      "createdAt": {"type": "string", "format": "date-time"}
    }
  },
  "Sessions": {
    "type": "object", "required": ["sessions"],
    "properties": {"sessions": {"type": "array", "items": {"$ref": "#/components/schemas/Session"}}}
  },
  "Tools": {
    "type": "object", "required": ["tools"],
    "properties": {"tools": {"type": "array", "items": {
      "type": "object", "required": ["name", "extension", "parameters"],
      "properties": {
        "name": {"type": "string"},
        "extension": {"type": "string"},
        "description": {"type": "string"},
        "parameters": {"description": "The JSON Schema of its arguments."}
      }
    }}}
  },
  "ToolResult": {
    "type": "object",
    "properties": {
      "result": {"description": "What the tool answered."},
      "error": {"type": "string", "description": "Why it failed, instead of a result."}
    }
  },
  "Resources": {
    "type": "object", "required": ["resources"],
    "properties": {"resources": {"type": "array", "items": {
      "type": "object",
      "required": ["extension", "key", "state", "description", "pids", "createdAt"],
      "properties": {
        "extension": {"type": "string"},
        "key": {"type": "string"},
        "state": {"enum": ["live", "orphan", "lost"]},
        "description": {"type": "string"},
        "pids": {"type": "array", "items": {"type": "integer"}},
        "createdAt": {"type": "string", "format": "date-time"}
      }
    }}}
  },
  "RunResult": {
    "type": "object",
    "properties": {
      "text": {"type": "string", "description": "What it printed, or its end if it was much."},
      "exitCode": {"type": "integer", "description": "Of a shell command."},
      "session": {"type": "string", "description": "The session to switch to."},
      "error": {"type": "string", "description": "Why it failed, instead of all others."}
    }
  },
  "Events": {
    "type": "string",
    "description": "Server-sent events. Each has an id, a type and JSON as its data: docs/events.md."
  },
  "Name": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
  "Problem": {
    "type": "object", "required": ["title", "status", "detail", "code"],
    "properties": {
      "title": {"type": "string"},
      "status": {"type": "integer"},
      "detail": {"type": "string", "description": "What went wrong, and what to do about it."},
      "code": {"type": "string"}
    }
  }
})";

json::object schema_of(const ApiParameter& parameter) {
  switch (parameter.kind) {
    case Kind::number:
      return {{"type", "integer"}, {"minimum", parameter.least}, {"maximum", parameter.most}};
    case Kind::flag:
      return {{"type", "boolean"}};
    case Kind::texts:
      return {{"type", "array"}, {"items", {{"type", "string"}}}};
    case Kind::pairs:
      return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
    case Kind::object:
      return {{"type", "object"}};
    case Kind::text:
      break;
  }
  json::object schema{{"type", "string"}};
  if (parameter.in == In::path) schema["minLength"] = 1;
  schema["maxLength"] = parameter.most;
  if (parameter.values.empty()) return schema;
  json::array values;
  for (const std::string_view value : parameter.values) values.emplace_back(value);
  schema["enum"] = std::move(values);
  return schema;
}

json::object reference(std::string_view name) {
  return {{"$ref", "#/components/schemas/" + std::string(name)}};
}

json::object content(std::string_view type, json::object schema) {
  return {{type, {{"schema", std::move(schema)}}}};
}

std::string_view in_words(In in) {
  if (in == In::path) return "path";
  return in == In::query ? "query" : "header";
}

json::array outside_body(const ApiOperation& operation) {
  json::array all;
  for (const ApiParameter& parameter : operation.parameters)
    if (parameter.in != In::body)
      all.emplace_back(json::object{{"name", parameter.name},
                                    {"in", in_words(parameter.in)},
                                    {"required", parameter.is_required},
                                    {"description", parameter.meaning},
                                    {"schema", schema_of(parameter)}});
  return all;
}

// None if it takes no body.
std::optional<json::object> body_of(const ApiOperation& operation) {
  json::object schema = schema_of(operation.parameters);
  if (schema.at("properties").get_object().empty()) return std::nullopt;
  const bool is_required = schema.contains("required");
  return json::object{{"required", is_required},
                      {"content", content("application/json", std::move(schema))}};
}

json::object described(const ApiOperation& operation) {
  json::object responses;
  responses[std::to_string(static_cast<unsigned>(operation.success))] = {
      {"description", "Done."}, {"content", content(operation.type, reference(operation.answer))}};
  responses["default"] = {{"description", "It was refused."},
                          {"content", content(kProblem, reference("Problem"))}};
  json::object all{{"operationId", operation.name},
                   {"summary", operation.summary},
                   {"parameters", outside_body(operation)},
                   {"responses", std::move(responses)}};
  if (auto body = body_of(operation)) all["requestBody"] = *std::move(body);
  return all;
}

std::string document() {
  json::object paths;
  for (const ApiOperation& operation : api_operations()) {
    std::string method(operation.name_of_method());
    for (char& c : method) c = static_cast<char>(c | 0x20);
    json::value& path = paths[operation.path];
    if (path.is_null()) path = json::object();
    path.get_object()[method] = described(operation);
  }
  return json::serialize(
      json::object{{"openapi", "3.1.0"},
                   {"info", {{"title", "Holdfast"}, {"version", base::version()}}},
                   {"servers", json::array{json::object{{"url", "/api/v1"}}}},
                   {"security", json::array{json::object{{"token", json::array()}}}},
                   {"paths", std::move(paths)},
                   {"components",
                    {{"schemas", json::parse(kSchemas)},
                     {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}}}});
}

}  // namespace

json::object schema_of(const std::vector<ApiParameter>& parameters) {
  json::object properties;
  json::array required;
  for (const ApiParameter& parameter : parameters) {
    if (parameter.in != In::body) continue;
    json::object schema = schema_of(parameter);
    schema["description"] = parameter.meaning;
    properties[parameter.name] = std::move(schema);
    if (parameter.is_required) required.emplace_back(parameter.name);
  }
  json::object schema{
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

const std::string& openapi() {
  static const std::string kDocument = document();
  return kDocument;
}

}  // namespace http
