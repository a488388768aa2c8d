// Browser features that xterm.js needs on loading and jsdom lacks.

const unmatched = {
  matches: false,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
};

HTMLCanvasElement.prototype.getContext = () => null;
window.matchMedia ??= (() => unmatched) as never;
