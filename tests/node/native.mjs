// A client of the native protocol that shows one session and records everything it is sent.

import { until } from "./until.mjs";

export class Native {
  // Events in order: {type, data}.
  events = [];
  closed = false;
  session;
  #socket;
  #waiting = new Map();
  #last = 0;

  // Connects and shows that session, or none with `session: null`.
  static async connect(daemon, session = "main", token = daemon.token) {
    const client = new Native();
    await until(() => client.#open(daemon.port, token), "the daemon to take a connection");
    client.session = session;
    if (session !== null) await client.ask("commands", { session });
    return client;
  }

  async #open(port, token) {
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/ws?token=${token}`, "holdfast.v1");
    this.#socket.onmessage = ({ data }) => typeof data === "string" && this.#received(JSON.parse(data));
    await new Promise((resolve, reject) => {
      this.#socket.onopen = resolve;
      this.#socket.onerror = () => reject(new Error("the daemon is not there"));
    });
    this.#socket.onclose = () => {
      this.closed = true;
      for (const { reject } of this.#waiting.values()) reject(new Error("the connection has ended"));
      this.#waiting.clear();
    };
    return true;
  }

  #received({ type, request, data }) {
    const waiting = this.#waiting.get(request);
    if (!waiting) {
      this.events.push({ type, data });
      return;
    }
    this.#waiting.delete(request);
    if (type === "error") waiting.reject(Object.assign(new Error(data.error), data));
    else waiting.resolve(data);
  }

  // Returns the answer's data. Throws if the answer is an error.
  ask(type, data = {}) {
    return this.begin(type, data).answer;
  }

  // The same, with the request's number, by which it can be cancelled.
  begin(type, data = {}) {
    const request = ++this.#last;
    if (this.closed) return { request, answer: Promise.reject(new Error("the connection has ended")) };
    const answer = new Promise((resolve, reject) => this.#waiting.set(request, { resolve, reject }));
    answer.catch(() => {}); // A test that kills the daemon need not wait for it.
    this.tell(type, data, request);
    return { request, answer };
  }

  tell(type, data, request) {
    this.#socket.send(JSON.stringify({ type, request, data }));
  }

  // Sends keys to an attached terminal.
  type(channel, text) {
    const keys = Buffer.from(text);
    const frame = Buffer.alloc(13 + keys.length);
    frame.writeUInt8(3, 0);
    frame.writeUInt32LE(channel, 1);
    keys.copy(frame, 13);
    this.#socket.send(frame);
  }

  // Runs a line of the command bar: {text?, error?, exitCode?, session?}.
  run(line, session = this.session) {
    return this.ask("run", { session, line });
  }

  // The same for a line that must succeed. Returns its text.
  async ok(line, session = this.session) {
    const result = await this.run(line, session);
    if (result.error !== undefined) throw new Error(`${line}: ${result.error}`);
    return result.text;
  }

  // The first event of this type that matches, including earlier ones.
  event(type, fits = () => true, milliseconds = 10_000) {
    return until(
      () => this.events.find((each) => each.type === type && fits(each.data))?.data,
      () => `an event ${type} among ${JSON.stringify(this.events).slice(-1500)}`,
      milliseconds,
    );
  }

  all(type, fits = () => true) {
    return this.events.filter((each) => each.type === type && fits(each.data)).map(({ data }) => data);
  }

  // [level, text] of all notifications.
  get notes() {
    return this.all("notify").map(({ level, text }) => [level, text]);
  }

  note(text, milliseconds) {
    return this.event("notify", (data) => (text instanceof RegExp ? text.test(data.text) : data.text === text), milliseconds);
  }

  forget() {
    this.events = [];
  }

  // Answers the next question with this title.
  async answer(title, value) {
    const question = await this.event("ui_request", (data) => data.title === title);
    this.events = this.events.filter(({ data }) => data !== question);
    this.tell("ui_answer", { id: question.id, value });
    return question;
  }

  close() {
    this.#socket.close();
  }
}
