// The context menus of terminals and tabs: by the right button, by holding a finger, and by the Menu
// key. With Shift the browser shows its own. A program that takes the mouse gets the right button.

import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { copyText, performCommand } from '../actions/commandActions';
import { type ActionContext, moveTab } from '../actions/perform';
import { keysFor, type Named, type ShortcutAction } from '../actions/shortcuts';
import type { PageEvents } from '../browser/createTerminals';
import { notifyRules } from '../settings/preferences';
import type { TerminalsClient } from '../terminals/client';
import { mayChange, mayCreate } from '../terminals/scope';
import { words } from '../words';
import type { Mark } from '../xterm/commandMarks';
import { later } from './later';
import type { MenuItem } from './Menu';

const Menu = later(async () => (await import('./Menu')).Menu);

interface Options {
  root: RefObject<HTMLElement | null>;
  page: PageEvents;
  context: ActionContext;
  act(action: ShortcutAction): void;
  newTerminal(profile?: string): void;
  onClosed(): void;
}

interface Place {
  x: number;
  y: number;
}

type Open = { about: 'terminal' | 'tab' | 'command'; terminalId: string; at: Place; mark?: Mark } | null;

/** What was asked for a menu, if it has one here. */
function askedFor(target: EventTarget | null): Pick<NonNullable<Open>, 'about' | 'terminalId'> | undefined {
  if (!(target instanceof Element)) return undefined;
  const tab = target.closest('.hf-tab')?.querySelector('[role="tab"]')?.id.replace('hf-tab-', '');
  if (tab) return { about: 'tab', terminalId: tab };
  const terminalId = target.closest<HTMLElement>('.xterm')?.closest<HTMLElement>('[data-terminal]')
    ?.dataset.terminal;
  return terminalId ? { about: 'terminal', terminalId } : undefined;
}

/** A key asks for the menu where one is: at the cursor, or below the tab. */
function placeOf(event: MouseEvent, { screenOf }: ActionContext, terminalId: string): Place {
  const isPointer = event instanceof PointerEvent && event.pointerType !== '';
  if (isPointer || !(event.target instanceof Element)) return { x: event.clientX, y: event.clientY };
  const terminal = screenOf(terminalId)?.terminal;
  const screen = event.target.closest('.xterm')?.querySelector('.xterm-screen');
  if (!terminal || !screen) {
    const { left, bottom } = event.target.getBoundingClientRect();
    return { x: left, y: bottom };
  }
  const { left, top, width, height } = screen.getBoundingClientRect();
  const { cursorX, cursorY } = terminal.buffer.active;
  return {
    x: left + (cursorX * width) / terminal.cols,
    y: top + ((cursorY + 1) * height) / terminal.rows,
  };
}

export function useMenus({ root, page, context, act, newTerminal, onClosed }: Options): ReactNode {
  const [open, setOpen] = useState<Open>(null);
  const latest = useRef(context);
  latest.current = context;

  useEffect(() => {
    const element = root.current;
    const onContextMenu = (event: MouseEvent) => {
      const asked = event.shiftKey || event.defaultPrevented ? undefined : askedFor(event.target);
      if (!asked) return;
      event.preventDefault();
      const mode = latest.current.screenOf(asked.terminalId)?.terminal.modes.mouseTrackingMode;
      if (asked.about === 'terminal' && event.button === 2 && mode !== 'none') return;
      setOpen({ ...asked, at: placeOf(event, latest.current, asked.terminalId) });
    };
    element?.addEventListener('contextmenu', onContextMenu);
    return () => element?.removeEventListener('contextmenu', onContextMenu);
  }, [root]);

  useEffect(() => {
    page.touch = {
      ...page.touch,
      held(x, y) {
        const terminalId = latest.current.client.state.active;
        if (terminalId !== null) setOpen({ about: 'terminal', terminalId, at: { x, y } });
      },
    };
  }, [page]);

  useEffect(() => {
    page.pressed = (terminalId, mark, x, y) => {
      latest.current.screenOf(terminalId)?.commands.choose(mark);
      setOpen({ about: 'command', terminalId, mark, at: { x, y } });
    };
  }, [page]);

  if (!open) return null;
  const { mark } = open;
  const items = {
    terminal: terminalItems,
    tab: tabItems,
    command: (terminalId: string) => (mark ? commandItems(terminalId, mark, context) : []),
  }[open.about];
  return (
    <Menu
      label={open.about === 'command' ? words.marks.menu : words.menu[open.about]}
      items={items(open.terminalId, context, act, newTerminal)}
      at={open.at}
      onClose={() => {
        setOpen(null);
        onClosed();
      }}
    />
  );
}

