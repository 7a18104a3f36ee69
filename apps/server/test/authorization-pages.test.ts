import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createPages } from "@org/oauth-server";
import { samplePages } from "@org/oauth-server/testing";
import type { AxeResults } from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

const executablePath = process.env.CHROMIUM_PATH;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const states = Object.keys(samplePages);
const views = [360, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((scheme) => ({ width, height: width === 360 ? 740 : 800, scheme })),
);
const LEAST_TARGET = 44;

describe.skipIf(!executablePath)("the authorization pages in Chromium", () => {
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    const pages = createPages();
    server = createServer((request, response) => {
      const render = samplePages[request.url?.slice(1) ?? ""];
      response.writeHead(render ? 200 : 404, {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": `default-src 'none'; style-src ${pages.contentSources.style}`,
      });
      response.end(render?.(pages));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const args = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
    browser = await chromium.launch({ executablePath: executablePath ?? "", args });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    server?.closeAllConnections();
  });

  /** The page under its own policy; whatever that refuses is an error. */
  async function open(state: string) {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    onTestFinished(() => page.close());
    const errors: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => errors.push(message.text()));
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${state}`);
    await page.evaluate(axe);
    return { page, errors, requests };
  }

  it.each(states)("%s: axe finds nothing, it fits, fingers hit, on phone and desk, light and dark", async (state) => {
    const { page, requests, errors } = await open(state);
    for (const { width, height, scheme } of views) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      const found = [...(await overflow(page)), ...(await smallTargets(page)), ...(await violations(page))];
      expect(found, `${width} wide, ${scheme}`).toEqual([]);
    }
    expect(requests).toEqual([`/${state}`]);
    expect(errors).toEqual([]);
  });

  it.each(["review", "sign-in", "grants"])(
    "%s fits when letters are twice as large (WCAG 2.2, 1.4.4)",
    async (state) => {
      const { page } = await open(state);
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect(await overflow(page)).toEqual([]);
    },
  );

  it("step 2: Tab goes through it as it reads, and each stop is seen (WCAG 2.2, 2.4.3, 2.4.7)", async () => {
    const { page } = await open("review");
    expect(await tabStops(page)).toEqual([
      "Use different credentials",
      "connections:read",
      "connections:write",
      "investments:read",
      "letters:read",
      "letters:write",
      "connections:delete",
      "Approve",
      "Deny",
    ]);
  });

  it("step 1: Tab goes from the client ID to the secret, Continue and Cancel", async () => {
    const { page } = await open("sign-in");
    expect(await tabStops(page)).toEqual(["client_id", "client_secret", "Continue", "Cancel"]);
  });

  it("the words of a permission are its checkbox's name, and a click on them counts", async () => {
    const { page } = await open("review");
    const deletion = page.getByRole("group", { name: "Deletion" }).getByRole("checkbox");
    expect(await deletion.count()).toBe(1);
    await page.getByText("Delete connected banks").click();
    expect(await deletion.isChecked()).toBe(false);
    expect(await page.getByRole("checkbox", { name: /^See investments/ }).isChecked()).toBe(true);
  });
});

/** Rules of WCAG 2.2 A and AA, and good practice. */
async function violations(page: Page): Promise<string[]> {
  const options = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
  const results = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  expect(results.passes.length).toBeGreaterThan(10);
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Elements that stick out of the page at the right. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const width = document.documentElement.clientWidth;
    const out = [...document.querySelectorAll("body *")].filter((each) => !each.closest(".spoken")).filter((each) => each.getBoundingClientRect().right > width + 0.5);
    return [...(document.documentElement.scrollWidth > width ? ["the page scrolls"] : []), ...out.map((each) => each.outerHTML)];
  })()`);
}

/** Controls that a finger misses: of a checkbox the whole label counts. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll("button, a, input:not([type=hidden]), select")]
    .map((each) => each.closest("label") ?? each)
    .filter((each) => Math.min(each.getBoundingClientRect().height, each.getBoundingClientRect().width) < ${LEAST_TARGET})
    .map((each) => each.outerHTML)`);
}

/** What Tab stops at, by value, name or words; each must have an outline that is drawn. */
async function tabStops(page: Page): Promise<string[]> {
  const stops: string[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const stop = (await page.evaluate(`(() => {
      const { activeElement: at } = document;
      if (at === document.body) return null;
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      const seen = outlineStyle === "solid" && parseFloat(outlineWidth) >= 3;
      const { type, value, name, textContent } = at;
      return (seen ? "" : "unseen: ") + (type === "checkbox" ? value : textContent || name);
    })()`)) as string | null;
    if (stop === null || stops.length > 30) return stops;
    stops.push(stop);
  }
}
