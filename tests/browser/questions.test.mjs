// What extensions show and ask. A question comes at any moment: nothing that was typed for the terminal
// answers it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { withAnswers } from "./doubles.mjs";
import { images, limit, shared, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const viewport = { width: 1000, height: 560 };
const there = "Control+Shift+ArrowDown";

// A page that is asked what the test says; `answered` has the answers.
function withQuestions(use) {
  const answered = [];
  return withPage(
    fixture,
    (page, _, { say }) => use(page, { answered, say, ask: (question) => say("ui_request", { session: "main", extension: "ship", ...question }) }),
    {
      viewport,
      prepare: (context) =>
        withAnswers(context, fixture.daemon.address, {
          commands: ({ session }) => ({ type: "commands", data: { session, commands: [] } }),
          ui_answer: (data) => {
            answered.push(data);
            return { type: "pong", data: {} };
          },
        }),
    },
  );
}

const isAsked = (page, title) => page.page.locator(".hf-question").filter({ hasText: title }).waitFor();
const isGone = (page) => until(async () => !(await page.page.$(".hf-question")), "no question");
const focused = (page) => page.page.evaluate(() => document.activeElement.textContent || document.activeElement.className);

test("a question that comes while someone types gets none of the keys", limit, () =>
  withQuestions(async (page, { ask, answered }) => {
    await page.type("echo one");
    ask({ id: "q1", kind: "confirm", title: "Deploy to production?" });
    await isAsked(page, "Deploy to production?");
    // A space would press the button, Enter too, y is for yes.
    await page.type(" two y");
    await page.press("Enter");
    await page.sees(/^one two y$/);
    ask({ id: "q2", kind: "input", title: "Which tag?" });
    ask({ id: "q3", kind: "select", title: "Where to?", options: ["production"] });
    await page.type("echo three");
    await page.press("Enter");
    await page.sees(/^three$/);
    assert.deepEqual(answered, []);
    assert.equal(await page.page.inputValue(".xterm-helper-textarea"), "");
    await page.page.waitForSelector("text=Extension ship asks · 2 more");
    await page.page.waitForSelector("text=Press Ctrl+Shift+↓ or click to answer.");
  }));

test("a person goes there, finds the safe answer chosen, and comes back to the terminal", limit, () =>
  withQuestions(async (page, { ask, answered, say }) => {
    ask({ id: "q1", kind: "select", title: "Deploy where?", message: "Both are healthy.", options: ["staging", "production"], default: "staging" });
    await isAsked(page, "Deploy where?");
    await page.drawn();
    await page.page.screenshot({ path: `${images}question.png` });
    await page.press(there);
    assert.equal(await focused(page), "Cancel");
    await page.press("Shift+Tab", "Enter");
    await isGone(page);

    ask({ id: "q2", kind: "input", title: "Which tag?", placeholder: "v1.2" });
    await isAsked(page, "Which tag?");
    await page.press(there);
    await page.type("v2.0");
    await page.press("Enter");
    await isGone(page);

    ask({ id: "q3", kind: "confirm", title: "Really?", timeoutMs: 30_000 });
    await page.page.waitForSelector("text=Closes unanswered in 30 s.");
    await page.press(there);
    assert.equal(await focused(page), "No");
    await page.press("Enter");
    await isGone(page);

    ask({ id: "q4", kind: "confirm", title: "And by mouse?" });
    await page.page.click(".hf-question >> text=Yes");
    await isGone(page);

    ask({ id: "q5", kind: "confirm", title: "And now?" });
    await isAsked(page, "And now?");
    await page.press(there, "Escape");
    await isGone(page);

    ask({ id: "q6", kind: "confirm", title: "Answered elsewhere?" });
    await isAsked(page, "Answered elsewhere?");
    say("ui_closed", { id: "q6" });
    await isGone(page);
    await until(() => answered.length === 5, "the answers");
    assert.deepEqual(answered, [
      { id: "q1", value: "production" },
      { id: "q2", value: "v2.0" },
      { id: "q3", value: false },
      { id: "q4", value: true },
      { id: "q5", value: null },
    ]);
    await page.run("echo focus $((60 + 6))");
    await page.sees("focus 66");
  }));

test("a question of a command that runs is within reach while the command bar is open", limit, () =>
  withQuestions(async (page, { ask, answered }) => {
    await page.press("Control+Shift+k");
    await page.type("theme");
    ask({ id: "q1", kind: "confirm", title: "Deploy?" });
    await isAsked(page, "Deploy?");
    await page.type(" li");
    assert.equal(await page.page.inputValue("dialog input"), "theme li");
    await page.press(there, "Tab", "Enter");
    await isGone(page);
    await until(() => answered.length === 1, "the answer");
    assert.deepEqual(answered, [{ id: "q1", value: true }]);
  }));

test("notices and the status bar are reached with keys, and left with Escape", limit, () =>
  withQuestions(async (page, { say }) => {
    say("notify", { session: "main", level: "error", text: "The disk is full." });
    await page.page.waitForSelector("text=The disk is full.");
    await page.press(there, "Enter");
    await until(async () => !(await page.page.isVisible("text=The disk is full.")), "the notice to go");
    await until(async () => (await focused(page)) === "xterm-helper-textarea", "the focus in the terminal");
    say("notify", { session: "main", level: "error", text: "It is full again." });
    await page.page.waitForSelector("text=It is full again.");
    await page.press(there, there);
    assert.equal(await page.page.evaluate(() => !!document.activeElement.closest(".hf-status")), true);
    await page.press("Tab", "Escape");
    await page.run("echo focus $((80 + 8))");
    await page.sees("focus 88");
  }));
