// The daemon answers what programs ask their terminal, once, for all viewers. So this terminal emulator answers
// nothing: what it sends is what a person typed, pasted or clicked.

import type { Terminal } from '@xterm/xterm';

const focusReports = ['\x1b[I', '\x1b[O'];

/** Takes queries out, and returns a filter for what the emulator wants to send. */
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

  // Switching focus reports on makes xterm.js report the focus at once, from within the parser. Nobody moved it then.
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
