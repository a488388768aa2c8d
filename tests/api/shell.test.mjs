// Real shells with our integration: their prompts and commands are known, and commands can be run.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { limit, times, until, withApi } from "./fixture.mjs";

const shells = ["bash", "zsh", "fish"];

// What users have: colours, prompts of several lines, hooks of their own.
const startUp = {
  bash: {
    ".bashrc": `PS1='\\[\\e[1;32m\\]me\\[\\e[0m\\]\\n\\w \\$ '
hooked=0
own_hook() { hooked=$((hooked + 1)); last=$?; }
PROMPT_COMMAND=(own_hook 'printf "\\e]0;title\\a"')
HISTCONTROL=ignoreboth
export FROM_RC=bashrc
`,
    ".bash_profile": "export FROM_PROFILE=profile\n. ~/.bashrc\n",
  },
  zsh: {
    ".zshenv": "export FROM_ENV=zshenv\n",
    ".zshrc": `PROMPT='%F{red}%~%f
%# '
RPROMPT='%F{blue}right%f'
precmd() { hooked=$((hooked + 1)); }
preexec() { seen=$1; }
export FROM_RC=zshrc
`,
    ".zprofile": "export FROM_PROFILE=zprofile\n",
  },
  fish: {
    ".config/fish/config.fish": `set -gx FROM_RC config
status is-login; and set -gx FROM_PROFILE login
set -g fish_greeting
function fish_prompt
    set_color green; echo -n me; set_color normal; echo; echo -n '> '
end
function fish_right_prompt
    echo right
end
`,
  },
};

async function withShell(shell, use, { args = [], options = [] } = {}) {
  await withApi(
    async (api, daemon) => {
      for (const files of Object.values(startUp))
        for (const [name, text] of Object.entries(files)) {
          mkdirSync(join(daemon.home, name, ".."), { recursive: true });
          writeFileSync(join(daemon.home, name), text);
        }
      await api.ok("POST", "/terminals", { terminalId: "t", command: [shell, ...args], env: { TERM: "xterm-256color" } });
      const exec = (text) => api.ok("POST", "/terminals/t/exec", { text, timeout: 60_000 });
      const commands = async () => (await api.ok("GET", "/terminals/t/commands")).commands;
      await use({ api, daemon, exec, commands });
    },
    { args: ["--request-rate-limit", "100000", ...options] },
  );
}

// A command, what it prints and its status.
const kinds = [
  (n) => ({ command: `echo out ${n}`, output: `out ${n}\n`, status: 0 }),
  (n) => ({ command: `sh -c 'exit ${n % 256}'`, output: "", status: n % 256 }),
  (n) => ({ command: `printf 'no end ${n}'`, output: `no end ${n}`, status: 0 }),
  (n) => ({ command: `echo a${n}\necho b${n}\nsh -c 'exit 3'`, output: `a${n}\nb${n}\n`, status: 3 }),
  (n) => ({ command: `printf '\\033[31mröd ${n}\\033[0m\\n\\n%s\\n' "last; line"`, output: `röd ${n}\n\nlast; line\n`, status: 0 }),
  (n) => ({ command: `seq 1 ${(n % 100) + 1}`, output: Array.from({ length: (n % 100) + 1 }, (_, i) => `${i + 1}\n`).join(""), status: 0 }),
  (n) => ({ command: `printf '10%%\\r20%%\\r${n + 100}%%\\n'`, output: `${n + 100}%\n`, status: 0 }),
];

