// Tabs of terminals, with everything around them. This is the component that others embed; the page is little more.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import '@xterm/xterm/css/xterm.css';
import type { TerminalsClient } from '../terminals/client';
import { labelOf, tabOf } from '../terminals/state';
import { toldTheme } from '../xterm/themes';
import { CommandBar } from './CommandBar';
import { Help } from './Help';
import { bytesOf, KeyRow, withControl } from './KeyRow';
import './MultiTerminal.css';
import { pageActions } from './pageActions';
import { usePreferences, useTheme } from './preferences';
import { Confirm, Question } from './Questions';
import { Refused } from './Refused';
import { useRunNotice } from './Runs';
import { SearchBar } from './SearchBar';
import { SessionSwitcher } from './SessionSwitcher';
import { StatusBar } from './StatusBar';
import { actionOf, type ShortcutAction } from './shortcuts';
import { moved, TabBar } from './TabBar';
import { TerminalView } from './TerminalView';
import { Toasts } from './Toasts';
import { type TerminalsOptions, useTerminals } from './useTerminals';

export interface MultiTerminalProps extends TerminalsOptions {
  /** The page is nothing but this: its keys count also while nothing has the focus. */
  fillsPage?: boolean;
  /** Signs in with a token that was pasted; resolves to what is wrong with it, or to nothing. */
  onSignIn?(token: string): Promise<string | undefined>;
  /** What a window's title could say: the active terminal's. */
  onTitle?(title: string): void;
  /** For whoever wants more than to look. */
  onClient?(client: TerminalsClient): void;
}

type Layer = 'none' | 'commands' | 'sessions' | 'help' | 'search';

interface PasteQuestion {
  text: string;
  answer(isWanted: boolean): void;
}

const ringsFor = 200;

