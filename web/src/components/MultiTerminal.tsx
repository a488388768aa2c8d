// Terminal tabs and everything around them. This is the component to embed; the page adds little.

import { useCallback, useEffect, useRef, useState } from 'react';
import '@xterm/xterm/css/xterm.css';
import './common.css';
import { bytesOf, type Held, withHeld } from '../actions/extraKeys';
import { goToLine } from '../actions/goToLine';
import type { PaletteContext } from '../actions/palette';
import { type ActionContext, type Layer, perform } from '../actions/perform';
import { actionOf, keysFor, type ShortcutAction } from '../actions/shortcuts';
import { ring } from '../browser/bell';
import type { TerminalsOptions } from '../browser/createTerminals';
import type { TerminalsClient } from '../terminals/client';
import { nothing } from '../terminals/find';
import { moved } from '../terminals/order';
import { groupsOf, groupWith, inOrder } from '../terminals/paneState';
import { mayChange, mayCreate } from '../terminals/scope';
import { labelOf, tabOf } from '../terminals/state';
import { type Attention, attentionOf } from '../terminals/urgency';
import { words } from '../words';
import { toldTheme } from '../xterm/themes';
import { KeyRow } from './KeyRow';
import { Layers, type OwnQuestion } from './Layers';
import { loadParts } from './later';
import './MultiTerminal.css';
import { Panes } from './Panes';
import { Refused } from './Refused';
import { useRunNotice } from './Runs';
import { SearchBar } from './SearchBar';
import { StatusBar } from './StatusBar';
import { TabBar, tabOfGroup } from './TabBar';
import { Toasts } from './Toasts';
import { useFiles } from './useFiles';
import { useLooks } from './useLooks';
import { useMenus } from './useMenus';
import { useNotices } from './useNotices';
import { usePageKeys } from './usePageKeys';
import { usePinch } from './usePinch';
import { SettingsContext, usePreferences, useSettings } from './usePreferences';
import { useProfiles } from './useProfiles';
import { useTerminals } from './useTerminals';

export interface MultiTerminalProps extends TerminalsOptions {
  /** This component fills the page, so it also handles keys while nothing has the focus. */
  fillsPage?: boolean;
  /** Signs in with a pasted token. Resolves to an error message, or to nothing on success. */
  onSignIn?(token: string): Promise<string | undefined>;
  /** Why an earlier attempt to sign in failed. */
  signInProblem?: string | undefined;
  /** Signs this browser out. */
  onSignOut?(): Promise<void>;
  /** Signs out the user's other browsers. Resolves to a message for the user. */
  onSignOutOthers?(): Promise<string>;
  /** The active terminal's title changed, for use as the window's title. */
  onTitle?(title: string): void;
  /** What a person has to see to has changed, for the window's title and icon. */
  onAttention?(attention: Attention): void;
  /** Hands out the client, for programmatic control. */
  onClient?(client: TerminalsClient): void;
}

const ringsFor = 200;
/** The terminal is drawn first. In milliseconds. */
const partsAfter = 1000;
const noneHeld: Held = { control: false, alt: false };
/** What takes keys itself. The focus is not taken away from it. */
const takesKeys =
  'dialog[open], .hf-question:focus-within, .hf-search:focus-within, .hf-pane__header:focus-within, .hf-divider:focus, .hf-menu, [role="tab"]:focus, .hf-tab__rename';

