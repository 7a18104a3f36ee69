import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFeedReader } from "@org/feed-reading";
import { ConfigError } from "@org/installation";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadFeedFormats } from "./load-formats.js";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "formats-"));
  const format = (name: string) =>
    `export default { name: ${JSON.stringify(name)}, title: "T", recognises: (head) => head.startsWith("MINE"), read() { throw new TypeError("secret"); } };`;
  writeFileSync(join(directory, "mine.mjs"), format("mine"));
  writeFileSync(join(directory, "mt940.mjs"), format("mt940"));
  writeFileSync(join(directory, "half.mjs"), 'export default { name: "half", title: "T", recognises() {} };');
  writeFileSync(join(directory, "none.mjs"), "export const format = 1;");
  const installed = join(directory, "node_modules", "@harbour", "format");
  mkdirSync(installed, { recursive: true });
  writeFileSync(
    join(installed, "package.json"),
    '{ "name": "@harbour/format", "type": "module", "exports": "./format.js" }',
  );
  writeFileSync(join(installed, "format.js"), format("harbour"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it("FEED_FORMATS: what cannot be loaded, is no format, or has a name that is taken stops the start", async () => {
  const names = ["mine", "mine", "mt940", "half", "none"].map((name) => `./${name}.mjs`);
  const faults = await loadFeedFormats([...names, "no-such-package"], directory).catch((error) => error);
  expect(faults).toBeInstanceOf(ConfigError);
  expect((faults as ConfigError).problems).toEqual(
    [
      /^FEED_FORMATS: \.\/mine\.mjs: calls itself mine, as a format of \.\/mine\.mjs does$/,
      /^FEED_FORMATS: \.\/mt940\.mjs: calls itself mt940, as a format of the server does$/,
      /^FEED_FORMATS: \.\/half\.mjs: the format half has no function read$/,
      /^FEED_FORMATS: \.\/none\.mjs: has no default export that defineFeedFormat made$/,
      /^FEED_FORMATS: no-such-package: there is no package of this name/,
    ].map((line) => expect.stringMatching(line)),
  );
});

it("FEED_FORMATS: a package that is installed is loaded by its name", async () => {
  const loaded = await loadFeedFormats(["@harbour/format", "./mine.mjs"], directory);
  expect(loaded.map(({ name }) => name)).toEqual(["harbour", "mine"]);
});

it("a format of somebody else's that fails refuses the file with its name, and says nothing of what it threw", async () => {
  const loaded = await loadFeedFormats(["./mine.mjs"], directory);
  const ofThread = { seconds: 60, megabytes: 100 };
  const limits = { ...ofThread, threads: 2, trial: ofThread };
  const reader = createFeedReader(new URL("file:///none"), limits, {
    formats: { loaded, modules: [] },
    acceptsInterim: ({ feed_id }) => feed_id === "interim",
    mappingsFor: () => [],
    clock: () => new Date(),
  });
  const read = (text: string, feed_id = "feed") =>
    reader.read({ name: "a", bytes: Buffer.from(text) }, { tenant_id: "t", feed_id });
  expect(await read("MINE")).toMatchObject([{ refusal: { reason: "the format mine failed (TypeError)" } }]);
  expect(await read("Date,Amount")).toMatchObject([{ refusal: { reason: expect.stringContaining(": mine, ofx,") } }]);
  const report = ":20:R\n:25:1\n:34F:EUR0,\n:13D:2401311200+0100\n:61:240131C1,NTRFNONREF//B1\n-\n";
  expect(await read(report)).toMatchObject([{ refusal: { reason: expect.stringContaining("FEED_INTERIM") } }]);
  expect(await read(report, "interim")).toMatchObject([{ read: { format: "mt942" } }]);
});