for (const shell of shells) {
  test(`exec in ${shell}: the output and the status of each command`, { timeout: 600_000 }, () =>
    withShell(shell, async ({ daemon, exec, commands }) => {
      const count = times(35, 334);
      let last = 0;
      for (let n = 0; n < count; n += 1) {
        const { command, output, status } = kinds[n % kinds.length](n);
        const { offset, ...answer } = await exec(command);
        assert.deepEqual(answer, { outcome: "ended", next: answer.next, exitCode: status, output, leftOut: 0 }, command);
        assert.ok(offset > last);
        last = offset;
        if (n % 10 === 9) {
          await daemon.kill();
          await daemon.run();
        }
      }
      const listed = await commands();
      assert.equal(listed.length, count);
      listed.forEach((each, n) => {
        const { command, status } = kinds[n % kinds.length](n);
        assert.equal(each.exitCode, status);
        assert.equal(each.directory, daemon.home);
        if (shell !== "bash" || !command.includes("\n")) assert.equal(each.text, command);
        assert.ok(n === 0 || each.start > listed[n - 1].end);
      });
    }));

  test(`${shell} reads its user's files as without us`, limit, async () => {
    for (const args of [[], ["-l"]])
      await withShell(
        shell,
        async ({ exec }) => {
          const { output } = await exec("env");
          const value = (name) => new RegExp(`^${name}=(.*)$`, "m").exec(output)?.[1];
          assert.ok(value("FROM_RC"), output);
          assert.equal(value("FROM_PROFILE") !== undefined, args.length > 0, output);
          if (shell === "zsh") assert.equal(value("FROM_ENV"), "zshenv");
          for (const name of ["ENV", "POSIXLY_CORRECT", "ZDOTDIR", "XDG_DATA_DIRS", "HOLDFAST_SHELL_\\w*"]) assert.equal(value(name), undefined, `${name}: ${output}`);
          if (shell !== "fish") assert.equal((await exec("echo $((hooked > 0))")).output, "1\n");
        },
        { args },
      );
  });

  test(`what cannot be run in ${shell} is refused`, limit, () =>
    withShell(shell, async ({ api, exec }) => {
      assert.equal((await exec("echo ready")).output, "ready\n");
      // Not a command for this shell.
      const wrong = await exec(shell === "fish" ? "if true; end end" : "if true; fi fi");
      assert.equal(wrong.outcome, "refused");
      if (shell !== "fish") assert.equal((await exec("echo 'open")).outcome, "incomplete");
      await until(async () => (await api.ok("GET", "/terminals/t/commands")).state === "prompt", "the prompt");
      // What somebody left at the prompt is not part of the command.
      await api.send("t", { text: "echo left " });
      assert.equal((await exec("echo mine")).output, "mine\n");
      const since = await api.send("t", { text: "cat", enter: true });
      await until(async () => (await api.ok("GET", "/terminals/t/commands")).state === "running", "cat to run");
      const busy = await api.call("POST", "/terminals/t/exec", { text: "ls" });
      assert.equal(busy.status, 409);
      assert.match(busy.body.detail, /not at its prompt; it runs: cat\./);
      await api.send("t", { keys: ["C-d"] });
      const ended = await api.wait("t", { commandEnd: true, since });
      assert.deepEqual([ended.outcome, ended.exitCode], ["command_ended", 0]);
      assert.equal((await api.wait("t", { commandEnd: true, since: ended.offset, timeout: 0 })).outcome, "timed_out");
      assert.equal((await api.wait("t", { prompt: true, since })).outcome, "prompt");
    }));

  test(`the daemon is killed while ${shell} runs a command`, limit, () =>
    withShell(shell, async ({ daemon, exec, commands }) => {
      await exec("true");
      for (let round = 0; round < times(2, 20); round += 1) {
        const file = join(daemon.home, `go${round}`);
        const running = daemon.shell("--no-start", "exec", "t", "--", `sh -c 'echo before; while [ ! -e ${file} ]; do sleep 0.05; done; echo after; exit 7'`);
        await until(async () => (await commands()).length === 2 + round, "it to run");
        await daemon.kill();
        writeFileSync(file, "");
        await daemon.run();
        assert.deepEqual(await running, { code: 7, stdout: "before\nafter\n", stderr: "" });
      }
      const listed = await commands();
      assert.deepEqual(
        listed.slice(1).map((each) => each.exitCode),
        Array(times(2, 20)).fill(7),
      );
    }));
}

// A file that is shown must not pass for the end of the command that shows it.
test("marks that are not the shell's own count for nothing", limit, () =>
  withShell("bash", async ({ daemon, exec, commands }) => {
    await exec("true");
    const file = join(daemon.home, "evil");
    writeFileSync(file, "\x1b]133;D;0\x07\x1b]133;C;cmdline_url=rm\x07\x1b]133;D;0;aid=1\x07text\n");
    const { exitCode, output } = await exec(`cat ${file}; sh -c 'exit 5'`);
    assert.deepEqual([exitCode, output], [5, "text\n"]);
    assert.equal((await commands()).length, 2);
  }));

