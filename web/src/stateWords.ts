// The words of words.ts for what terminals do and for what happened in them.

/** The first line of a command. */
function oneLine(command: string): string {
  const [first = '', ...rest] = command.split('\n');
  return rest.length > 0 ? `${first} …` : first;
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

export const stateWords = {
  noticeTexts: {
    ended: (command: string | undefined, code: number | undefined, time: string) => {
      const what = command ? oneLine(command) : 'A command';
      if (code === undefined) return `${what} ended after ${time}`;
      return code === 0 ? `${what} succeeded after ${time}` : `${what} failed with ${code} after ${time}`;
    },
    blocked: (command?: string) => (command ? `${oneLine(command)} is waiting for you` : 'Waiting for you'),
    done: (command?: string) => (command ? `${oneLine(command)} is done` : 'Done'),
  },
  noticeList: {
    placeholder: 'Find what happened',
    none: 'Nothing has happened yet. Commands that end after a while, bells, and programs that wait for you are listed here.',
    button: (unread: number) => `${counted(unread, 'notice')} not seen`,
  },
  rules: {
    all: 'Tell me everything',
    waiting: 'Tell me only when it waits',
    none: 'Tell me nothing',
    chosen: (rule: string) => `✓ ${rule}`,
  },
  overview: {
    filter: 'Find a terminal',
    none: 'No terminals.',
    session: (name: string, count: number) => `${name} · ${counted(count, 'terminal')}`,
    footer: 'Arrow keys move, Enter goes there, Escape closes.',
  },
  states: {
    prompt: 'At the prompt',
    running: (command?: string) => (command ? `${oneLine(command)} is running` : 'Running'),
    lasting: (time: string) => `, for ${time}`,
    progress: (percent: number) => `${percent} %`,
    succeeded: (command?: string) => (command ? `${oneLine(command)} succeeded` : 'Done'),
    failed: (command?: string, code?: number) =>
      `${command ? `${oneLine(command)} failed` : 'Failed'}${code === undefined ? '' : ` with ${code}`}`,
    waiting: (command?: string) => (command ? `${oneLine(command)} is waiting for you` : 'Waiting for you'),
  },
  durations: {
    seconds: (count: number) => `${count} s`,
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    days: (count: number) => `${count} d`,
  },
};
