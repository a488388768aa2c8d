// The golden frames and messages, shared with the C++ tests.

import { describe, expect, test } from 'vitest';
import messageCases from '../../../tests/golden/native.json';
import extensionCases from '../../../tests/golden/native_extensions.json';
import frameCases from '../../../tests/golden/native_frames.json';
import stateCases from '../../../tests/golden/native_states.json';
import { decodeFrame, encodeFrame, type FrameKind } from './frames';
import { type ClientType, decodeMessage, encodeMessage } from './messages';

interface MessageCase {
  name: string;
  from: string;
  text: string;
  message?: Record<string, unknown>;
  answer?: string;
}

interface FrameCase {
  name: string;
  from: string;
  hex: string;
  frame?: { kind: string; channel: number; offset: number; payload: string };
}

const messages = [...messageCases, ...extensionCases, ...stateCases] as unknown as MessageCase[];
const frames = frameCases as FrameCase[];

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex === '' ? [] : hex.split(' '), (digits) => Number.parseInt(digits, 16));
}

function flat({ type, request, data = {} }: { type: string; request?: unknown; data?: object }): object {
  return { type, ...(request === undefined ? {} : { request }), ...data };
}

describe('messages of the server are decoded to what they mean', () => {
  for (const { name, text, message } of messages.filter(({ from }) => from === 'server'))
    test(name, () => {
      const decoded = decodeMessage(text);
      expect(decoded && flat(decoded)).toEqual(message);
    });
});

describe('messages of the client are encoded to what they mean', () => {
  for (const { name, message } of messages.filter(({ from }) => from === 'client'))
    if (message)
      test(name, () => {
        const { type, request, ...data } = message;
        const encoded = encodeMessage(type as ClientType, data as never, request as number | undefined);
        expect(flat(JSON.parse(encoded))).toEqual(message);
      });
});

test('what the server answers to bad messages is decoded as an error', () => {
  const answers = messages.flatMap(({ answer }) => (answer === undefined ? [] : [answer]));
  expect(answers.length).toBeGreaterThan(0);
  for (const answer of answers) expect(decodeMessage(answer)?.type).toBe('error');
});

describe('frames', () => {
  for (const { name, from, hex, frame } of frames)
    if (frame)
      test(name, () => {
        const payload = bytesOf(frame.payload);
        const encoded = encodeFrame(frame.kind as FrameKind, frame.channel, frame.offset, payload);
        expect([...encoded]).toEqual([...bytesOf(hex)]);
        if (from === 'server') expect(decodeFrame(bytesOf(hex).buffer)).toEqual({ ...frame, payload });
      });
});