test("bash has the same settings as without us", limit, async () => {
  const asked = "{ shopt; set -o; echo $HISTFILE $MAILCHECK $HISTSIZE; alias; trap; } > settings";
  const settings = [];
  for (const integrated of [true, false])
    for (const args of [[], ["-l"]])
      await withShell(
        "bash",
        async ({ api, daemon }) => {
          const since = await api.send("t", { text: `${asked}; echo do''ne`, enter: true });
          await api.wait("t", { text: "^done$", since });
          settings.push(readFileSync(join(daemon.home, "settings"), "utf8").replaceAll(daemon.home, "~"));
          assert.equal((await api.ok("GET", "/terminals/t/commands")).commands.length > 0, integrated);
        },
        { args, options: ["--shell-integration", String(integrated)] },
      );
  assert.match(settings[1], /^login_shell\s+on$/m);
  assert.deepEqual(settings.slice(0, 2), settings.slice(2));
});

test("without integration, everything says why not", limit, () =>
  withShell(
    "bash",
    async ({ api, daemon }) => {
      for (const [method, path, body] of [
        ["POST", "/exec", { text: "ls" }],
        ["GET", "/exec?since=0", undefined],
        ["GET", "/wait?prompt=true", undefined],
        ["GET", "/wait?commandEnd=true", undefined],
      ]) {
        const answer = await api.call(method, `/terminals/t${path}`, body);
        assert.equal(answer.status, 409, path);
        assert.match(answer.body.detail, /does not mark its prompts and commands\. .*shell_integration/);
      }
      assert.deepEqual(await api.ok("GET", "/terminals/t/commands"), { state: "unknown", commands: [] });
      assert.match((await daemon.shell("capture", "t", "--last-command")).stderr, /no command is known/);
    },
    { options: ["--shell-integration", "false"] },
  ));

test("the commands of the command line", limit, () =>
  withShell("bash", async ({ daemon }) => {
    assert.deepEqual(await daemon.shell("exec", "t", "--", "echo", "hello;", "(exit 3)"), { code: 3, stdout: "hello\n", stderr: "" });
    assert.deepEqual(await daemon.shell("exec", "t", "printf 'a\\tb'"), { code: 0, stdout: "a\tb", stderr: "" });
    assert.equal((await daemon.shell("capture", "t", "--last-command")).stdout, "a\tb");
    assert.match((await daemon.shell("commands", "t")).stdout, /^\d+\t\d+\t3\t[-\d:T.Z]+\t\/.*\techo hello; \(exit 3\)\n\d+\t\d+\t0\t/);
    const { commands } = JSON.parse((await daemon.shell("commands", "t", "--json", "--limit", "1")).stdout);
    assert.deepEqual(
      commands.map(({ text, exitCode }) => [text, exitCode]),
      [["printf 'a\\tb'", 0]],
    );
    assert.equal((await daemon.shell("wait", "t", "--prompt", "--since", "0")).code, 0);
    assert.equal((await daemon.shell("wait", "t", "--prompt", "--timeout", "50ms")).code, 124);
    assert.equal((await daemon.shell("wait", "t", "--command-end", "--since", "0")).code, 0);
    const incomplete = await daemon.shell("exec", "t", "--", "echo 'open");
    assert.deepEqual([incomplete.code, incomplete.stdout], [1, ""]);
    assert.match(incomplete.stderr, /incomplete/);
    assert.equal((await daemon.shell("exec", "t", "--", "echo", "again")).stdout, "again\n");
  }));

test("commands outlive a reboot", limit, () =>
  withShell("bash", async ({ api, daemon, exec, commands }) => {
    await exec("echo one");
    await exec("sh -c 'exit 4'");
    const before = await commands();
    await daemon.kill("SIGTERM");
    await daemon.killKeeper();
    await daemon.run();
    const former = before.map((each) => ({ ...each, start: null, end: null }));
    assert.deepEqual(await commands(), former);
    await api.ok("POST", "/terminals/t/restore", {});
    assert.equal((await exec("echo two")).output, "two\n");
    const [last, ...others] = (await commands()).reverse();
    assert.deepEqual(others.reverse(), former);
    assert.equal(last.text, "echo two");
    await daemon.kill();
    await daemon.run();
    // The daemon may have been killed before it had noted when that was.
    const timeless = ({ startedAt, endedAt, ...others }) => others;
    assert.deepEqual((await commands()).map(timeless), [...former, last].map(timeless));
  }));
