// The binary frames of the native protocol: terminal bytes after a 13-byte header.

import { MalformedError } from './shape';

export type FrameKind = 'output' | 'snapshot' | 'input' | 'ack' | 'paste';

export interface Frame {
  kind: FrameKind;
  channel: number;
  offset: number;
  payload: Uint8Array;
}

const kinds: Record<number, FrameKind> = { 1: 'output', 2: 'snapshot', 3: 'input', 4: 'ack', 5: 'paste' };
const numbers: Record<FrameKind, number> = { output: 1, snapshot: 2, input: 3, ack: 4, paste: 5 };
export const headerSize = 13;
const nothing = new Uint8Array();

export function encodeFrame(
  kind: FrameKind,
  channel: number,
  offset: number,
  payload: Uint8Array = nothing,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headerSize + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, numbers[kind]);
  view.setUint32(1, channel, true);
  view.setBigUint64(5, BigInt(offset), true);
  bytes.set(payload, headerSize);
  return bytes;
}

/** `undefined` for an unknown kind. Throws a MalformedError. */
export function decodeFrame(bytes: ArrayBuffer): Frame | undefined {
  if (bytes.byteLength < headerSize)
    throw new MalformedError(`frame of ${bytes.byteLength} bytes is shorter than its header`);
  const view = new DataView(bytes);
  const kind = kinds[view.getUint8(0)];
  if (kind === undefined) return undefined;
  return {
    kind,
    channel: view.getUint32(1, true),
    offset: Number(view.getBigUint64(5, true)),
    payload: new Uint8Array(bytes, headerSize),
  };
}

/** Splits bytes into pieces of at most `most`: messages are limited in size, pastes are not. */
export function chunks(bytes: Uint8Array, most: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += most) pieces.push(bytes.subarray(at, at + most));
  return pieces;
}
