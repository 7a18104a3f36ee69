// Takes pictures of the authorization pages, the widget, the views for MCP hosts and the console, into artifacts/screenshots: on a phone and on a
// desktop, light and dark. Pictures that a page of docs/ shows are copied to docs/screenshots. Needs Chromium.
//
//   node scripts/screenshots.mjs [state…] [--all] [--view desktop-dark]
//                                                           --all: every sample state, for inspection
//   node scripts/screenshots.mjs widget-qr widget-done               widget states start with widget-, views with view-, screens of
//                                                           the console with console-; these need a build
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { artifactFolder } from "./artifacts.mjs";
import { chromiumArguments, chromiumPath } from "./chromium.mjs";
import { consoleScreens, showConsole } from "./console-screens.mjs";
import { picturesOnPages } from "./pages.mjs";
import { root } from "./step.mjs";
import { showViews, viewScreens } from "./view-screens.mjs";
import { showWidget, widgetScreens } from "./widget-screens.mjs";

const shown = [
  ...["sign-in", "sign-in-wrong", "sign-in-people", "sign-in-operator", "review", "review-no-scope", "review-person"],
  ...["notice-expired", "grants", "grants-of-person", "grants-empty"],
];
const allViews = [
  { name: "phone-light", viewport: { width: 360, height: 740 }, colorScheme: "light" },
  { name: "phone-dark", viewport: { width: 360, height: 740 }, colorScheme: "dark" },
  { name: "desktop", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  { name: "desktop-dark", viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
];
/** The most bytes of a picture on a page. Tables contain much text. */
const maxOf = (name) => (name.startsWith("console-") ? 120_000 : 70_000);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean" },
    view: { type: "string" },
  },
});
const views = allViews.filter(({ name }) => values.view === undefined || values.view === name);
if (views.length === 0) {
  console.error(`There is no view ${values.view}: there are ${allViews.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), "screenshots-"));
const context = { executablePath: chromiumPath(), args: chromiumArguments };
const drawnTo = artifactFolder("screenshots");
const shownOnPages = picturesOnPages();
const browser = await chromium.launch(context);
try {
  const { createPages, samplePages } = await pagesFromSource();
  const ofWidget = (state) => state.startsWith("widget-");
  const ofView = (state) => state.startsWith("view-");
  const ofConsole = (state) => state.startsWith("console-");
  const asked =
    positionals.length > 0
      ? positionals.filter((state) => !ofWidget(state) && !ofView(state) && !ofConsole(state))
      : values.all
        ? Object.keys(samplePages)
        : shown;
  const screens = positionals.length > 0 ? positionals.filter(ofWidget).map((state) => state.slice(7)) : widgetScreens;
  const shownViews = positionals.length > 0 ? positionals.filter(ofView).map((state) => state.slice(5)) : viewScreens;
  const ofConsoleAsked = positionals.filter(ofConsole).map((state) => state.slice(8));
  const consoles = positionals.length > 0 ? ofConsoleAsked : consoleScreens;
  for (const view of views)
    for (const state of asked)
      await draw(`authorization-${state}-${view.name}`, view, samplePages[state](createPages()));
  if (screens.length > 0)
    await showWidget(browser, screens, views, (screen, page, view) => keep(`widget-${screen}-${view.name}`, page));
  if (shownViews.length > 0)
    await showViews(browser, shownViews, views, (name, page, view) => keep(`view-${name}-${view.name}`, page));
  if (consoles.length > 0)
    await showConsole(browser, consoles, views, (name, page, view) => keep(`console-${name}-${view.name}`, page));
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}

async function draw(name, { viewport, colorScheme }, html) {
  const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
  await page.setContent(html);
  await keep(name, page);
  await page.close();
}

/** The whole page; if it is longer than three screens, such as a list, only the first screen. */
async function keep(name, page) {
  const { width, height: screen } = page.viewportSize();
  const whole = await page.evaluate("document.documentElement.scrollHeight");
  const height = whole <= 3 * screen ? Math.max(whole, screen) : screen;
  const browserSide = await page.context().newCDPSession(page);
  // Half the size of a PNG, and text stays sharp; Playwright itself supports only PNG and JPEG.
  const { data } = await browserSide.send("Page.captureScreenshot", {
    format: "webp",
    quality: 80,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  await browserSide.detach();
  const picture = Buffer.from(data, "base64");
  const size = picture.length;
  writeFileSync(join(drawnTo, `${name}.webp`), picture);
  console.log(`${String(size).padStart(6)} bytes  ${name}`);
  if (!shownOnPages.has(`docs/screenshots/${name}.webp`)) return;
  if (size > maxOf(name)) throw new Error(`${name} is larger than ${maxOf(name)} bytes`);
  writeFileSync(join(root, `docs/screenshots/${name}.webp`), picture);
}

/** Bundled from the sources, so that no build is needed first; esbuild comes with tsup. */
async function pagesFromSource() {
  const tsup = createRequire(join(root, "package.json")).resolve("tsup");
  const { build } = createRequire(tsup)("esbuild");
  const outfile = join(scratch, "pages.mjs");
  const contents = `
    export { createPages } from "./pages/create-pages.ts";
    export { samplePages } from "./testing/sample-pages.ts";`;
  await build({
    stdin: { contents, resolveDir: join(root, "packages/oauth-server/src") },
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@org/source"],
    outfile,
    logLevel: "error",
  });
  return import(outfile);
}
