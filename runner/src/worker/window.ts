// Lets only so many calls be under way at once. The others wait here, so that a session that makes
// very many does not fill what all sessions share.

type Call = (method: string, params: object) => Promise<unknown>;

const mostAtOnce = 64;
/** These take as long as a person or a program does. */
const long = new Set(['ui.ask', 'process.wait', 'reload', 'agent.call']);

export function inWindow(call: Call): Call {
  let waiting: (() => void)[] = [];
  let next = 0;
  let underWay = 0;
  const enter = () => {
    if (underWay < mostAtOnce) {
      underWay += 1;
      return undefined;
    }
    return new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = () => {
    const successor = waiting[next];
    if (!successor) {
      underWay -= 1;
      waiting = [];
      next = 0;
      return;
    }
    next += 1;
    successor();
  };
  return async (method, params) => {
    if (long.has(method)) return call(method, params);
    const turn = enter();
    if (turn) await turn;
    try {
      return await call(method, params);
    } finally {
      leave();
    }
  };
}
