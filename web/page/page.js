// One terminal over the native protocol (docs/protocol.md): enough to see by hand that it stays.
import { Terminal } from '/xterm.mjs';
import { Unicode11Addon } from '/addon-unicode11.mjs';

const OUTPUT = 1, SNAPSHOT = 2, INPUT = 3, ACK = 4;
const HEADER = 13;
const WINDOW = 512 * 1024;

const terminal = new Terminal({ allowProposedApi: true, scrollback: 10000 });
terminal.loadAddon(new Unicode11Addon());
terminal.unicode.activeVersion = '11';
terminal.open(document.getElementById('terminal'));
terminal.focus();

const id = sessionStorage.terminalId ??= crypto.randomUUID();
const encoder = new TextEncoder();
let socket, channel = 0, offset, quiet = false, pause = 0;

function say(text) { document.getElementById('status').textContent = text; }

function fittingSize() {
  const cell = terminal.element.querySelector('.xterm-screen').getBoundingClientRect();
  const room = document.getElementById('terminal').getBoundingClientRect();
  const cols = Math.floor((room.width - 16) / (cell.width / terminal.cols));
  const rows = Math.floor(room.height / (cell.height / terminal.rows));
  return { rows: Math.min(500, Math.max(2, rows)), cols: Math.min(500, Math.max(2, cols)) };
}

function ask(type, data) { socket.send(JSON.stringify({ type, data })); }

function frame(kind, at, payload = new Uint8Array()) {
  const bytes = new Uint8Array(HEADER + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, kind);
  view.setUint32(1, channel, true);
  view.setBigUint64(5, BigInt(at), true);
  bytes.set(payload, HEADER);
  socket.send(bytes);
}

function show(bytes) {
  const view = new DataView(bytes);
  const kind = view.getUint8(0);
  const at = Number(view.getBigUint64(5, true));
  if (kind !== OUTPUT && kind !== SNAPSHOT) return;
  // A snapshot may switch focus reports on, and xterm.js would answer that into the shell.
  if (kind === SNAPSHOT) quiet = true;
  terminal.write(new Uint8Array(bytes, HEADER), () => {
    quiet = false;
    offset = at;
    if (socket.readyState === WebSocket.OPEN && channel) frame(ACK, at);
  });
}

const handlers = {
  welcome: () => ask('list'),
  terminals: ({ terminals }) => {
    if (terminals.some((each) => each.terminalId === id && each.status === 'running')) attach();
    else ask('create', { terminalId: id, ...fittingSize() });
  },
  created: ({ terminal: made }) => { if (made.terminalId === id) { offset = undefined; attach(); } },
  attached: (data) => {
    channel = data.channel;
    terminal.resize(data.cols, data.rows);
    say(`terminal ${id} · connected`);
  },
  resized: ({ cols, rows }) => terminal.resize(cols, rows),
  exited: ({ terminalId, exitCode }) => { if (terminalId === id) say(`exited with ${exitCode} · reload the page for a new one`); },
  error: ({ error, details }) => say([error, details].filter(Boolean).join(' · ')),
};

function attach() { ask('attach', { terminalId: id, ...fittingSize(), window: WINDOW, ...(offset === undefined ? {} : { since: offset }) }); }

function connect() {
  socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`, 'holdfast.v1');
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => { pause = 0; };
  socket.onmessage = ({ data }) => {
    if (typeof data !== 'string') return show(data);
    const message = JSON.parse(data);
    handlers[message.type]?.(message.data ?? {});
  };
  socket.onclose = ({ code }) => {
    channel = 0;
    pause = code === 1012 ? 0 : Math.min(5000, pause * 2 + 100);
    say('reconnecting …');
    setTimeout(connect, pause);
  };
}

terminal.onData((text) => { if (channel && !quiet) frame(INPUT, 0, encoder.encode(text)); });
terminal.onBinary((text) => { if (channel && !quiet) frame(INPUT, 0, Uint8Array.from(text, (c) => c.charCodeAt(0))); });
addEventListener('resize', () => { if (channel) ask('resize', { channel, ...fittingSize() }); });
addEventListener('focus', () => { if (channel) ask('focus', { channel }); });
connect();
