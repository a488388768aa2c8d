import { expect, test } from 'vitest';
import { decodeMessage } from './messages';
import { MalformedError } from './shape';

test('a type that is not known is passed over', () => {
  expect(decodeMessage('{"type":"from_tomorrow","data":{}}')).toBeUndefined();
  expect(decodeMessage('{"type":"toString"}')).toBeUndefined();
});

test('a field that is missing or of another type is named', () => {
  expect(() => decodeMessage('{"type":"exited","data":{"terminalId":"t1"}}')).toThrow(
    'exitCode is not a number',
  );
  expect(() => decodeMessage('{"type":"terminals","data":{"terminals":[{}]}}')).toThrow(
    'terminals[0].terminalId is not a string',
  );
});

test('what is no message is malformed', () => {
  for (const source of ['', '[]', 'null', '{"type":1}', '{'])
    expect(() => decodeMessage(source), source).toThrow(MalformedError);
});
