// A component with keys and a timer, as games and panels for pi have them.

import type { ExtensionAPI, Theme } from "@earendil-works/pi-coding-agent";
import { type Component, Key, matchesKey, type TUI, truncateToWidth } from "@earendil-works/pi-tui";

class Counter implements Component {
	private count = 0;
	private ticks = 0;
	private timer: ReturnType<typeof setInterval>;

	constructor(
		private tui: TUI,
		private theme: Theme,
		private label: string,
		private done: (count: number | null) => void,
	) {
		this.timer = setInterval(() => {
			this.ticks++;
			this.tui.requestRender();
		}, 20);
	}

	handleInput(data: string): void {
		if (matchesKey(data, Key.escape)) this.done(null);
		else if (matchesKey(data, Key.enter)) this.done(this.count);
		else if (matchesKey(data, "up")) this.count++;
		this.tui.requestRender();
	}

	invalidate(): void {}

	render(width: number): string[] {
		const ticking = this.ticks > 3 ? "ticking" : "still";
		return [truncateToWidth(this.theme.fg("accent", `${this.label}: ${this.count} (${ticking}, ${width} wide)`), width)];
	}

	dispose(): void {
		clearInterval(this.timer);
	}
}

export default function (pi: ExtensionAPI) {
	pi.registerCommand("count", {
		description: "Counts with the arrow keys",
		handler: async (args, ctx) => {
			if (ctx.mode !== "tui") {
				ctx.ui.notify("count requires TUI mode", "error");
				return;
			}
			const count = await ctx.ui.custom<number | null>((tui, theme, _keybindings, done) => new Counter(tui, theme, args || "count", done));
			ctx.ui.notify(count === null || count === undefined ? "gave up" : `counted ${count}`, "info");
		},
	});
}
