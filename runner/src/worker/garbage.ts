// Collects the garbage of a session's thread, so that only what lives is held against it.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

export function collectGarbage() {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  }
  // Buffers are freed after the collection that found them; a second one waits for that.
  collect();
  collect();
}
