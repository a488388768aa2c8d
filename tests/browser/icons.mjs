// Draws the icons of an installed page from web/public/icon.svg: `node tests/browser/icons.mjs`.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { launch } from "./page.mjs";

const folder = fileURLToPath(new URL("../../web/public/", import.meta.url));
const svg = readFileSync(`${folder}icon.svg`, "utf8");
const ground = "#1e2126";

// A maskable icon may be cut to a circle of four fifths of its width, and has no corners of its own.
const icons = [
  { name: "icon-180", size: 180, share: 1, ground },
  { name: "icon-192", size: 192, share: 1 },
  { name: "icon-512", size: 512, share: 1 },
  { name: "icon-maskable-512", size: 512, share: 0.8, ground },
];

const browser = await launch();
try {
  for (const { name, size, share, ground = "transparent" } of icons) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body { margin: 0; height: 100vh; display: grid; place-items: center; background: ${ground} } svg { width: ${share * 100}vw }</style>${svg}`);
    await page.screenshot({ path: `${folder}${name}.png`, omitBackground: true });
    await page.close();
  }
} finally {
  await browser.close();
}