export function MultiTerminal({
  fillsPage = false,
  onSignIn,
  onTitle,
  onClient,
  ...options
}: MultiTerminalProps) {
  const [preferences, changePreferences] = usePreferences();
  const theme = useTheme(preferences.theme);
  const { fontSize, screenReader } = preferences;
  const screenOptions = useMemo(() => ({ theme, fontSize, screenReader }), [theme, fontSize, screenReader]);
  const terminals = useTerminals(options, screenOptions);
  const { client, state, screenOf, configure, page } = terminals;
  const [layer, setLayer] = useState<Layer>('none');
  const [renaming, setRenaming] = useState<string | null>(null);
  const [pasting, setPasting] = useState<PasteQuestion | null>(null);
  const [isControlHeld, setControlHeld] = useState(false);
  const [ringing, setRinging] = useState<string | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const { active } = state;
  const activeTab = tabOf(state, active);
  const title = activeTab ? labelOf(activeTab) : '';

  const focusActive = useCallback(() => {
    const { active } = client.state;
    if (active !== null) screenOf(active)?.terminal.focus();
  }, [client, screenOf]);

  const closeLayer = useCallback(() => {
    setLayer('none');
    requestAnimationFrame(focusActive);
  }, [focusActive]);

  const closeCommands = useCallback(() => {
    client.extensions.dismissRuns();
    closeLayer();
  }, [client, closeLayer]);

  useRunNotice(state.runs, layer === 'commands', (text) => client.toast('info', text));
  useEffect(() => {
    onTitle?.(title);
  }, [title, onTitle]);
  useEffect(() => {
    onClient?.(client);
  }, [client, onClient]);
  useEffect(() => {
    configure(screenOptions);
    client.setTheme(toldTheme(theme));
  }, [client, configure, screenOptions, theme]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a tab that became the active one takes the focus.
  useEffect(() => {
    if (!root.current?.querySelector('dialog[open], [role="tab"]:focus, .hf-tab__rename')) focusActive();
  }, [active, focusActive]);

  useEffect(() => {
    const onFocus = () => {
      if (client.state.active !== null) client.takeSize(client.state.active);
    };
    addEventListener('focus', onFocus);
    return () => removeEventListener('focus', onFocus);
  }, [client]);

  useEffect(() => {
    page.isShortcut = (event) => actionOf(event) !== undefined;
    page.confirmPaste = (text) => new Promise((answer) => setPasting({ text, answer }));
    page.bell = (terminalId) => {
      setRinging(terminalId);
      setTimeout(() => setRinging(null), ringsFor);
      notifyBell(client, terminalId);
    };
  }, [client, page]);

  useEffect(() => {
    page.typed = (data) => {
      if (!isControlHeld) return data;
      setControlHeld(false);
      return withControl(data);
    };
  }, [page, isControlHeld]);

  function goTo(offset: number): void {
    const ids = state.tabs.map(({ terminalId }) => terminalId);
    const at = ids.indexOf(active ?? '');
    const id = ids[(at + offset + ids.length) % ids.length];
    if (id !== undefined) client.activate(id);
  }

  function move(offset: 1 | -1): void {
    const ids = state.tabs.map(({ terminalId }) => terminalId);
    const at = ids.indexOf(active ?? '');
    if (active === null || at + offset < 0 || at + offset >= ids.length) return;
    void client.reorder(moved(ids, active, ids[offset === 1 ? at + 2 : at - 1] ?? null));
  }

  function perform(action: ShortcutAction): void {
    switch (action) {
      case 'new_terminal':
        return void client.newTerminal();
      case 'close_terminal':
        return active === null ? undefined : void client.closeTerminal(active);
      case 'rename_terminal':
        return setRenaming(active);
      case 'next_terminal':
        return goTo(1);
      case 'previous_terminal':
        return goTo(-1);
      case 'move_right':
        return move(1);
      case 'move_left':
        return move(-1);
      case 'focus_tabs':
        return root.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
      case 'command_bar':
        return setLayer('commands');
      case 'search':
        return setLayer('search');
      case 'sessions':
        return setLayer('sessions');
      case 'help':
        return setLayer('help');
      case 'copy':
        return void copySelection(active === null ? '' : (screenOf(active)?.terminal.getSelection() ?? ''));
      case 'larger':
        return changePreferences({ fontSize: Math.min(32, fontSize + 1) });
      case 'smaller':
        return changePreferences({ fontSize: Math.max(8, fontSize - 1) });
      case 'normal_size':
        return changePreferences({ fontSize: 14 });
      case 'paste':
        return; // The browser pastes; see onKeyDown.
      default: {
        const tab = state.tabs[Number(action.split('_')[1]) - 1];
        if (tab) client.activate(tab.terminalId);
      }
    }
  }

  const onKeyDown = useRef<(event: KeyboardEvent) => void>(() => {});
  onKeyDown.current = (event) => {
    const action = actionOf(event);
    // Its default is the browser's own paste, which needs no permission.
    if (action === undefined || action === 'paste') return;
    event.preventDefault();
    event.stopPropagation();
    perform(action);
  };
  useEffect(() => {
    const element = root.current;
    const listener = (event: KeyboardEvent) => {
      const isLost = fillsPage && event.target === document.body;
      if (!isLost && !(event.target instanceof Node && element?.contains(event.target))) return;
      if (isLost) focusActive();
      onKeyDown.current(event);
    };
    document.addEventListener('keydown', listener, { capture: true });
    return () => document.removeEventListener('keydown', listener, { capture: true });
  }, [fillsPage, focusActive]);

  const searched = layer === 'search' && active !== null ? screenOf(active) : undefined;
  const question = state.questions[0];
  return (
    <div className="hf-root" data-theme={theme} data-connection={state.connection.kind} ref={root}>
      <TabBar
        tabs={state.tabs}
        active={active}
        renaming={renaming}
        onActivate={(terminalId) => {
          client.activate(terminalId);
          focusActive();
        }}
        onClose={(terminalId) => void client.closeTerminal(terminalId)}
        onNew={() => void client.newTerminal()}
        onRename={(terminalId, name) => void client.rename(terminalId, name)}
        onRenaming={(terminalId) => {
          setRenaming(terminalId);
          if (terminalId === null) focusActive();
        }}
        onReorder={(terminalIds) => void client.reorder(terminalIds)}
        onLeave={focusActive}
      />
      <main className="hf-main">
        {state.tabs.map((tab) => {
          const screen = screenOf(tab.terminalId);
          return (
            screen && (
              <TerminalView
                key={tab.terminalId}
                client={client}
                screen={screen}
                tab={tab}
                isActive={tab.terminalId === active}
                room={state.room}
                options={screenOptions}
                rings={tab.terminalId === ringing}
              />
            )
          );
        })}
        {state.tabs.length === 0 && state.connection.kind === 'connected' && (
          <div className="hf-empty">
            <span>No terminals in this session.</span>
            <button
              type="button"
              className="hf-button hf-button--main"
              onClick={() => void client.newTerminal()}
            >
              New terminal
            </button>
          </div>
        )}
        {searched && <SearchBar key={active} screen={searched} onClose={closeLayer} />}
      </main>
      <KeyRow
        isControlHeld={isControlHeld}
        onControl={() => setControlHeld(!isControlHeld)}
        onKey={(key) => {
          const terminal = active === null ? undefined : screenOf(active)?.terminal;
          terminal?.input(bytesOf(key, terminal.modes.applicationCursorKeysMode));
        }}
      />
      <StatusBar
        state={state}
        theme={preferences.theme}
        onRetry={() => client.retry()}
        onSessions={() => setLayer('sessions')}
        onTheme={() => changePreferences({ theme: nextTheme(preferences.theme) })}
        onCommands={() => perform('command_bar')}
        onHelp={() => setLayer('help')}
      />
      <Toasts toasts={state.toasts} onDismiss={(id) => client.dismissToast(id)} />
      {layer === 'commands' && (
        <CommandBar
          commands={state.commands}
          runs={state.runs}
          actions={pageActions({ preferences, changePreferences, perform, toast: client.toast.bind(client) })}
          onRun={(line) => void client.extensions.run(line)}
          onClose={closeCommands}
        />
      )}
      {layer === 'sessions' && <SessionSwitcher client={client} state={state} onClose={closeLayer} />}
      {layer === 'help' && <Help onClose={closeLayer} />}
      {question && (
        <Question
          key={question.id}
          question={question}
          onAnswer={(value) => {
            client.extensions.answer(question.id, value);
            requestAnimationFrame(focusActive);
          }}
        />
      )}
      {state.closing && (
        <Confirm
          title="Close the terminal?"
          text={`${state.closing.process} is running in it and would be ended.`}
          yes="Close"
          onYes={() => void client.confirmClose(state.closing?.terminalId ?? '').then(focusActive)}
          onNo={() => {
            client.cancelClose();
            requestAnimationFrame(focusActive);
          }}
        />
      )}
      {pasting && (
        <Confirm
          title={`Paste ${pasting.text.trimEnd().split(/\r\n|\r|\n/).length} lines?`}
          text="The program that runs here would take each line as soon as it is pasted; a shell would run them."
          code={pasting.text}
          yes="Paste"
          onYes={() => {
            pasting.answer(true);
            setPasting(null);
            requestAnimationFrame(focusActive);
          }}
          onNo={() => {
            pasting.answer(false);
            setPasting(null);
            requestAnimationFrame(focusActive);
          }}
        />
      )}
      {state.connection.kind === 'refused' && (
        <Refused why={state.connection.why} onSignIn={onSignIn} onRetry={() => client.retry()} />
      )}
    </div>
  );
}

function nextTheme(theme: 'system' | 'light' | 'dark' | 'contrast') {
  const next = { system: 'light', light: 'dark', dark: 'contrast', contrast: 'system' } as const;
  return next[theme];
}

async function copySelection(text: string): Promise<void> {
  if (text === '') return;
  // Pages that came without TLS have no clipboard.
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else document.execCommand('copy');
}

function notifyBell(client: TerminalsClient, terminalId: string): void {
  const tab = tabOf(client.state, terminalId);
  if (!tab || !document.hidden || !('Notification' in window) || Notification.permission !== 'granted')
    return;
  const notification = new Notification(labelOf(tab), {
    body: 'The bell rang.',
    tag: `holdfast-${terminalId}`,
  });
  notification.onclick = () => {
    window.focus();
    client.activate(terminalId);
    notification.close();
  };
}
