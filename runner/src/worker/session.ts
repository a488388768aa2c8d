// An extension's `session`: the same object across all reloads.

import type { KeptProcess, SessionContext, Terminal } from '../../types/index.d.ts';
import type { Extension } from './extension.ts';
import type { Host } from './host.ts';

interface TerminalRecord {
  terminalId: string;
  name?: string;
}

interface ProcessRecord {
  id: string;
  pid: number;
  name?: string;
}

export function sessionContext(extension: Extension, { info }: Host): SessionContext {
  const { getOrCreate, get, list, close } = extension.resources;
  return Object.freeze({
    get id() {
      return info.id;
    },
    get name() {
      return info.name;
    },
    get kind() {
      return info.kind;
    },
    get userId() {
      return info.userId;
    },
    get cwd() {
      return info.cwd;
    },
    get generation() {
      return extension.last;
    },
    get reason() {
      return extension.reason;
    },
    resources: Object.freeze({ getOrCreate, get, list, close }),
    state: state(extension),
    terminals: terminals(extension),
    processes: processes(extension),
  });
}

function state(extension: Extension): SessionContext['state'] {
  return Object.freeze({
    get: async <T>(key: string) =>
      ((await extension.callForPresent('state.get', { key })) ?? undefined) as T | undefined,
    set: async (key: string, value: unknown) => {
      await extension.callForPresent('state.set', { key, value: value ?? null });
    },
    delete: async (key: string) => {
      await extension.callForPresent('state.delete', { key });
    },
    keys: async () => {
      const keys = (await extension.callForPresent('state.keys', {})) as string[];
      return keys.filter((key) => !key.startsWith('pi:')); // What its entries and flags are kept in.
    },
  });
}

function terminals(extension: Extension): SessionContext['terminals'] {
  const asTerminal = ({ terminalId, name }: TerminalRecord): Terminal => ({
    id: terminalId,
    name,
    write: async (text) => {
      await extension.callForPresent('terminal.write', { terminalId, text });
    },
    text: async () => (await extension.callForPresent('terminal.text', { terminalId })) as string,
    close: async () => {
      await extension.callForPresent('terminal.close', { terminalId });
    },
  });
  const list = async () =>
    ((await extension.callForPresent('terminal.list', {})) as TerminalRecord[]).map(asTerminal);
  return Object.freeze({
    create: async (options = {}) =>
      asTerminal((await extension.callForPresent('terminal.create', options)) as TerminalRecord),
    list,
    get: async (id: string) => (await list()).find((terminal) => terminal.id === id),
  });
}

export function asProcess(extension: Extension, { id, pid, name }: ProcessRecord): KeptProcess {
  return {
    id,
    pid,
    name,
    output: async () => (await extension.callForPresent('process.output', { id })) as { text: string },
    wait: async () => (await extension.callForPresent('process.wait', { id })) as { exitCode: number },
    kill: async () => {
      await extension.callForPresent('process.kill', { id });
    },
  };
}

function processes(extension: Extension): SessionContext['processes'] {
  const list = async () => {
    const records = (await extension.callForPresent('process.list', {})) as ProcessRecord[];
    return records.map((record) => asProcess(extension, record));
  };
  return Object.freeze({
    list,
    get: async (id: string) => (await list()).find((process) => process.id === id),
  });
}
