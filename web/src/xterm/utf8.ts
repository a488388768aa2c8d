// xterm.js's decoder loses some characters that are split between writes, so it gets whole ones.

/** How many bytes at the end belong to an incomplete character. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; ++back) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

/** Holds back an incomplete character until the rest arrives. */
export class WholeCharacters {
  private rest = new Uint8Array();

  take(bytes: Uint8Array): Uint8Array {
    const all = this.rest.length === 0 ? bytes : joined(this.rest, bytes);
    const whole = all.length - unfinishedBytes(all);
    this.rest = all.slice(whole);
    return all.subarray(0, whole);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
