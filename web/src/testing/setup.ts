// What xterm.js asks of a browser when it is loaded, and jsdom does not have.

HTMLCanvasElement.prototype.getContext = () => null;
window.matchMedia ??= (() => ({ addListener() {}, removeListener() {} })) as never;
