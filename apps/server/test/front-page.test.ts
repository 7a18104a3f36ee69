import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sessionLanguages } from "@org/core";
import { readConfig } from "@org/installation";
import { createOpenApiDocument } from "@org/rest-api";
import express from "express";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { frontPages } from "../src/features/front-page.js";
import { startChromium } from "./chromium-person.js";
import { audit, overflow } from "./page-audit.js";

const executablePath = process.env.CHROMIUM_PATH;
const publicUrl = "https://wealth.example";
const config = readConfig({});

let server: Server;
let origin: string;
beforeAll(async () => {
  const { routes } = frontPages({ config, publicUrl });
  server = createServer(
    express()
      .disable("etag")
      .use(routes?.handle ?? []),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
/** Sets its own Cache-Control in place of the no-cache that fetch adds to conditional requests. */
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(origin + path, { headers: { "cache-control": "max-age=0", ...headers } });

describe("[C-1.80] the front page", () => {
  it("[C-14.873] says in the language asked for what runs here, and where to go: to the console too", async () => {
    const { version } = await import("../package.json", { with: { type: "json" } }).then((json) => json.default);
    const titles = new Set<string>();
    for (const language of sessionLanguages) {
      const answer = await get("/", { "accept-language": `${language}-CH, en;q=0.5` });
      const text = await answer.text();
      expect([answer.headers.get("content-language"), text]).toEqual([
        language,
        expect.stringContaining(`<html lang="${language}">`),
      ]);
      for (const part of [
        `<code>${publicUrl}/mcp</code>`,
        ...["reference", "openapi.json", "console", "grants"].map((path) => `href="${publicUrl}/${path}"`),
        version,
      ])
        expect(text).toContain(part);
      expect(text).not.toMatch(/undefined|\[object|<script/);
      titles.add(/<h1>(.*)<\/h1>/.exec(text)?.[1] ?? "");
    }
    expect(titles.size).toBe(sessionLanguages.length);
    expect(await (await get("/", { "accept-language": "ja" })).text()).toContain('<html lang="en">');
  });

  it.each(["/", "/reference"])("%s is kept by browsers and by what is in between, and not sent twice", async (path) => {
    const answer = await get(path, { "accept-encoding": "gzip" });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-encoding": "gzip",
      "cache-control": "public, max-age=3600",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
      ),
      vary: "Accept, Accept-Language, Accept-Encoding",
    });
    const plain = await get(path, { "accept-encoding": "identity" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe(await answer.text());
    const etag = String(answer.headers.get("etag"));
    expect((await get(path, { "if-none-match": etag })).status).toBe(304);
    expect((await get(path, { "if-none-match": etag, "accept-language": "fr" })).status).toBe(200);
    const head = await fetch(origin + path, { method: "HEAD" });
    expect([head.status, await head.text(), head.headers.get("etag")]).toEqual([200, "", etag]);
  });

  it("is no document for programs", async () => {
    const answer = await get("/", { accept: "application/json" });
    expect([answer.status, await answer.json()]).toEqual([404, { error: "there is nothing at this address" }]);
    expect((await get("/", { accept: "*/*" })).status).toBe(200);
  });
});

describe("[C-1.81] the reference", () => {
  it("has every endpoint with its scopes and every field of the OpenAPI document", async () => {
    const { paths, components } = await createOpenApiDocument({ publicUrl, letterMaxBytes: config.letterMaxBytes });
    const text = await (await get("/reference")).text();
    for (const [path, { post }] of Object.entries(paths)) {
      const { operationId, security } = post as { operationId: string; security: { oauth2: string[] }[] };
      const part = text.slice(text.indexOf(`<details id="${operationId}">`)).split("\n</details>")[0] ?? "";
      expect(part).toContain(`<code>${path}</code>`);
      for (const scope of security.flatMap(({ oauth2 }) => oauth2)) expect(part).toContain(`<code>${scope}</code>`);
    }
    const names = new Set(Object.values(components.schemas).flatMap(({ properties = {} }) => Object.keys(properties)));
    expect([...names].filter((name) => !text.includes(`<code>${name}</code>`))).toEqual([]);
    expect(text).not.toMatch(/(?<!return_)undefined|\[object/);
    // Defaults, bounds and the meanings of statuses are shown as well.
    expect(text).toContain("integer, 1–100, or null, default 20");
    expect(text).toContain("<p>Revoked: ");
    const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !text.includes(`id="${id}"`))).toEqual([]);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has examples that a shell takes apart into a request of JSON", async () => {
    const text = await (await get("/reference")).text();
    const bodies = [...text.matchAll(/-d &#39;(.*)&#39;<\/code>/g)].map(([, body = ""]) =>
      body.replaceAll("&#34;", '"'),
    );
    expect(bodies.length).toBeGreaterThan(40);
    for (const body of bodies) expect(() => JSON.parse(body), body).not.toThrow();
  });
});

describe.skipIf(!executablePath)("[C-1.80] [C-1.81] the front pages in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium(executablePath ?? "");
  });
  afterAll(() => browser?.close());

  it.each(["/", "/reference"])(
    "%s: axe finds nothing, it fits, fingers hit, without scripts, on phone and desk",
    async (path) => {
      const page = await browser.newPage({ viewport: { width: 360, height: 740 }, locale: "de" });
      const errors: string[] = [];
      const requests: string[] = [];
      page.on("console", (message) => errors.push(message.text()));
      page.on("request", (request) => requests.push(new URL(request.url()).pathname));
      await page.goto(origin + path);
      // One endpoint opened, with the parts that most of them have; all of them would take axe minutes.
      await page.evaluate(`document.querySelector("#listPortfolios")?.setAttribute("open", "")`);
      for (const [width, height, seen] of [
        [360, 740, "first"],
        [1280, 800, "another"],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect(await audit(page, seen), `${width} wide`).toEqual([]);
      }
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect(await overflow(page)).toEqual([]);
      expect([requests, errors]).toEqual([[path], []]);
      await page.close();
    },
  );
});
