import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const [tutorial, logins, recordings] = [
  "tutorials/first-provider",
  "how-to/provider-logins",
  "how-to/test-a-provider",
].map((page) => readFileSync(new URL(`../../../docs/${page}.md`, import.meta.url), "utf8")) as [string, string, string];

type Case = readonly [name: string, run: () => Promise<void>];

/** A folder with the examples of pages, which import the sources of the kit. @returns what imports one of its files */
function examplesOf(pages: string, change = (code: string) => code) {
  const folder = mkdtempSync(join(import.meta.dirname, "guide-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [, name = "", code = ""] of pages.matchAll(/<!-- example: (\S+) -->\n```js(?:on)?\n(.*?)```/gs))
    writeFileSync(
      join(folder, name),
      change(code)
        .replace('"@org/provider-kit/testing"', '"../../src/testing/index.js"')
        .replace('"@org/provider-kit"', '"../../src/index.js"')
        .replace('import { test } from "node:test";', "const test = globalThis.guideTest;"),
    );
  return (file: string) => import(/* @vite-ignore */ join(folder, file));
}

/** The tests that a file declares. */
async function casesOf(load: (file: string) => Promise<unknown>, file: string): Promise<readonly Case[]> {
  const cases: Case[] = [];
  Object.assign(globalThis, { guideTest: (...one: Case) => cases.push(one) });
  await load(file);
  return cases;
}

it("[C-10.22] the provider of docs/tutorials/first-provider.md passes its suite, and its recording", async () => {
  const load = examplesOf(tutorial + recordings);
  const suite = await casesOf(load, "my-bank.test.mjs");
  expect(tutorial).toContain(`\`pass ${suite.length}\``);
  const recorded = await casesOf(load, "my-bank.recording.test.mjs");
  expect(recorded.length).toBeGreaterThan(10);
  for (const [, run] of [...suite, ...recorded]) await run();
});

it("[C-10.22] without the line that the tutorial has deleted, one case fails, as the page shows", async () => {
  const load = examplesOf(tutorial, (code) => code.replace(/^.*status === 403.*\n/m, ""));
  const suite = await casesOf(load, "my-bank.test.mjs");
  const failed: string[] = [];
  for (const [name, run] of suite)
    await run().catch((error: Error) => failed.push(`✖ ${name}\n  AssertionError [ERR_ASSERTION]: ${error.message}\n`));
  expect(failed).toHaveLength(1);
  expect(tutorial).toContain(`\`\`\`text\n${failed[0]}\`\`\``);
});

it("[C-10.22] the providers of docs/how-to/provider-logins.md take the settings that the page names", async () => {
  const load = examplesOf(logins);
  const broker = await load("my-broker.mjs");
  expect(broker.default.settings.parse({})).toEqual({ base_urls: { live: "https://api.my-broker.example" } });
  const portal = await load("my-portal.mjs");
  const [, clients = ""] = /`(\{"clients": .*?\})`/.exec(logins) ?? [];
  expect(portal.default.settings.parse(JSON.parse(clients))).toMatchObject(JSON.parse(clients));
});
