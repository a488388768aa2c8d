// What xterm.js asks of a browser when it is loaded and made, and jsdom does not have.

const unmatched = {
  matches: false,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
};

HTMLCanvasElement.prototype.getContext = () => null;
window.matchMedia ??= (() => unmatched) as never;
