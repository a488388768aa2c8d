// What a browser's sign-in is sent with, and what the daemon's refusals mean.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { probe } from './probe';
import { isSignedIn, signIn, signInHeaders, signInProtocols, signOut } from './signIn';

const here = new URL(location.href);
const elsewhere = new URL('http://elsewhere.example/ws');
let asked: { address: string; method: string }[];
let answer: () => Response;

beforeEach(() => {
  localStorage.clear();
  asked = [];
  answer = () => new Response('{"secret":"s3cret"}');
  vi.stubGlobal('fetch', (address: string | URL, { method = 'GET' }: RequestInit = {}) => {
    asked.push({ address: String(address), method });
    return Promise.resolve(answer());
  });
});
afterEach(() => vi.unstubAllGlobals());

test('the secret goes to this page’s host, and to no other', async () => {
  expect(signInHeaders(here)).toEqual({});
  expect(await signIn({ code: 'c' })).toBe('right');
  expect(signInHeaders(here)).toEqual({ 'X-Holdfast-Secret': 's3cret' });
  expect(signInProtocols(here)).toEqual(['holdfast.secret.s3cret']);
  expect(signInHeaders(elsewhere)).toEqual({});
  expect(signInProtocols(elsewhere)).toEqual([]);
});

test.each([
  [401, 'wrong'],
  [429, 'too_many'],
])('a sign-in that is answered with %s is %s, and leaves no secret', async (status, told) => {
  answer = () => new Response('', { status });
  expect(await signIn({ token: 't' })).toBe(told);
  expect(signInHeaders(here)).toEqual({});
});

test('without a secret nobody is asked whether this browser is signed in', async () => {
  expect(await isSignedIn()).toBe(false);
  expect(asked).toEqual([]);
});

test('signing out forgets the secret', async () => {
  await signIn({ token: 't' });
  await signOut();
  expect(signInHeaders(here)).toEqual({});
});

test.each([
  [401, 'sign_in'],
  [403, 'origin'],
  [421, 'host'],
  [429, 'too_many'],
  [426, undefined],
])('a WebSocket that was refused with %s: %s', async (status, why) => {
  answer = () => new Response('', { status });
  expect(await probe(new URL('wss://holdfast.example/ws'))).toBe(why);
  expect(asked).toEqual([{ address: 'https://holdfast.example/ws', method: 'POST' }]);
});

test('a daemon that does not answer has refused nothing', async () => {
  answer = () => {
    throw new TypeError('no network');
  };
  expect(await probe(new URL('ws://holdfast.example/ws'))).toBeUndefined();
});
