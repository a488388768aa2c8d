import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Entry } from '../actions/palette';
import type { Run } from '../terminals/state';
import { CommandBar } from './CommandBar';

beforeEach(() => {
  localStorage.clear();
  // jsdom does not open dialogs.
  HTMLDialogElement.prototype.show = function show() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
});
afterEach(cleanup);

const commands = [
  { name: 'deploy', extension: 'ship', description: 'Deploy' },
  { name: 'describe', extension: 'ship' },
];

function show(runs: Run[] = []) {
  const on = { onRun: vi.fn(), onClose: vi.fn(), split: vi.fn(), show: vi.fn() };
  const entries: Entry[] = [
    { id: '1', kind: 'action', label: 'New terminal', keys: 'Ctrl+Shift+Enter', run: on.split },
    { id: '2', kind: 'terminal', label: 'build', hint: 'in work', run: on.show },
  ];
  render(
    <CommandBar commands={commands} entries={entries} runs={runs} onRun={on.onRun} onClose={on.onClose} />,
  );
  const line = screen.getByRole('combobox');
  const type = (value: string) => fireEvent.change(line, { target: { value } });
  const press = (key: string) => fireEvent.keyDown(line, { key });
  return { ...on, line: line as HTMLInputElement, type, press };
}

function options(): (string | undefined)[] {
  return screen.queryAllByRole('option').map((each) => each.firstChild?.textContent ?? undefined);
}

test('a slash finds commands; Tab completes, arguments follow, Enter runs', () => {
  const bar = show();
  bar.type('/de');
  expect(options()).toEqual(['/deploy', '/describe']);
  bar.press('ArrowDown');
  bar.press('Tab');
  expect(bar.line.value).toBe('/describe ');
  bar.type('/describe staging');
  bar.press('Enter');
  expect(bar.onRun).toHaveBeenCalledWith('/describe staging');
  expect(bar.onClose).toHaveBeenCalledOnce();
});

test('a command that is not known is for the daemon to judge', () => {
  const bar = show();
  bar.type('/ship deploy now');
  bar.press('Enter');
  expect(bar.onRun).toHaveBeenCalledWith('/ship deploy now');
});

test('a shell line is run as it is; an empty one is not', () => {
  const bar = show();
  bar.type('!');
  bar.press('Enter');
  expect(bar.onRun).not.toHaveBeenCalled();
  bar.type('! uname -a');
  bar.press('Enter');
  expect(bar.onRun).toHaveBeenCalledWith('! uname -a');
});

test('results of many lines are shown until the bar is closed', () => {
  const bar = show([
    { id: 1, line: '! ls', progress: '', result: { text: 'a\nb\n', exitCode: 2 } },
    { id: 2, line: '/deploy', progress: 'building\n', result: null },
  ]);
  const [listing, deploying] = screen.getAllByRole('region');
  expect(listing?.textContent).toBe('! lsexited with 2a\nb');
  expect(deploying?.textContent).toBe('/deployrunning…building');
  expect(options()).toEqual([]);
  bar.type('/d');
  expect(screen.queryAllByRole('region')).toEqual([]);
  expect(bar.onClose).not.toHaveBeenCalled();
});

test('other words find what the page does', () => {
  const bar = show();
  bar.type('terminal new');
  bar.press('Enter');
  expect(bar.split).toHaveBeenCalledOnce();
  expect(bar.onRun).not.toHaveBeenCalled();
});

test('one list has everything, with its kind and its keys', () => {
  const bar = show();
  const rows = () => screen.queryAllByRole('option').map((each) => each.textContent);
  expect(rows()).toEqual([
    'New terminalCtrl+Shift+Enteraction',
    'buildin workterminal',
    '/deployDeploycommand',
    '/describeshipcommand',
  ]);
  bar.type('bu wor');
  expect(rows()).toEqual(['buildin workterminal']);
  bar.press('Enter');
  expect(bar.show).toHaveBeenCalledOnce();
  expect(bar.onClose).toHaveBeenCalledOnce();
});

test('a command is also found by its name or by what it does', () => {
  const bar = show();
  bar.type('deploy');
  expect(options()).toEqual(['/deploy']);
  bar.press('Enter');
  expect(bar.onRun).toHaveBeenCalledWith('/deploy');
  bar.type('xyzzy');
  expect(screen.getByText('Nothing found.')).toBeTruthy();
});

test('arrow up brings back what was run', () => {
  const first = show();
  first.type('/deploy staging');
  first.press('Enter');
  cleanup();
  const second = show();
  second.press('ArrowUp');
  expect(second.line.value).toBe('/deploy staging');
});
