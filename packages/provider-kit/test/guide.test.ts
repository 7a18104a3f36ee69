import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

it("[C-10.22] the provider of docs/how-to/bank-providers.md passes the suite of the same page", async () => {
  const page = readFileSync(new URL("../../../docs/how-to/bank-providers.md", import.meta.url), "utf8");
  const folder = mkdtempSync(join(import.meta.dirname, "guide-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const cases: [name: string, run: () => Promise<void>][] = [];
  Object.assign(globalThis, { guideTest: (name: string, run: () => Promise<void>) => cases.push([name, run]) });
  for (const [, name = "", code = ""] of page.matchAll(/<!-- example: (\S+) -->\n```js(?:on)?\n(.*?)```/gs))
    writeFileSync(
      join(folder, name),
      code
        .replace('"@org/provider-kit/testing"', '"../../src/testing/index.js"')
        .replace('"@org/provider-kit"', '"../../src/index.js"')
        .replace('import { test } from "node:test";', "const test = globalThis.guideTest;"),
    );
  const broker = await import(/* @vite-ignore */ join(folder, "my-broker.mjs"));
  expect(broker.default.settings.parse({})).toEqual({ base_urls: { live: "https://api.my-broker.example" } });
  const portal = await import(/* @vite-ignore */ join(folder, "my-portal.mjs"));
  expect(portal.default.name).toBe("my-portal");
  await import(/* @vite-ignore */ join(folder, "my-bank.test.mjs"));
  await import(/* @vite-ignore */ join(folder, "my-bank.recording.test.mjs"));
  expect(cases.length).toBeGreaterThan(40);
  for (const [, run] of cases) await run();
});
