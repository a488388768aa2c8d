// An exception while xterm.js takes bytes in would stop it for good: what it was given later waits behind them.

import type { Terminal } from '@xterm/xterm';

interface Core {
  _core: { _inputHandler: { parse(data: string | Uint8Array, result?: boolean): unknown } };
}

/** Has `failed` called instead, and the rest of those bytes left out. What is shown is not to be trusted any more. */
export function catchFailures(terminal: Terminal, failed: (error: unknown) => void): void {
  const handler = (terminal as unknown as Core)._core._inputHandler;
  const parse = handler.parse.bind(handler);
  handler.parse = (data, result) => {
    try {
      return parse(data, result);
    } catch (error) {
      failed(error);
      return undefined;
    }
  };
}
