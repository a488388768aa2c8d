// Sandboxes with bubblewrap: a private directory, the system's programs read-only, no network, no
// view of other processes. `! cmd` runs in the attached one, and its terminal is a shell in it.
// Their records are in `session.state`.

import { mkdir, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

import type { Context, ExtensionAPI, SessionContext, UI } from "@holdfast/extension";

interface Sandbox {
  name: string;
  directory: string;
  /** A shell in it. The sandbox outlives it. */
  terminal?: string;
}

const prefix = "sandbox:";
const base = join(process.env.XDG_DATA_HOME || join(homedir(), ".local/share"), "holdfast/sandboxes");
// The files of /etc that programs need to run.
const etc = [
  "alternatives",
  "group",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "nsswitch.conf",
  "passwd",
];

const shellName = (name: string) => `sandbox ${name}`;

function bwrap({ name, directory }: Sandbox, command: string[]): string[] {
  return [
    "bwrap",
    ...["--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--hostname", name],
    ...["--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/sbin", "/sbin"],
    ...["--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"],
    ...etc.flatMap((file) => ["--ro-bind-try", `/etc/${file}`, `/etc/${file}`]),
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--bind", directory, "/work", "--chdir", "/work"],
    ...["--clearenv", "--setenv", "PATH", "/usr/bin:/usr/sbin", "--setenv", "HOME", "/work"],
    ...["--setenv", "TERM", "xterm-256color", "--setenv", "PS1", `${name}$ `],
    "--",
    ...command,
  ];
}

export default function (pi: ExtensionAPI, session: SessionContext) {
  const { resources, state, terminals } = session;

  const held = () => resources.list().flatMap(({ key }) => resources.get<Sandbox>(key) ?? []);
  const find = (name: string) => {
    const sandbox = resources.get<Sandbox>(prefix + name);
    if (!sandbox) throw new Error(`There is no sandbox ${name}. See /sandbox list.`);
    return sandbox;
  };

  async function make(name: string): Promise<Sandbox> {
    const sandbox: Sandbox = { name, directory: join(base, session.id, name) };
    await mkdir(sandbox.directory, { recursive: true });
    const [program = "", ...args] = bwrap(sandbox, ["true"]);
    const tried = await pi.exec(program, args).catch((error) => ({ code: 127, stderr: String(error) }));
    if (tried.code !== 0) throw new Error(`bubblewrap cannot run here: ${tried.stderr.trim()}`);
    await state.set(prefix + name, sandbox);
    sandbox.terminal = (await terminals.create({ command: bwrap(sandbox, ["sh", "-i"]), name: shellName(name) })).id;
    await state.set(prefix + name, sandbox);
    return sandbox;
  }

  async function shellOf({ name, terminal }: Sandbox) {
    const all = await terminals.list();
    return all.find((each) => (terminal ? each.id === terminal : each.name === shellName(name)));
  }

  async function end(sandbox: Sandbox) {
    await (await shellOf(sandbox))?.close();
    await rm(sandbox.directory, { recursive: true, force: true });
    await state.delete(prefix + sandbox.name);
  }

  const hold = (name: string, create: () => Promise<Sandbox>) =>
    resources.getOrCreate(prefix + name, create, {
      close: end,
      describe: (sandbox) => `sandbox ${sandbox.name}, ${sandbox.directory}`,
    });

  async function show(ui: UI) {
    const attached = await state.get<string>("attached");
    ui.setStatus("sandbox", attached && `sandbox: ${attached}`);
  }

  pi.on("session_start", async (_event, ctx) => {
    for (const key of await state.keys()) {
      const sandbox = key.startsWith(prefix) && (await state.get<Sandbox>(key));
      if (sandbox) await hold(sandbox.name, async () => sandbox);
    }
    await show(ctx.ui);
  });

  // A command for a sandbox that is gone must not run outside it.
  pi.on(
    "user_bash",
    async ({ command }) => {
      const name = await state.get<string>("attached");
      if (!name) return;
      const sandbox = resources.get<Sandbox>(prefix + name);
      if (sandbox) return { argv: bwrap(sandbox, ["sh", "-c", command]) };
      return { result: { output: `The attached sandbox ${name} is gone. Use /sandbox detach.\n`, exitCode: 125 } };
    },
    { mustDecide: true },
  );

  // The example `guard` asks for this before the user leaves the session.
  pi.events.on("held", (list) => void (list as string[]).push(...held().map(({ name }) => `sandbox ${name}`)));

  function command(name: string, description: string, handler: (args: string, ctx: Context) => unknown) {
    pi.registerCommand(name, { description, handler: (args, ctx) => handler(args.trim(), ctx) });
  }

  command("start", "NAME: create a sandbox", async (name, { ui }) => {
    if (!/^[a-z][a-z0-9-]{0,30}$/.test(name)) throw new Error("Invalid name: use a-z, 0-9 and -, with a letter first");
    if (resources.get(prefix + name)) throw new Error(`The sandbox ${name} already exists`);
    await hold(name, () => make(name));
    ui.notify(`Started: ${name}`, "success");
  });

  command("attach", "NAME: run ! commands in this sandbox", async (name, { ui }) => {
    await state.set("attached", find(name).name);
    await show(ui);
    ui.notify(`Attached: ${name}`, "success");
  });

  command("detach", "run ! commands outside again", async (_args, { ui }) => {
    await state.delete("attached");
    await show(ui);
    ui.notify("Detached", "success");
  });

  command("list", "list the sandboxes of this session", async () => {
    const attached = await state.get<string>("attached");
    const lines = held().map(
      ({ name, terminal }) => `  ${name} (terminal ${terminal})${name === attached ? " ◆" : ""}`,
    );
    return lines.length === 0 ? "No sandboxes registered" : ["Registered sandboxes:", ...lines].join("\n");
  });

  async function stop(name: string) {
    await resources.close(prefix + name);
    if ((await state.get("attached")) === name) await state.delete("attached");
  }

  command("stop", "NAME: remove a sandbox and its files", async (name, { ui }) => {
    await stop(find(name).name);
    await show(ui);
    ui.notify(`Stopped: ${name}`, "success");
  });

  command("cleanup", "remove all sandboxes and their files", async (_args, { ui }) => {
    for (const { name } of held()) await stop(name);
    await show(ui);
    ui.notify("Cleaned up all sandboxes", "success");
  });
}
