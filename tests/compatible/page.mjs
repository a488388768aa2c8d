// A page of tabs that speaks the compatible protocol as existing browser clients do: the same
// messages in the same order, at the same moments, with an xterm.js for each tab. README.md
// describes that behaviour.

import { randomUUID } from "node:crypto";

import { until } from "../node/until.mjs";
import { Screen } from "./screen.mjs";

// The size of a tab that is not displayed, as a browser lays it out.
const hidden = { rows: 5, cols: 10 };
const framesUntilFocus = 33;
const observerDelay = 100;
const lateness = 30;
// The real client waits 3 s; the daemon does not notice.
const reconnectDelay = 50;

export class Page {
  // Every message sent or received, to explain failures.
  told = [];
  // Close codes of connections that the page did not close.
  closes = [];
  // All that survives a refresh: names and ids of tabs, in order.
  #stored = [];
  #tabs = new Map();
  #active;
  #counter = 1;
  #address;
  #size;
  #fits;
  #socket;
  #left = false;
  #listing = false;
  // Whether this connection has received the list.
  #listed = false;
  #changed = false;
  #timers = new Set();
  #pongs = 0;

  // `fits`: whether the page is laid out "before" the scrollback arrives, or "after", at the size
  // it claimed at first. A "late" page learns its own tabs late, and misses output for them
  // meanwhile.
  constructor(address, { rows, cols, fits = "before" }) {
    this.#address = address;
    this.#size = { rows, cols };
    this.#fits = fits;
  }

  static async open(address, options) {
    const page = new Page(address, options);
    page.#connect();
    await page.connected(1);
    return page;
  }

  get tabs() {
    return [...this.#tabs.values()];
  }

  get names() {
    return this.tabs.map(({ name }) => name);
  }

  get active() {
    return this.#tabs.get(this.#active);
  }

  get screen() {
    return this.active.screen;
  }

  // --- user actions

  async newTab() {
    const count = this.#tabs.size;
    this.#send("create_session", { sessionId: this.#addTab().id, rows: 24, cols: 80 });
    this.#change();
    await this.connected(count + 1);
  }

  show(tab) {
    this.#activate(tab.id);
    this.#change();
  }

  rename(tab, name) {
    tab.name = name.slice(0, 50);
    this.#store();
    this.#send("rename_session", { sessionId: outbound(tab), name });
    this.#change();
  }

  type(text, tab = this.active) {
    tab.heard = "";
    this.#send("input", { data: text }, outbound(tab));
  }

  async refresh() {
    this.close();
    for (const { screen } of this.tabs) screen.dispose();
    this.#tabs.clear();
    this.#left = false;
    this.#listing = false;
    this.#listed = false;
    this.#connect();
    await until(() => this.#tabs.size > 0, "the page to show tabs");
  }

  close() {
    this.#left = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#socket.close();
  }

  // --- what a test waits for

  async connected(count) {
    const broken = () => this.tabs.find(({ status }) => status === "error");
    await until(
      () => broken() || (this.#listed && this.#tabs.size === count && this.tabs.every(({ status }) => status === "connected")),
      () => `${count} tabs to be connected, of ${JSON.stringify(this.tabs.map(({ name, status }) => [name, status]))}`,
    );
    if (broken()) throw new Error(`the tab "${broken().name}" is dead: ${broken().error}`);
  }

  async disconnected() {
    await until(() => this.#socket.readyState !== WebSocket.OPEN, "the page to notice");
  }

  // The layout is done, the daemon has answered everything, and the screens show it.
  async settled() {
    await until(() => !this.#changed && this.#timers.size === 0, "the page to be laid out");
    const pongs = this.#pongs;
    this.#send("ping");
    await until(() => this.#pongs > pongs, "the daemon to answer");
    await this.drawn();
  }

  async drawn() {
    for (const { screen } of this.tabs) await screen.write("");
  }

  async sees(pattern, screen = this.screen) {
    const fits = (line) => (pattern instanceof RegExp ? pattern.test(line) : line.includes(pattern));
    await until(
      async () => {
        await screen.write("");
        return screen.lines().some(fits);
      },
      () => `the screen to show ${pattern}, which shows\n${screen.lines().slice(-30).join("\n")}`,
    );
  }

  // The visible tab's output ends with that text and a prompt, so typed text goes to the shell.
  // This looks at what arrived, not at what is shown, which may be wrong.
  async prompted(after = "") {
    const { active } = this;
    const written = () => active.heard.replaceAll(/\x1b(\[[0-?]*[ -/]*[@-~]|\].*?(\x07|\x1b\\)|[ -/]*[0-~])/g, "");
    await until(
      () => /ready>\s*$/.test(written()) && written().includes(after),
      () => `the shell to write a prompt, after ${JSON.stringify(active.heard.slice(-300))}`,
    );
  }

  // --- the connection

  #connect() {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onopen = () => this.#opened();
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#received(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (this.#left || socket !== this.#socket) return;
      this.#note("closed", `${code}`);
      this.closes.push(code);
      this.#listing = false;
      this.#listed = false;
      for (const tab of this.tabs) tab.heard = "";
      this.#change();
      this.#later(reconnectDelay, () => this.#connect());
    };
  }

  #opened() {
    this.#change();
    if (this.#listing) return;
    this.#listing = true;
    this.#send("list_sessions");
  }

  #send(type, data, sessionId) {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const message = { type, sessionId, data };
    this.#note(">", summary(message));
    this.#socket.send(JSON.stringify(message));
  }

  #received(message) {
    this.#note("<", summary(message));
    const { type, sessionId, data } = message;
    if (type === "session_list") this.#matched(data.sessions);
    else if (type === "session_created" || type === "session_reattached") this.#attached(data.sessionId);
    else if (type === "scrollback") void this.#scrollback(this.#tabOf(sessionId), data.data);
    else if (type === "output") this.#output(this.#tabOf(sessionId), data.data);
    else if (type === "session_closed") this.#removeTab(this.#tabOf(data.sessionId));
    else if (type === "error") this.#failed(this.#tabOf(sessionId), data);
    else if (type === "pong") ++this.#pongs;
  }

  // Matches the server's terminals with the page's tabs or, after a refresh, the stored ones.
  #matched(sessions) {
    this.#listing = false;
    this.#listed = true;
    const running = new Map(sessions.filter(({ status }) => status !== "exited").map((each) => [each.sessionId, each]));
    if (this.#tabs.size === 0) {
      const stored = this.#stored;
      if (stored.some(({ serverId }) => serverId) || running.size === 0) for (const { name, serverId } of stored) this.#addTab(name, serverId);
    }
    if (this.#tabs.size === 0 && running.size === 0) {
      this.#send("create_session", { sessionId: this.#addTab().id, rows: 24, cols: 80 });
    } else {
      for (const tab of this.tabs) {
        if (running.delete(tab.serverId)) this.#reattach(tab);
        else this.#send("create_session", { sessionId: tab.id, rows: 24, cols: 80, name: tab.name });
      }
      for (const { sessionId, name } of running.values()) this.#reattach(this.#addTab(name, sessionId));
    }
    this.#change();
  }

  #reattach(tab) {
    tab.status = "reconnecting";
    tab.awaitsScrollback = true;
    this.#send("reattach_session", { sessionId: tab.serverId, rows: tab.screen.rows, cols: tab.screen.cols });
  }

