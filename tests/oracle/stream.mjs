// Stream files: a terminal's size, then output and resizes in order. The format is specified in
// README.md. A stream in memory is {cols, rows, scrollback, events}, an event either
// {output: Uint8Array} or {cols, rows}.

const LF = 0x0a;
const SIZE = { cols: [2, 500], rows: [1, 500] };

export function parseStream(bytes) {
  const reader = new Reader(bytes);
  const stream = reader.header();
  while (!reader.atEnd()) stream.events.push(reader.event());
  return stream;
}

export function formatStream({ cols, rows, scrollback, events }) {
  const parts = [Buffer.from(`holdfast-stream 1 ${cols} ${rows} ${scrollback}\n`)];
  for (const event of events) {
    if (event.output) {
      parts.push(Buffer.from(`output ${event.output.length}\n`), event.output, Buffer.from([LF]));
    } else {
      parts.push(Buffer.from(`resize ${event.cols} ${event.rows}\n`));
    }
  }
  return Buffer.concat(parts);
}

export function outputLength(stream) {
  return stream.events.reduce((sum, event) => sum + (event.output?.length ?? 0), 0);
}

export function finalSize(stream) {
  const last = stream.events.findLast((event) => !event.output) ?? stream;
  return { cols: last.cols, rows: last.rows };
}

// The indices of the events that change the width.
export function widthChanges({ cols: width, events }) {
  const indices = [];
  events.forEach(({ cols = width }, index) => {
    if (cols !== width) indices.push(index);
    width = cols;
  });
  return indices;
}

// Cuts after `position` bytes of output. A resize right at the cut belongs to the rest.
export function cutStream(stream, position) {
  const head = [];
  let left = position;
  let index = 0;
  for (; index < stream.events.length && left > 0; index++) {
    const event = stream.events[index];
    const length = event.output?.length ?? 0;
    if (length > left) break;
    head.push(event);
    left -= length;
  }
  const rest = stream.events.slice(index);
  if (left > 0) {
    head.push({ output: rest[0].output.subarray(0, left) });
    rest[0] = { output: rest[0].output.subarray(left) };
  }
  return { head: { ...stream, events: head }, rest };
}

class Reader {
  #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  atEnd() {
    return this.#at === this.#bytes.length;
  }

  header() {
    const start = this.#at;
    const match = /^holdfast-stream 1 (\d+) (\d+) (\d+)$/.exec(this.#line());
    if (!match) this.#fail(start, "the header `holdfast-stream 1 COLS ROWS SCROLLBACK`");
    return { ...this.#size(start, match[1], match[2]), scrollback: Number(match[3]), events: [] };
  }

  event() {
    const start = this.#at;
    const line = this.#line();
    const output = /^output (\d+)$/.exec(line);
    if (output) return { output: this.#payload(Number(output[1])) };
    const resize = /^resize (\d+) (\d+)$/.exec(line);
    if (resize) return this.#size(start, resize[1], resize[2]);
    return this.#fail(start, "`output N` or `resize COLS ROWS`");
  }

  #payload(length) {
    const start = this.#at;
    if (start + length >= this.#bytes.length) this.#fail(start, `${length} bytes and LF`);
    if (this.#bytes[start + length] !== LF) this.#fail(start + length, "LF after the output");
    this.#at = start + length + 1;
    return this.#bytes.subarray(start, start + length);
  }

  #line() {
    const end = this.#bytes.indexOf(LF, this.#at);
    if (end < 0) this.#fail(this.#at, "a line that ends with LF");
    const line = Buffer.from(this.#bytes.subarray(this.#at, end)).toString("latin1");
    this.#at = end + 1;
    return line;
  }

  #size(start, colsText, rowsText) {
    const size = { cols: Number(colsText), rows: Number(rowsText) };
    for (const [name, [low, high]] of Object.entries(SIZE)) {
      if (size[name] < low || size[name] > high) this.#fail(start, `${name} from ${low} to ${high}`);
    }
    return size;
  }

  #fail(at, expected) {
    throw new Error(`not a stream: expected ${expected} at byte ${at}`);
  }
}
