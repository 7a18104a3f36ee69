import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createPages } from "@org/oauth-server";
import { samplePages } from "@org/oauth-server/testing";
import { pageLanguages } from "@org/pages";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startChromium } from "./chromium-person.js";
import { audit, overflow } from "./page-audit.js";

const executablePath = process.env.CHROMIUM_PATH;
const states = Object.keys(samplePages);

describe.skipIf(!executablePath)("the authorization pages in Chromium", () => {
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const [, state = "", tag = "en"] = request.url?.split("/") ?? [];
      const pages = createPages(pageLanguages.find((language) => language === tag));
      const render = samplePages[state];
      response.writeHead(render ? 200 : 404, {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": `default-src 'none'; style-src ${pages.contentSources.style}`,
      });
      response.end(render?.(pages));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    browser = await startChromium(executablePath ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    server?.closeAllConnections();
  });

  /** The page under its own policy; whatever the policy refuses is an error. */
  async function open(state: string) {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    onTestFinished(() => page.close());
    const errors: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => errors.push(message.text()));
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${state}`);
    return { page, errors, requests };
  }

  it.each(states)("%s: axe finds nothing, it fits, fingers hit, on phone and desk, light and dark", async (state) => {
    const { page, requests, errors } = await open(state);
    for (const [width, height, seen] of [
      [360, 740, "first"],
      [1280, 800, "another"],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await audit(page, seen), `${width} wide`).toEqual([]);
    }
    expect(requests).toEqual([`/${state}`]);
    expect(errors).toEqual([]);
  });

  it.each(pageLanguages.slice(1))(
    "[C-3.41] in %s each page fits and no word is cut off, at three sizes",
    async (language) => {
      const { page, errors } = await open(`sign-in/${language}`);
      for (const state of states) {
        await page.goto(new URL(`/${state}/${language}`, page.url()).href);
        for (const [width, height] of [
          [320, 640],
          [390, 844],
          [1280, 800],
        ] as const) {
          await page.setViewportSize({ width, height });
          expect(await overflow(page), `${state}, ${width} wide`).toEqual([]);
        }
        await picture(page, `${state}-${language}`);
      }
      for (const state of ["sign-in-too-many", "review-some-clients", "notice-defect", "grants-limited"]) {
        await page.goto(new URL(`/${state}/${language}`, page.url()).href);
        expect(await audit(page), state).toEqual([]);
      }
      expect(errors).toEqual([]);
    },
  );

  it.each(["review", "sign-in", "grants"])(
    "%s fits when letters are twice as large (WCAG 2.2, 1.4.4)",
    async (state) => {
      const { page } = await open(state);
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect(await overflow(page)).toEqual([]);
    },
  );

  it("step 2: a long list of clients keeps to itself, and what decides comes soon after it", async () => {
    const { page } = await open("review-many-clients");
    const list = page.locator(".some .choices");
    expect((await list.boundingBox())?.height).toBeLessThan(740);
    await page.getByRole("checkbox", { name: "M-1069" }).check();
    expect(await page.getByRole("checkbox", { name: "M-1069" }).isChecked()).toBe(true);
  });

  it("step 2: Tab goes through it as it reads, and each stop is seen (WCAG 2.2, 2.4.3, 2.4.7)", async () => {
    const { page } = await open("review");
    expect(await tabStops(page)).toEqual([
      "Use different credentials",
      "connections:read",
      "connections:write",
      "investments:read",
      "letters:read",
      "letters:write",
      "events:read",
      "events:write",
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
    expect(await deletion.isChecked()).toBe(true);
    expect(await page.getByRole("checkbox", { name: /^See investments/ }).isChecked()).toBe(true);
  });
});

/** With PICTURES=folder, for looking at the pages by eye, on a phone and on a desk. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder === undefined) return;
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
}

/** The elements that Tab reaches, by value, name or text; each must have a visible outline. */
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
