// The daemon answers programs' queries, once for all viewers. So this emulator answers none: it
// only sends what a person typed, pasted or clicked.

import type { Terminal } from '@xterm/xterm';

const focusReports = ['\x1b[I', '\x1b[O'];

/** Removes queries, and returns a filter for what the emulator sends. */
export function keepQuiet(terminal: Terminal): (data: string) => boolean {
  const { parser } = terminal;
  const swallow = () => true;
  for (const final of ['c', 'n']) {
    parser.registerCsiHandler({ final }, swallow);
    parser.registerCsiHandler({ prefix: '?', final }, swallow);
    parser.registerCsiHandler({ prefix: '>', final }, swallow);
    parser.registerCsiHandler({ prefix: '=', final }, swallow);
  }
  parser.registerCsiHandler({ intermediates: '$', final: 'p' }, swallow);
  parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, swallow);
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, swallow);
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow);
  parser.registerDcsHandler({ intermediates: '+', final: 'q' }, swallow);
  for (const number of [4, 10, 11, 12])
    parser.registerOscHandler(number, (data) => data.split(';').includes('?'));

  // When a program enables focus reports, xterm.js sends one from within the parser, though the
  // focus did not move.
  let switching = false;
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => {
    if (params.flat().includes(1004)) {
      switching = true;
      queueMicrotask(() => {
        switching = false;
      });
    }
    return false;
  });
  return (data) => !(switching && focusReports.includes(data));
}
