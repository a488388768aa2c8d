// An exception while xterm.js parses output would stop it for good: later writes would never run.

import type { Terminal } from '@xterm/xterm';

interface Core {
  _core: { _inputHandler: { parse(data: string | Uint8Array, result?: boolean): unknown } };
}

/**
 * Calls `failed` instead, and skips the rest of those bytes. The screen can be wrong from then on.
 */
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
