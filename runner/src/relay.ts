// The program of a terminal that an extension draws in: passes keys and the terminal's size to the
// session's thread, and what that draws to the terminal. Its one argument is the thread's socket.

import { connect } from 'node:net';

const { stdin, stdout } = process;
const socket = connect(process.argv[2] ?? '');
const send = (message: object) => socket.write(`${JSON.stringify(message)}\n`);
const sendSize = () => send({ columns: stdout.columns, rows: stdout.rows });

stdin.setRawMode(true);
stdin.setEncoding('utf8').on('data', (input) => send({ input }));
stdin.on('end', () => process.exit());
stdout.on('resize', sendSize);
socket.on('connect', sendSize);
socket.on('error', ({ message }) => {
  console.error(`the extension cannot draw here: ${message}`);
  process.exit(1);
});
socket.on('data', (drawn) => stdout.write(drawn));
// What was drawn last is written before the program ends.
socket.on('close', () => stdout.write('', () => process.exit()));
