// What files need of the browser: requests to the daemon that served this page, and a place for what
// is downloaded.

import type { TerminalsClient } from '../terminals/client';
import { Files, shellWord } from '../terminals/files';
import { randomId } from '../terminals/opener';
import { mayChange } from '../terminals/scope';
import { words } from '../words';
import type { Dropped } from '../xterm/paste';
import { signInHeaders } from './signIn';

function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has begun to read it by then, and keeps it as long as that takes.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** `kind` is whether there is a connection; calls once when that becomes so. */
function onConnected(client: TerminalsClient, isWanted: boolean, call: () => void): () => void {
  let before = client.state.connection.kind === 'connected';
  return client.store.subscribe(() => {
    const now = client.state.connection.kind === 'connected';
    if (now !== before && now === isWanted) call();
    before = now;
  });
}

export function createFiles(client: TerminalsClient, socketAddress: URL, token?: string): Files {
  const address = new URL(socketAddress);
  address.protocol = address.protocol === 'wss:' ? 'https:' : 'http:';
  return new Files({
    ask(path, init) {
      const target = new URL(path, address.origin);
      const headers = token === undefined ? signInHeaders(target) : { Authorization: `Bearer ${token}` };
      return fetch(target, { ...init, headers: { ...headers, ...init.headers }, cache: 'no-store' });
    },
    onLost: (call) => onConnected(client, false, call),
    onFound: (call) => onConnected(client, true, call),
    arrived: (terminalId, path) => client.paste(terminalId, `${shellWord(path)} `),
    save,
    newId: randomId,
  });
}

/** What a person dropped, pasted or chose for a terminal. Folders have no content to send. */
export function uploadInto(
  client: TerminalsClient,
  files: Files,
  terminalId: string,
  { chosen, folders }: Dropped,
): void {
  if (!mayChange(client.state.scope)) return client.toast('warning', words.files.viewOnly);
  if (folders > 0) client.toast('warning', words.files.folder);
  files.upload(terminalId, chosen);
}

/** Lets a person choose files. */
export function pickFiles(take: (files: File[]) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.ariaLabel = words.actions.upload;
  input.addEventListener('change', () => take([...(input.files ?? [])]));
  input.click();
}
