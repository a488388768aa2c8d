// QEMU micro-VMs. A VM's console is a terminal of the session, so the VM lives in the keeper and
// outlives this code, the runner and the daemon. Its record is in `session.state`;
// `session.resources` holds it while the worker lives.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Context, ExtensionAPI, SessionContext, UI } from "@holdfast/extension";

import { answers } from "./agent.mjs";

interface VM {
  name: string;
  /** Contains the agent's socket and the pid file. */
  directory: string;
  /** Its console's id; missing while it is being created. */
  terminal?: string | undefined;
  /** Missing until it runs. */
  pid?: number;
}

const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const agent = beside("agent.mjs");
const buildImage = beside("build-image.sh");
// Each version of the build scripts has its own image.
const version = createHash("sha256");
for (const name of ["build-image.sh", "guest/init", "guest/agent"]) version.update(readFileSync(beside(name)));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "holdfast/vms");
const image = join(cache, version.digest("hex").slice(0, 12));
const accelerator = "tcg"; // Works everywhere. "kvm" is about ten times as fast where it is available.
const prefix = "vm:";
const bootTime = 120_000;

const socketOf = (vm: VM) => join(vm.directory, "agent");
const consoleName = (name: string) => `vm ${name}`;

function qemu(vm: VM): string[] {
  return [
    "qemu-system-x86_64",
    ...["-machine", "q35", "-accel", accelerator, "-cpu", "max", "-m", "128"],
    ...["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"],
    // The first serial port is the terminal, and Ctrl-C goes to the VM. The second is the agent's.
    ...["-chardev", "stdio,id=console,signal=off", "-serial", "chardev:console"],
    ...["-serial", `unix:${socketOf(vm)},server=on,wait=off`],
    ...["-pidfile", join(vm.directory, "pid")],
    ...["-kernel", join(image, "kernel"), "-initrd", join(image, "initramfs")],
    ...["-append", `console=ttyS0 quiet panic=-1 holdfast.name=${vm.name}`],
  ];
}

/** Whether its process runs. A later process with the same pid does not count. */
function runs(vm: VM): boolean {
  try {
    return vm.pid !== undefined && readFileSync(`/proc/${vm.pid}/cmdline`, "utf8").includes(vm.directory);
  } catch {
    return false;
  }
}

