// A real daemon, and a client of its API that checks every answer against the API's document.

import assert from "node:assert/strict";

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

import { Daemon } from "../node/daemon.mjs";
import { until } from "../node/until.mjs";

export { until };
// How often to repeat racy steps: a few times here, many times in a soak test.
export const times = (few, often) => (process.env.HOLDFAST_SOAK ? often : few);
export const limit = { timeout: times(120_000, 7_200_000) };

export class Api {
  #daemon;
  #token;
  #document;
  #schemas = new Ajv2020({ strict: false });
  #paths; // Patterns of paths, with their operations.
  // The operations that were called and did what they were asked to, such as "GET /terminals".
  succeeded = new Set();

  static async of(daemon, token = daemon.token) {
    const api = new Api();
    api.#daemon = daemon;
    api.#token = token;
    const { body } = await api.raw("GET", "/openapi.json");
    api.#document = body;
    api.#paths = Object.entries(body.paths).map(([path, operations]) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`), operations }));
    addFormats(api.#schemas);
    api.#schemas.addSchema(body, "document");
    return api;
  }

  get document() {
    return this.#document;
  }

  // Any request, and its answer as it is.
  async raw(method, target, body, headers = {}, signal) {
    const response = await fetch(`${this.#daemon.address}/api/v1${target}`, {
      method,
      signal,
      headers: {
        ...(this.#token && { Authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const type = response.headers.get("content-type");
    return { status: response.status, type, text, body: /json/.test(type) && text ? JSON.parse(text) : undefined };
  }

  // A request whose answer must be what the document says.
  async call(method, target, body, headers) {
    const answer = await this.raw(method, target, body, headers);
    this.conforms(method, target, answer);
    return answer;
  }

  // The same for one that must succeed. Returns the body.
  async ok(method, target, body) {
    const answer = await this.call(method, target, body);
    assert.ok(answer.status < 300, `${method} ${target}: ${answer.text}`);
    return answer.body;
  }

  conforms(method, target, { status, type, body, text }) {
    const path = target.split("?")[0];
    const found = this.#paths.find(({ pattern }) => pattern.test(path));
    const operation = found?.operations[method.toLowerCase()];
    if (operation && status < 300) this.succeeded.add(`${method} ${found.path}`);
    const response = operation?.responses[status] ?? operation?.responses.default ?? { content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } } };
    const [expected, { schema }] = Object.entries(response.content)[0];
    assert.equal(type, expected, `${method} ${target}: ${status} ${text}`);
    const name = schema.$ref.split("/").at(-1);
    const validate = this.#schemas.getSchema(`document#/components/schemas/${name}`);
    assert.ok(validate(/json/.test(type) ? body : text), `${method} ${target}: ${text} is no ${name}: ${JSON.stringify(validate.errors)}`);
  }

  // The same, but a request is repeated while the daemon is away. Only for what does no harm twice.
  patient() {
    return new PatientApi(this);
  }

  // The offset at which the input was taken.
  async send(terminal, body) {
    return (await this.ok("POST", `/terminals/${encodeURIComponent(terminal)}/send`, body)).offset;
  }

  async wait(terminal, query) {
    return await this.ok("GET", `/terminals/${encodeURIComponent(terminal)}/wait?${asQuery(query)}`);
  }

  // Returns when so many requests wait.
  async waiting(count) {
    await until(async () => (await this.#metric("holdfast_waiting_requests")) === count, `${count} requests to wait`);
  }

  async #metric(name) {
    const response = await fetch(`${this.#daemon.address}/metrics`, { headers: { Authorization: `Bearer ${this.#daemon.token}` } });
    return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(await response.text())[1]);
  }

  async screen(terminal) {
    return (await this.ok("GET", `/terminals/${encodeURIComponent(terminal)}/capture`)).text;
  }
}

class PatientApi {
  #api;
  answered = 0;

  constructor(api) {
    this.#api = api;
  }

  async patiently(method, target, body) {
    for (const end = Date.now() + 60_000; ; ) {
      try {
        const answer = await this.#api.call(method, target, body);
        this.answered += 1;
        if (answer.status < 300) return answer.body;
        assert.equal(answer.status, 503, answer.text);
      } catch (error) {
        // The connection was cut.
        if (error instanceof assert.AssertionError || Date.now() > end) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async send(terminal, body) {
    return (await this.patiently("POST", `/terminals/${terminal}/send`, body)).offset;
  }

  async wait(terminal, query) {
    return await this.patiently("GET", `/terminals/${terminal}/wait?${asQuery(query)}`);
  }
}

// Numbers that look random and are the same each time.
export function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// A client with a token of its own, and the start of the token's hash.
export async function another(daemon, ...args) {
  const before = await hashes(daemon);
  const token = (await daemon.shell("token", "new", ...args)).stdout.trim();
  const [hash] = (await hashes(daemon)).filter((each) => !before.includes(each));
  return { api: await Api.of(daemon, token), hash };
}

const hashes = async (daemon) => (await daemon.shell("token", "list")).stdout.split("\n").map((line) => line.split("\t")[0]);

// Only percent-encoding is decoded there, not a plus.
export const asQuery = (values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

export async function withApi(use, options = {}) {
  // The tests ask faster than programs should.
  const daemon = await Daemon.start({ args: ["--request-rate-limit", "100000"], ...options });
  try {
    await use(await Api.of(daemon), daemon);
  } catch (error) {
    error.message += `\n--- the daemon said:\n${daemon.said.slice(-4000)}`;
    throw error;
  } finally {
    await daemon.stop();
  }
  assert.doesNotMatch(daemon.said, /Sanitizer|Assertion|terminate called/);
}

// Functions that run a command: any, one that succeeds, one that is refused.
export async function withCommands(use, options) {
  await withApi(async (api, daemon) => {
    const run = async (...args) => {
      const { code, stdout, stderr } = await daemon.shell(...args);
      return { code, stdout, stderr };
    };
    const ok = async (...args) => {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stderr], [0, ""], args.join(" "));
      return stdout;
    };
    const refused = async (expected, ...args) => {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stdout], [1, ""], args.join(" "));
      assert.match(stderr, expected);
    };
    await use({ run, ok, refused, api, daemon });
  }, options);
}
