// The package's public exports.

export {
  createTerminals,
  type PageEvents,
  type TerminalsOptions,
  type TerminalsParts,
} from './browser/createTerminals';
export { probe } from './browser/probe';
export { MultiTerminal, type MultiTerminalProps } from './components/MultiTerminal';
export { type Terminals, useTerminals } from './components/useTerminals';
export { Connection, LostError, RefusedError, type Socket, subprotocol } from './protocol/connection';
export { decodeFrame, encodeFrame, type Frame, type FrameKind } from './protocol/frames';
export * from './protocol/messages';
export { MalformedError } from './protocol/shape';
export type { TabScreen } from './terminals/attachments';
export { type ClientOptions, TerminalsClient } from './terminals/client';
export type { Screen } from './terminals/feed';
export {
  type ConnectionState,
  labelOf,
  type Refusal,
  type Size,
  type State,
  type Tab,
  type TabStatus,
} from './terminals/state';
export { type ScreenOptions, XtermScreen } from './xterm/screen';
export type { ThemeName } from './xterm/themes';
