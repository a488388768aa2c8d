import { Blob as NodeBlob, File as NodeFile } from 'node:buffer';
import { expect, test, vi } from 'vitest';
import { Files, shellWord, type Transfer } from './files';

// Those of jsdom cannot be read.
vi.stubGlobal('Blob', NodeBlob);
vi.stubGlobal('File', NodeFile);

/** What the daemon has of each upload, and what it would give out. */
class Daemon {
  readonly uploads = new Map<string, Uint8Array>();
  readonly requests: string[] = [];
  /** Answers the next requests instead; `undefined` breaks the connection before anything arrives. */
  readonly next: ((() => Response) | undefined)[] = [];
  file = new Uint8Array();
  version = '"1"';

  async ask(path: string, init: RequestInit): Promise<Response> {
    const { pathname, searchParams } = new URL(path, 'http://daemon');
    const method = init.method ?? 'GET';
    this.requests.push(`${method} ${searchParams.get('offset') ?? ''}`.trim());
    if (this.next.length > 0) {
      const answer = this.next.shift();
      if (!answer) throw new TypeError('Failed to fetch');
      return answer();
    }
    if (pathname === '/files') return this.give(new Headers(init.headers));
    let bytes = this.uploads.get(pathname) ?? new Uint8Array();
    if (method === 'DELETE') {
      this.uploads.delete(pathname);
      return new Response(null, { status: 204 });
    }
    if (method === 'PUT') {
      if (Number(searchParams.get('offset')) !== bytes.length) return new Response('{}', { status: 409 });
      bytes = Buffer.concat([bytes, new Uint8Array(init.body as ArrayBuffer)]);
      this.uploads.set(pathname, bytes);
    }
    const isWhole = bytes.length === this.size;
    return Response.json({ offset: bytes.length, ...(isWhole ? { path: '/home/me/a file' } : {}) });
  }

  size = 0;

  /** Whether the only upload is this. */
  has(wanted: Uint8Array): boolean {
    const [bytes] = this.uploads.values();
    return bytes !== undefined && Buffer.compare(bytes, wanted) === 0;
  }

  private give(headers: Headers): Response {
    if (headers.get('If-Match') && headers.get('If-Match') !== this.version)
      return Response.json({ detail: 'The file has changed.' }, { status: 412 });
    const from = Number(/\d+/.exec(headers.get('Range') ?? '0')?.[0]);
    const part = this.file.slice(from);
    return new Response(part, {
      status: from > 0 ? 206 : 200,
      headers: {
        ETag: this.version,
        'Content-Length': String(part.length),
        ...(from > 0 ? { 'Content-Range': `bytes ${from}-${this.file.length - 1}/${this.file.length}` } : {}),
      },
    });
  }
}

function start() {
  const daemon = new Daemon();
  const arrived = vi.fn<(terminalId: string, path: string) => void>();
  const saved: { name: string; content: Blob }[] = [];
  let number = 0;
  const files = new Files({
    ask: (path, init) => daemon.ask(path, init),
    onLost: () => () => {},
    // The connection is back at once.
    onFound(call) {
      queueMicrotask(call);
      return () => {};
    },
    arrived,
    save: (name, content) => saved.push({ name, content }),
    newId: () => `upload${++number}`.padEnd(16, '0'),
  });
  const ended = () =>
    vi.waitFor(() =>
      expect(files.store.get().every(({ state }) => state === 'done' || state === 'failed')).toBe(true),
    );
  return { daemon, files, arrived, saved, ended };
}

const content = (size: number) => Uint8Array.from({ length: size }, (_, i) => i % 251);
const last = ({ store }: Files): Transfer | undefined => store.get().at(-1);

test('a file goes in pieces, and its path is given out once', async () => {
  const { daemon, files, arrived, ended } = start();
  daemon.size = 700_000;
  files.upload('t1', [new File([content(daemon.size)], 'a.bin')]);
  await ended();
  expect(arrived.mock.calls).toEqual([['t1', '/home/me/a file']]);
  expect(daemon.has(content(daemon.size))).toBe(true);
  expect(daemon.requests.length).toBeGreaterThan(1);
  expect(last(files)).toMatchObject({ state: 'done', done: daemon.size });
});

