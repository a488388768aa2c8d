import { expect, test } from 'vitest';
import { decodeMessage } from './messages';
import { MalformedError } from './shape';

test('a type that is not known is passed over', () => {
  expect(decodeMessage('{"type":"changed","data":{}}')).toBeUndefined();
  expect(decodeMessage('{"type":"toString"}')).toBeUndefined();
});

test('a field that is missing or of another type is named', () => {
  expect(() => decodeMessage('{"type":"exited","data":{"terminalId":"t1"}}')).toThrow(
    'exitCode is no number',
  );
  expect(() => decodeMessage('{"type":"terminals","data":{"terminals":[{}]}}')).toThrow(
    'terminals[0].terminalId is no text',
  );
});

test('what is no message is malformed', () => {
  for (const source of ['', '[]', 'null', '{"type":1}', '{'])
    expect(() => decodeMessage(source), source).toThrow(MalformedError);
});

test('the messages of sessions and extensions are known', () => {
  const sources = [
    '{"type":"sessions","request":1,"data":{"sessions":[{"name":"main","kind":"interactive","terminals":2,"createdAt":"2026-11-15T04:12:07.123Z"}]}}',
    '{"type":"session_created","request":2,"data":{"session":{"name":"ci","kind":"background","terminals":0,"createdAt":"2026-11-15T04:12:07.123Z"}}}',
    '{"type":"session_renamed","data":{"name":"ci","newName":"builds"}}',
    '{"type":"session_closed","data":{"name":"builds"}}',
    '{"type":"commands","request":3,"data":{"session":"main","commands":[{"name":"deploy","extension":"ship","description":"Deploys"}]}}',
    '{"type":"result","request":4,"data":{"text":"done"}}',
    '{"type":"notify","data":{"session":"main","level":"warning","text":"The disk is nearly full"}}',
    '{"type":"ui_request","data":{"session":"main","id":"q1","kind":"select","title":"Where to?","options":["staging","production"],"default":"staging","timeoutMs":30000}}',
    '{"type":"ui_closed","data":{"id":"q1"}}',
    '{"type":"status","data":{"session":"main","key":"vm","text":null}}',
  ];
  for (const source of sources) expect(decodeMessage(source), source).toEqual(JSON.parse(source));
});
