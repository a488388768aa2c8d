// Fingers that the browser believes in.

export const phone = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true, permissions: ["clipboard-read", "clipboard-write"] };

export class Finger {
  static async on(page, context) {
    const finger = new Finger();
    finger.page = page;
    finger.input = await context.newCDPSession(page.page);
    return finger;
  }

  #send(type, ...points) {
    return this.input.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  }

  down(x, y) {
    return this.#send("touchStart", [x, y]);
  }

  move(x, y) {
    return this.#send("touchMove", [x, y]);
  }

  up() {
    return this.#send("touchEnd");
  }

  async drag(x, from, to) {
    await this.down(x, from);
    for (let step = 1; step <= 10; ++step) await this.move(x, from + ((to - from) * step) / 10);
    await this.up();
  }

  // Two fingers, one above the other, so many pixels apart.
  async pinch(x, y, from, to) {
    const at = (apart) => [
      [x, y - apart / 2],
      [x, y + apart / 2],
    ];
    await this.#send("touchStart", ...at(from));
    for (let step = 1; step <= 10; ++step) await this.#send("touchMove", ...at(from + ((to - from) * step) / 10));
    await this.#send("touchEnd");
  }
}