test('after a break it asks what has arrived, and sends the rest', async () => {
  const { daemon, files, arrived, ended } = start();
  daemon.size = 300_000;
  daemon.next.push(undefined);
  files.upload('t1', [new File([content(daemon.size)], 'a.bin')]);
  await ended();
  expect(daemon.requests.slice(0, 3)).toEqual(['PUT 0', 'GET', 'PUT 0']);
  expect(arrived).toHaveBeenCalledTimes(1);
  expect(daemon.has(content(daemon.size))).toBe(true);
});

test('if only the answer was lost, nothing is sent twice', async () => {
  const { daemon, files, arrived, ended } = start();
  daemon.size = 10;
  const upload = '/files/upload1000000000';
  daemon.next.push(() => {
    daemon.uploads.set(upload, content(10));
    throw new TypeError('Failed to fetch');
  });
  files.upload('t1', [new File([content(10)], 'a.bin')]);
  await ended();
  expect(daemon.requests).toEqual(['PUT 0', 'GET']);
  expect(arrived).toHaveBeenCalledTimes(1);
});

test('what is refused fails with the reason, and is forgotten there', async () => {
  const { daemon, files, arrived, ended } = start();
  daemon.next.push(() => Response.json({ detail: 'the file is too large' }, { status: 413 }));
  files.upload('t1', [new File(['a'], 'a'), new File([], 'b')]);
  await ended();
  expect(files.store.get()).toMatchObject([
    { state: 'failed', problem: 'The file is too large.' },
    { state: 'done' },
  ]);
  expect(daemon.requests).toContain('DELETE');
  expect(arrived).toHaveBeenCalledTimes(1);
});

test('a proxy without a daemon behind it is no refusal', async () => {
  const { daemon, files, arrived, ended } = start();
  daemon.size = 1;
  for (const status of [502, 503, 504]) daemon.next.push(() => new Response('', { status }));
  files.upload('t1', [new File(['a'], 'a')]);
  await ended();
  expect(arrived).toHaveBeenCalledTimes(1);
});

test('a file that the browser cannot read fails', async () => {
  const { files, ended } = start();
  const file = new File(['a'], 'a');
  vi.spyOn(file, 'slice').mockReturnValue({
    arrayBuffer: () => Promise.reject(new Error('gone')),
  } as unknown as Blob);
  files.upload('t1', [file]);
  await ended();
  expect(last(files)?.problem).toMatch('cannot read');
});

test('a cancelled upload is removed on both sides', async () => {
  const { daemon, files } = start();
  daemon.size = 10;
  const asked = vi
    .spyOn(daemon, 'ask')
    .mockImplementationOnce(
      (_, init) =>
        new Promise((_, reject) =>
          init.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    );
  files.upload('t1', [new File([content(10)], 'a')]);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  files.dismiss(1);
  expect(files.store.get()).toEqual([]);
  await vi.waitFor(() => expect(daemon.requests).toEqual(['DELETE']));
});

test('a download goes on where it broke off', async () => {
  const { daemon, files, saved } = start();
  daemon.file = content(100_000);
  daemon.next.push(
    () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(content(60_000));
            setTimeout(() => controller.error(new TypeError('network error')));
          },
        }),
        { headers: { ETag: '"1"', 'Content-Length': '100000' } },
      ),
  );
  await files.download('t1', 'logs/a.bin');
  expect(saved.map(({ name }) => name)).toEqual(['a.bin']);
  const bytes = await saved[0]?.content.arrayBuffer();
  expect(bytes && Buffer.compare(new Uint8Array(bytes), content(100_000))).toBe(0);
});

test('a download is not put together from two versions of a file', async () => {
  const { daemon, files, saved } = start();
  daemon.file = content(100_000);
  daemon.version = '"2"';
  daemon.next.push(() => new Response(content(10), { headers: { ETag: '"1"', 'Content-Length': '100000' } }));
  await files.download('t1', 'a.bin');
  expect(saved).toEqual([]);
  expect(last(files)).toMatchObject({ state: 'failed', problem: 'The file has changed.' });
});

test.each([
  ['/home/me/image.png', '/home/me/image.png'],
  ['/home/me/a b', "'/home/me/a b'"],
  ["/home/me/it's", "'/home/me/it'\\''s'"],
  ['/home/me/$(reboot)', "'/home/me/$(reboot)'"],
  ['/home/me/ä', "'/home/me/ä'"],
  ['~/a', "'~/a'"],
])('%s is typed as %s', (path, word) => {
  expect(shellWord(path)).toBe(word);
});