  #attached(serverId) {
    const tab = this.#tabOf(serverId);
    if (!tab) return;
    tab.status = "connected";
    tab.serverId = serverId;
    this.#store();
    this.#change();
  }

  async #scrollback(tab, data) {
    if (!tab) return;
    tab.heard = data;
    await tab.screen.write(data);
    tab.awaitsScrollback = false;
    if (this.#fits === "after") this.#change();
  }

  #output(tab, data) {
    if (!tab) return;
    tab.heard += data;
    void tab.screen.write(data);
  }

  // Whatever the error is about, the tab now shows it instead of its terminal.
  #failed(tab, data) {
    if (!tab) return;
    tab.status = "error";
    tab.error = JSON.stringify(data);
    tab.awaitsScrollback = false;
    this.#change();
  }

  // --- the tabs

  #tabOf(sessionId) {
    return this.#tabs.get(sessionId) ?? this.tabs.find(({ drawn, serverId }) => drawn && serverId === sessionId);
  }

  #addTab(name, serverId) {
    const tab = { id: randomUUID(), name: name || `Terminal ${this.#counter}`, serverId, status: "connecting", heard: "", drawn: this.#fits !== "late" };
    ++this.#counter;
    tab.screen = new Screen({ answer: (data) => this.type(data, tab), focused: () => this.#active === tab.id });
    this.#tabs.set(tab.id, tab);
    this.#activate(tab.id);
    this.#store();
    return tab;
  }

  #removeTab(tab) {
    if (!tab) return;
    const after = this.tabs[this.tabs.indexOf(tab) + 1] ?? this.tabs[this.tabs.indexOf(tab) - 1];
    this.#tabs.delete(tab.id);
    tab.screen.dispose();
    this.#store();
    if (this.#active === tab.id && after) this.#activate(after.id);
    this.#change();
  }

  #activate(id) {
    this.active?.screen.blur();
    this.#active = id;
    this.#later(framesUntilFocus, () => {
      this.#fit(this.active);
      this.active?.screen.focus();
    });
  }

  #store() {
    this.#stored = this.tabs.map(({ name, serverId }) => ({ name, serverId }));
  }

  // --- the layout

  #change() {
    this.#changed = true;
    if (this.#fits === "late") this.#later(lateness, () => this.#layOut());
    else queueMicrotask(() => this.#layOut());
  }

  // Every layout change fits every tab again and sends its size, visible or not.
  #layOut() {
    if (!this.#changed || this.#left) return;
    this.#changed = false;
    for (const tab of this.tabs) {
      tab.drawn = true;
      this.#fit(tab);
    }
    this.#later(observerDelay, () => this.#fit(this.active));
  }

  #fit(tab) {
    if (!tab || tab.status === "error") return;
    if (this.#fits === "after" && tab.awaitsScrollback) return;
    tab.screen.resize(tab.id === this.#active ? this.#size : hidden);
    this.#send("resize", { rows: tab.screen.rows, cols: tab.screen.cols }, outbound(tab));
  }

  #later(milliseconds, action) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, milliseconds);
    this.#timers.add(timer);
  }

  #note(direction, what) {
    this.told.push(`${Math.round(performance.now())} ${direction} ${what}`);
  }
}

function outbound({ id, serverId }) {
  return serverId ?? id;
}

// A message on one line: its type, the start of its id, its size, the start and end of its text.
function summary({ type, sessionId, data = {} }) {
  const id = (sessionId ?? data.sessionId ?? "").slice(0, 8);
  const size = data.rows ? `${data.rows}x${data.cols}` : "";
  const text = typeof data.data === "string" ? `${data.data.length} ${JSON.stringify(data.data.slice(0, 50))}…${JSON.stringify(data.data.slice(-50))}` : "";
  const rest = data.sessions ? data.sessions.map((each) => `${each.sessionId.slice(0, 8)} ${each.status}`).join() : (data.error ?? data.reason ?? data.name ?? "");
  return [type, id, size, text, rest, data.details].filter(Boolean).join(" ");
}
