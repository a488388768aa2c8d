// Single messages of this client, and what must not happen: an error with an id kills a tab.

import assert from "node:assert/strict";
import { test } from "node:test";

import { answers } from "./checks.mjs";
import { cases, limit, shared, withPage } from "./fixture.mjs";
import { start } from "./programs.mjs";

const fixture = shared();
const daemon = () => fixture.daemon;
const size = { rows: 34, cols: 128 };

const renames = [
  { name: "a bell", to: "a\x07b" },
  { name: "an escape sequence", to: "\x1b[31mred\x1b[0m" },
  { name: "a line break", to: "a\nb" },
  { name: "60 characters", to: "x".repeat(60), is: "x".repeat(50) },
  { name: "20 emoji, each of three code points", to: "👩‍💻".repeat(20) },
  { name: "nothing but control characters", to: "\x01\x02" },
];
cases(
  "a name that a tab cannot show is cleaned and cut, not refused",
  daemon,
  renames.map((each) => ({ ...each, ...size })),
  async (page, { to, is }) => {
    page.rename(page.active, to);
    await page.settled();
    await page.connected(1);
    await answers(page);
    const name = await nameOf(page.active.serverId);
    if (is !== undefined) assert.equal(name, is);
    assert.doesNotMatch(name, /\p{Cc}/u);
    assert.ok([...name].length <= 50);
  },
);

test("a size for a terminal that is not there, or that has exited, is not answered", limit, () =>
  withPage(fixture.daemon, { ...size, name: "resize" }, async (page) => {
    await page.newTab();
    const exited = page.active.serverId;
    await page.prompted();
    page.type("exit 3\r");
    await page.connected(1);
    for (const sessionId of [exited, "nobody-knows-this-one"]) {
      const answer = await said({ type: "resize", sessionId, data: { rows: 34, cols: 128 } });
      assert.deepEqual(answer, []);
    }
  }));

test("an id may have a colon", limit, async () => {
  const sessionId = "tab.v2:abc-123_DEF";
  const [created] = await said({ type: "create_session", data: { sessionId, rows: 24, cols: 80 } }, "session_created");
  assert.equal(created.data?.sessionId, sessionId);
  const [closed] = await said({ type: "close_session", data: { sessionId } }, "session_closed");
  assert.equal(closed.data?.sessionId, sessionId);
});

// Wrapped to ten columns they would need 22,000 rows, more than any history has.
test("2,000 lines of 107 characters stay while their tab is in the background", limit, () =>
  withPage(fixture.daemon, { ...size, name: "history" }, async (page) => {
    await start(page, { command: "for i in $(seq 1 2000); do printf 'w %0104d.\\n' $i; done", there: "02000." });
    await page.newTab();
    await page.settled();
    await page.refresh();
    await page.connected(2);
    page.show(page.tabs[0]);
    await page.settled();
    await page.refresh();
    await page.connected(2);
    await page.settled();
    const numbers = [...page.tabs[0].heard.matchAll(/w (0\d+)\./g)].map(([, number]) => Number(number));
    assert.deepEqual(
      numbers,
      Array.from({ length: 2000 }, (_, index) => index + 1),
    );
  }));

// The daemon's answers to another client's message: everything until its pong, and the wanted
// reply.
async function said(message, wanted) {
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.daemon.port}/terminal/ws/multi?token=${fixture.daemon.token}`);
  const replies = [];
  const done = Promise.withResolvers();
  socket.onopen = () => {
    socket.send(JSON.stringify(message));
    socket.send(JSON.stringify({ type: "ping" }));
  };
  socket.onmessage = ({ data }) => {
    replies.push(JSON.parse(data));
    const types = replies.map(({ type }) => type);
    if (types.includes("pong") && (!wanted || types.includes(wanted) || types.includes("error"))) done.resolve();
  };
  socket.onclose = () => done.reject(new Error("the connection has ended"));
  await done.promise;
  socket.onclose = null;
  socket.close();
  return replies.filter(({ type }) => type !== "pong" && type !== "output");
}

async function nameOf(id) {
  const { terminals } = await fixture.daemon.asking((ask) => ask("list"));
  return terminals.find(({ terminalId }) => terminalId === id).name ?? "";
}
