import { expect, test, vi } from 'vitest';
import { asksFor, harmless, type PasteRule, takePastes } from './paste';

test('of the control characters only tabs and line ends are pasted', () => {
  const all = Array.from({ length: 0xa1 }, (_, code) => String.fromCharCode(code)).join('');
  expect(harmless(all)).toBe(`\t\n\r${all.slice(0x20, 0x7f)}\u00a0`);
  expect(harmless('echo safe\x1b[201~\nrm -r x\x9b201~')).toBe('echo safe[201~\nrm -r x201~');
});

test('every way to put text in is taken, and what a person types is not', () => {
  const element = document.createElement('div');
  const field = element.appendChild(document.createElement('textarea'));
  const take = vi.fn();
  const takeFiles = vi.fn();
  takePastes(element, take, takeFiles);
  const input = (inputType: string, data: string) => {
    const event = new InputEvent('beforeinput', { inputType, data, bubbles: true, cancelable: true });
    field.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(input('insertFromPaste', 'pasted')).toBe(true);
  expect(input('insertFromDrop', 'dropped')).toBe(true);
  expect(input('insertText', 'from\na keyboard')).toBe(true);
  expect(take.mock.calls.flat()).toEqual(['pasted', 'dropped', 'from\na keyboard']);
  for (const [type, text] of [['insertText', 'a word'] as const, ['insertText', '\n'] as const])
    expect(input(type, text)).toBe(false);
  expect(take).toHaveBeenCalledTimes(3);
});

test('when a paste asks is what the person chose', () => {
  const asks = (rule: PasteRule) =>
    ['a', 'a\n'].flatMap((text) => [false, true].map((isBracketed) => asksFor(text, rule, isBracketed)));
  // A word and a line, each into a program without and with brackets.
  expect(asks('risky')).toEqual([false, false, true, false]);
  expect(asks('unbracketed')).toEqual([true, false, true, false]);
  expect(asks('always')).toEqual([true, true, true, true]);
});