export function MultiTerminal({
  fillsPage = false,
  onSignIn,
  signInProblem,
  onSignOut,
  onSignOutOthers,
  onTitle,
  onAttention,
  onClient,
  ...options
}: MultiTerminalProps) {
  const terminals = useTerminals(options, useLooks(usePreferences()[0]).usual);
  const settings = useSettings(terminals.client);
  const [preferences, changePreferences] = usePreferences(settings);
  const { keys, bell } = preferences;
  const looks = useLooks(preferences);
  const { theme } = looks;
  const { client, state, screenOf, configure, page } = terminals;
  const [layer, setLayer] = useState<Layer>('none');
  const [renaming, setRenaming] = useState<string | null>(null);
  const [asking, setAsking] = useState<OwnQuestion | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [held, setHeld] = useState<Held>(noneHeld);
  const [find, setFind] = useState(nothing);
  const [ringing, setRinging] = useState<string | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const { active } = state;
  const activeTab = tabOf(state, active);
  const title = activeTab ? labelOf(activeTab) : '';

  const focusActive = useCallback(() => {
    const { active } = client.state;
    if (active !== null) screenOf(active)?.terminal.focus();
  }, [client, screenOf]);

  /** For whatever closes: by the next frame a person may have opened something else. */
  const giveFocusBack = useCallback(() => {
    requestAnimationFrame(() => {
      if (!root.current?.querySelector(takesKeys)) focusActive();
    });
  }, [focusActive]);

  // A button over a terminal goes when it has done its work, and must not take the focus along.
  useEffect(() => {
    const main = root.current?.querySelector('.hf-main');
    main?.addEventListener('click', giveFocusBack);
    return () => main?.removeEventListener('click', giveFocusBack);
  }, [giveFocusBack]);

  const closeLayer = useCallback(() => {
    setLayer('none');
    giveFocusBack();
  }, [giveFocusBack]);

  useRunNotice(state.runs, layer === 'commands', keysFor('command_bar', keys), (text) =>
    client.toast('info', text),
  );
  useEffect(() => {
    onTitle?.(title);
  }, [title, onTitle]);
  const { kind, waiting } = attentionOf(state.tabs);
  useEffect(() => {
    onAttention?.({ kind, waiting });
  }, [kind, waiting, onAttention]);
  useEffect(() => {
    onClient?.(client);
  }, [client, onClient]);
  useEffect(() => {
    configure(looks.usual);
  }, [configure, looks]);
  const { colours } = looks.usual;
  useEffect(() => {
    client.setTheme(toldTheme(colours));
  }, [client, colours]);

  const isRefused = state.connection.kind === 'refused';
  const isMeasured = state.panes.area !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: focus the active tab when it changes, once it can be shown, and after signing in.
  useEffect(() => {
    if (!isRefused && !root.current?.querySelector(takesKeys)) focusActive();
  }, [active, isMeasured, isRefused, focusActive]);

  useEffect(() => {
    const onFocus = () => {
      client.takeSizes();
    };
    addEventListener('focus', onFocus);
    return () => removeEventListener('focus', onFocus);
  }, [client]);

  useEffect(() => {
    page.isShortcut = (event) => actionOf(event, keys) !== undefined;
    const ask = (about: OwnQuestion['about'], text: string, isRisky = false) =>
      new Promise<boolean>((resolve) => {
        const answer = (isWanted: boolean) => {
          setAsking(null);
          resolve(isWanted);
          giveFocusBack();
        };
        setAsking({ about, text, isRisky, answer });
      });
    page.confirmPaste = (text, isRisky) => ask('paste', text, isRisky);
    page.link = { hover: setHovered, confirm: (target) => ask('link', target) };
    page.bell = (terminalId) => {
      if (ring(bell)) {
        setRinging(terminalId);
        setTimeout(() => setRinging(null), ringsFor);
      }
    };
  }, [page, giveFocusBack, keys, bell]);

  useEffect(() => {
    page.typed = (data) => {
      if (held !== noneHeld) setHeld(noneHeld);
      return withHeld(data, held);
    };
  }, [page, held]);

  const isThere = activeTab?.status.kind === 'connected';
  useEffect(() => {
    if (!isThere) return;
    const timer = setTimeout(loadParts, partsAfter);
    return () => clearTimeout(timer);
  }, [isThere]);

  const files = useFiles(terminals, layer === 'download', closeLayer);
  const rename = (terminalId: string | null) => {
    if (mayChange(state.scope)) setRenaming(terminalId);
  };
  const context: ActionContext = {
    client,
    screenOf,
    preferences,
    changePreferences,
    setLayer,
    rename,
    upload: files.upload,
    focusTabs: () => root.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus(),
    focusBelow: () => focusNext(root.current, ['.hf-question', '.hf-toasts', '.hf-status']),
  };
  const act = (action: ShortcutAction) => perform(action, context);
  usePageKeys({ root, fillsPage, keys, focusActive, perform: act });
  const newTerminal = useProfiles(client, settings);
  const { unread } = useNotices(client, settings);
  const palette: PaletteContext = {
    client,
    preferences,
    changePreferences,
    setLayer,
    newTerminal,
    perform: act,
    toast: client.toast.bind(client),
    onSignOut,
    onSignOutOthers,
  };
  const menu = useMenus({ root, page, context, act, newTerminal, onClosed: giveFocusBack });
  usePinch(page, changePreferences);

  const searched = layer === 'search' && active !== null ? screenOf(active) : undefined;
  const shown = (
    <div
      className="hf-root"
      data-theme={theme}
      data-connection={state.connection.kind}
      ref={root}
      {...files.drag}
    >
      <TabBar
        tabs={groupsOf(state).map((group) => tabOfGroup(state, group))}
        session={state.session}
        active={active}
        renaming={renaming}
        scope={state.scope}
        onActivate={(terminalId) => client.activate(terminalId)}
        onClose={(terminalId) => void client.closeTerminal(terminalId)}
        onNew={() => void client.newTerminal()}
        onRename={(terminalId, name) => void client.rename(terminalId, name)}
        onRenaming={(terminalId) => {
          rename(terminalId);
          if (terminalId === null) focusActive();
        }}
        onDropped={({ terminalId, isWhole }, before) => {
          if (!isWhole) client.panes.toTab(terminalId);
          const leads = groupsOf(client.state).map(({ lead }) => lead);
          const lead = groupWith(client.state, terminalId)?.lead;
          if (lead !== undefined) void client.reorder(inOrder(client.state, moved(leads, lead, before)));
        }}
        onLeave={focusActive}
      />
      <main className="hf-main">
        <Panes client={client} state={state} screenOf={screenOf} optionsOf={looks.of} ringing={ringing} />
        {state.tabs.length === 0 && state.connection.kind === 'connected' && (
          <div className="hf-empty">
            <span>{words.terminal.empty}</span>
            {mayCreate(state.scope) && (
              <button
                type="button"
                className="hf-button hf-button--main"
                onClick={() => void client.newTerminal()}
              >
                {words.actions.new_terminal}
              </button>
            )}
          </div>
        )}
        {state.connection.kind === 'waiting' && state.connection.isAway && (
          <div className="hf-card hf-card--floating hf-main__away" role="status">
            <strong>{words.connection.awayTitle(location.host)}</strong>
            <span>{words.connection.awayText}</span>
          </div>
        )}
        {hovered !== null && <div className="hf-card hf-main__target">{hovered}</div>}
        {searched && (
          <SearchBar
            key={active}
            screen={searched}
            onEverywhere={(wanted) => {
              setFind(wanted);
              setLayer('search all');
            }}
            onClose={closeLayer}
          />
        )}
      </main>
      <KeyRow
        keys={preferences.extraKeys}
        held={held}
        onHeld={setHeld}
        onKey={(key) => {
          const terminal = active === null ? undefined : screenOf(active)?.terminal;
          terminal?.input(bytesOf(key, terminal.modes.applicationCursorKeysMode));
        }}
        onCopy={() => act('copy')}
        onPaste={() => act('paste')}
      />
      <StatusBar
        state={state}
        theme={preferences.theme}
        onRetry={() => client.retry()}
        onSessions={() => setLayer('sessions')}
        onTheme={() => changePreferences({ theme: nextTheme(preferences.theme) })}
        unread={unread}
        onNotices={() => setLayer('notices')}
        onCommands={() => act('command_bar')}
        onHelp={() => setLayer('help')}
      />
      <Toasts toasts={state.toasts} onDismiss={(id) => client.dismissToast(id)} onLeave={giveFocusBack} />
      <Layers
        client={client}
        state={state}
        layer={layer}
        palette={palette}
        asking={asking}
        find={find}
        onFind={setFind}
        onGo={(line) => {
          closeLayer();
          void goToLine(client, screenOf, line);
        }}
        colours={colours}
        onClose={closeLayer}
        onAnswered={giveFocusBack}
      />
      {files.shown}
      {menu}
      {state.connection.kind === 'refused' && (
        <Refused
          why={state.connection.why}
          problem={signInProblem}
          onSignIn={onSignIn}
          onRetry={() => client.retry()}
        />
      )}
    </div>
  );
  return <SettingsContext value={settings}>{shown}</SettingsContext>;
}

/** Moves the focus to the part after the one that has it, of those that have something to press. */
function focusNext(root: HTMLElement | null, parts: string[]): void {
  const found = parts
    .map((part) => root?.querySelector<HTMLElement>(part))
    .map((part) => part?.querySelector<HTMLElement>('[data-focus="true"]') ?? part?.querySelector('button'))
    .filter((each) => each instanceof HTMLElement);
  const at = parts.findIndex((part) => document.activeElement?.closest(part));
  const next = found.find((each) => parts.findIndex((part) => each.closest(part)) > at) ?? found[0];
  next?.focus();
}

function nextTheme(theme: 'system' | 'light' | 'dark' | 'contrast') {
  const next = { system: 'light', light: 'dark', dark: 'contrast', contrast: 'system' } as const;
  return next[theme];
}