type Items = (
  terminalId: string,
  context: ActionContext,
  act: (action: ShortcutAction) => void,
  newTerminal: (profile?: string) => void,
) => MenuItem[];

function item(action: Named, { preferences }: ActionContext, run: () => void): MenuItem {
  return { label: words.actions[action], keys: keysFor(action, preferences.keys), run };
}

const terminalItems: Items = (terminalId, context, act) => {
  const { client, screenOf } = context;
  const terminal = screenOf(terminalId)?.terminal;
  const does = (action: Named) => item(action, context, () => act(action));
  return [
    { ...does('copy'), isDisabled: (terminal?.getSelection().trim() ?? '') === '' },
    { ...does('paste'), isDisabled: !mayChange(client.state.scope) },
    { label: words.menu.selectAll, run: () => terminal?.selectAll() },
    ...(mayChange(client.state.scope) ? [{ ...does('upload'), begins: true }, does('download')] : []),
    { ...does('search'), begins: true },
    does('command_bar'),
    does('settings'),
  ];
};

function commandItems(terminalId: string, mark: Mark, context: ActionContext): MenuItem[] {
  const does = (action: Named) =>
    item(action, context, () => performCommand(action, context, terminalId, mark));
  const text = mark.command?.text ?? '';
  return [
    { ...does('select_output'), label: words.marks.select },
    { ...does('copy_output'), label: words.marks.copy },
    { ...does('save_output'), label: words.marks.save },
    {
      label: words.marks.copyCommand,
      isDisabled: text === '',
      begins: true,
      run: () => void copyText(context, text),
    },
    {
      ...does('run_command'),
      label: words.marks.again,
      isDisabled: text === '' || !mayChange(context.client.state.scope),
    },
  ];
}

/** What is told of this terminal; the one that is chosen again is left to the settings. */
function ruleItems(terminalId: string, { notices, state }: TerminalsClient): MenuItem[] {
  if (!mayChange(state.scope)) return [];
  const chosen = notices.ruleOf(state.session, terminalId);
  return notifyRules.map((rule, index) => ({
    label: rule === chosen ? words.rules.chosen(words.rules[rule]) : words.rules[rule],
    begins: index === 0,
    run: () => notices.setRule(state.session, terminalId, rule === chosen ? undefined : rule),
  }));
}

const tabItems: Items = (terminalId, context, _act, newTerminal) => {
  const { client, preferences } = context;
  const { tabs, scope } = client.state;
  const at = tabs.findIndex((tab) => tab.terminalId === terminalId);
  const opens: MenuItem[] = [
    item('new_terminal', context, () => newTerminal()),
    ...preferences.profiles.map(({ name }) => ({
      label: words.menu.withProfile(name),
      run: () => newTerminal(name),
    })),
  ];
  const changes: MenuItem[] = [
    item('rename_terminal', context, () => context.rename(terminalId)),
    { ...item('move_left', context, () => moveTab(client, terminalId, -1)), isDisabled: at <= 0 },
    {
      ...item('move_right', context, () => moveTab(client, terminalId, 1)),
      isDisabled: at === tabs.length - 1,
    },
    { ...item('close_terminal', context, () => void client.closeTerminal(terminalId)), begins: true },
  ];
  const begun = opens.map((each, index) => ({ ...each, begins: index === 0 }));
  return [
    ...(mayChange(scope) ? changes.slice(0, 3) : []),
    ...(mayCreate(scope) ? begun : []),
    ...ruleItems(terminalId, client),
    ...(mayChange(scope) ? changes.slice(3) : []),
  ];
};