async function until(condition: () => boolean, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; ) {
    if (condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return condition();
}

export default function (pi: ExtensionAPI, session: SessionContext) {
  const { resources, state, terminals } = session;

  const remember = (vm: VM) => state.set(prefix + vm.name, vm);
  const held = () => resources.list().flatMap(({ key }) => resources.get<VM>(key) ?? []);
  const find = (name: string) => {
    const vm = resources.get<VM>(prefix + name);
    if (!vm) throw new Error(`There is no VM ${name}. See /vms list.`);
    return vm;
  };

  /** Waits until QEMU runs in its terminal. */
  async function settle(vm: VM): Promise<VM> {
    const up = () => existsSync(join(vm.directory, "pid")) && existsSync(socketOf(vm));
    if (!(await until(up, 10_000))) {
      const said = await (await consoleOf(vm))?.text();
      await end(vm);
      throw new Error(`QEMU did not start. ${said?.trim() ?? ""}`);
    }
    vm.pid = Number(readFileSync(join(vm.directory, "pid"), "utf8"));
    await remember(vm);
    return vm;
  }

  async function launch(name: string): Promise<VM> {
    const vm: VM = { name, directory: await mkdtemp(join(tmpdir(), "holdfast-vm-")) };
    // Store it first: if everything dies in between, its terminal is found by name.
    await remember(vm);
    try {
      vm.terminal = (await terminals.create({ command: qemu(vm), name: consoleName(name) })).id;
    } catch (error) {
      await forget(vm);
      throw error;
    }
    await remember(vm);
    return await settle(vm);
  }

  async function consoleOf(vm: VM) {
    const all = await terminals.list();
    return all.find(({ id, name }) => (vm.terminal ? id === vm.terminal : name === consoleName(vm.name)));
  }

  async function forget(vm: VM) {
    await rm(vm.directory, { recursive: true, force: true });
    await state.delete(prefix + vm.name);
  }

  async function end(vm: VM) {
    // A session that is being closed may have closed its terminals already. The process counts.
    await consoleOf(vm)
      .then((console) => console?.close())
      .catch((error) => console.error(`the console of ${vm.name}: ${error}`));
    if (!(await until(() => !runs(vm), 8_000))) throw new Error(`process ${vm.pid} is still running`);
    await forget(vm);
  }

  const hold = (name: string, make: () => Promise<VM>) =>
    resources.getOrCreate(prefix + name, make, {
      close: end,
      describe: (vm) => `VM ${vm.name}, terminal ${vm.terminal}`,
      pids: (vm) => (vm.pid === undefined ? [] : [vm.pid]),
    });

  async function show(ui: UI) {
    const attached = await state.get<string>("attached");
    ui.setStatus("vm", attached && `vm: ${attached}`);
  }

  // After a reload they are still held. After the worker, the runner or the machine died, this
  // finds them again.
  pi.on("session_start", async ({ reason }, ctx) => {
    const known = (await state.keys()).filter((key) => key.startsWith(prefix));
    for (const key of known) {
      const vm = await state.get<VM>(key);
      if (!vm) continue;
      try {
        vm.terminal ??= (await consoleOf(vm))?.id;
        if (resources.get(key) || runs(vm)) await hold(vm.name, async () => vm);
        else if (vm.terminal && vm.pid === undefined) await hold(vm.name, () => settle(vm));
        else {
          await end(vm);
          ctx.ui.notify(`The VM ${vm.name} is no longer running.`, "warning");
        }
      } catch (error) {
        ctx.ui.notify(`${vm.name}: ${error}`, "error");
      }
    }
    await show(ctx.ui);
    if (reason !== "reload" && held().length > 0) ctx.ui.notify(`Loaded ${held().length} VM(s)`);
  });

  pi.on("terminal_exited", async ({ terminalId }, ctx) => {
    const vm = held().find(({ terminal }) => terminal === terminalId);
    if (!vm) return;
    const said = (await (await consoleOf(vm))?.text())?.trim().split("\n").at(-1) ?? "";
    await resources.close(prefix + vm.name);
    ctx.ui.notify(`The VM ${vm.name} has ended. ${said}`, "warning");
  });

  // A shell command for a VM that is gone must not run on the host instead.
  pi.on(
    "user_bash",
    async ({ command }) => {
      const name = await state.get<string>("attached");
      if (!name) return;
      const vm = resources.get<VM>(prefix + name);
      if (vm && runs(vm)) return { argv: [process.execPath, agent, socketOf(vm), command] };
      const output = `The attached VM ${name} is not running. Use /vms start ${name}, or /vms detach.\n`;
      return { result: { output, exitCode: 125 } };
    },
    { mustDecide: true },
  );

  // The example `guard` asks for this before the user leaves the session.
  pi.events.on("held", (list) => void (list as string[]).push(...held().map(({ name }) => `VM ${name}`)));

  function command(name: string, description: string, handler: (args: string, ctx: Context) => unknown) {
    pi.registerCommand(name, { description, handler: (args, ctx) => handler(args.trim(), ctx) });
  }

  command("start", "NAME: start a VM", async (name, { ui, signal }) => {
    if (!/^[a-z][a-z0-9-]{0,30}$/.test(name)) throw new Error("Invalid name: use a-z, 0-9 and -, with a letter first");
    if (resources.get(prefix + name)) throw new Error(`The VM ${name} already exists`);
    if (!existsSync(join(image, "initramfs"))) {
      ui.notify("Building the image from Debian's packages. This happens only once.");
      const built = await pi.exec("sh", [buildImage, image], { timeout: 300_000, signal });
      if (built.code !== 0) throw new Error(`Building the image failed: ${built.stderr}`);
    }
    const vm = await hold(name, () => launch(name));
    // Talking to a serial port while init starts a program on it hangs init. So wait for the prompt
    // of the shell, which init starts after the agent.
    const isUp = async () =>
      (await (await consoleOf(vm))?.text())?.includes(`${name}# `) && (await answers(socketOf(vm), 1_000));
    for (const end = Date.now() + bootTime; !(await isUp()); await new Promise((resolve) => setTimeout(resolve, 100)))
      if (!runs(vm) || Date.now() > end) throw new Error(`${name} did not boot. See its console: /vms console ${name}`);
    ui.notify(`Started: ${name}`, "success");
  });

  command("attach", "NAME: run ! commands in this VM", async (name, { ui }) => {
    await state.set("attached", find(name).name);
    await show(ui);
    ui.notify(`Attached: ${name}`, "success");
  });

  command("detach", "run ! commands here again", async (_args, { ui }) => {
    await state.delete("attached");
    await show(ui);
    ui.notify("Detached", "success");
  });

  command("list", "list the VMs of this session", async () => {
    const attached = await state.get<string>("attached");
    const lines = held().map(
      (vm) => `  ${vm.name} (terminal ${vm.terminal}, process ${vm.pid})${vm.name === attached ? " ◆" : ""}`,
    );
    return lines.length === 0 ? "No VMs registered" : ["Registered VMs:", ...lines].join("\n");
  });

  command("console", "NAME: show its console", async (name) => await (await consoleOf(find(name)))?.text());

  async function stop(name: string) {
    await resources.close(prefix + name);
    if ((await state.get("attached")) === name) await state.delete("attached");
  }

  command("stop", "NAME: end a VM", async (name, { ui }) => {
    await stop(find(name).name);
    await show(ui);
    ui.notify(`Stopped: ${name}`, "success");
  });

  command("cleanup", "end all VMs", async (_args, { ui }) => {
    for (const { name } of held()) await stop(name);
    await show(ui);
    ui.notify("Cleaned up all VMs", "success");
  });
}
