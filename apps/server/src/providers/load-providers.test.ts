import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isLoopbackHost } from "@org/http";
import { ConfigError, shippedProviders } from "@org/installation";
import { defineProvider, isPrivateTransport } from "@org/provider-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { loadConfiguredProviders } from "./load-providers.js";

let directory: string;
const body = (name: string) =>
  `{ name: ${JSON.stringify(name)}, title: "A bank", settings: { safeParseAsync() {}, _zod: {} }, create() {} }`;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "providers-"));
  const write = (path: string, text: string) => {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  write("one.mjs", `export default ${body("one")}`);
  write("also-one.mjs", `export default ${body("one")}`);
  write("throws.mjs", 'throw new Error("no\\nlicence")');
  write("broken.mjs", "export default {");
  write("nothing.mjs", "export const provider = 1");
  write("half.mjs", 'export default { name: "Half", title: "", settings: {}, check: 1 }');
  write("datafeed.mjs", `export default ${body("datafeed")}`);
  write("sandbox.mjs", `export default ${body("sandbox")}`);
  write("folder/readme.txt", "no package.json");
  write("unnamed/package.json", "{}");
  write("unbuilt/package.json", '{"exports":"./dist/index.js"}');
  write("built/package.json", '{"type":"module","exports":{".":"./in.js"}}');
  write("built/in.js", `export default ${body("built")}`);
  write("node_modules/for-import/package.json", '{"type":"module","exports":{".":{"import":"./in.js"}}}');
  write("node_modules/for-import/in.js", `export default ${body("for-import")}`);
  write("node_modules/@a/common/package.json", '{"main":"main.js"}');
  write("node_modules/@a/common/main.js", `exports.default = ${body("common")}`);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const named = async (...names: string[]) => (await loadConfiguredProviders(names, directory)).map(({ name }) => name);
const faults = (names: readonly string[], builtIn: Parameters<typeof loadConfiguredProviders>[2] = []) =>
  loadConfiguredProviders(names, directory, builtIn).then(
    () => [],
    (error: unknown) => (error instanceof ConfigError ? error.problems : [error]),
  );

describe("[C-9.128] PROVIDERS", () => {
  it("names shipped providers by their short names, and others by path and by package", async () => {
    expect(await named("ibkr-flex", "openwealth", "./one.mjs", "for-import", "@a/common")).toEqual([
      "ibkr-flex",
      "openwealth",
      "one",
      "for-import",
      "common",
    ]);
    const file = join(directory, "one.mjs");
    expect([await named(file), await named(pathToFileURL(file).href), await named()]).toEqual([["one"], ["one"], []]);
  });

  it("names a folder by its package.json, and says what is missing there", async () => {
    expect(await named("./built")).toEqual(["built"]);
    const within = await loadConfiguredProviders(["."], join(directory, "built"));
    expect(within.map(({ name }) => name)).toEqual(["built"]);
    expect(await faults(["./folder/", "./unnamed", "./unbuilt"])).toEqual([
      "PROVIDERS: ./folder/: it is a folder without a package.json: name the file, as in ./folder/index.mjs",
      'PROVIDERS: ./unnamed: it is a folder whose package.json has neither "exports" nor "main"',
      "PROVIDERS: ./unbuilt: its package.json names ./dist/index.js, which is not there: it may have to be built",
    ]);
  });

  it("stops the start with the name and the reason of every module that cannot be loaded, and of two of one name", async () => {
    const sandbox = defineProvider({
      name: "sandbox",
      title: "Sandbox",
      settings: z.strictObject({}),
      create: () => Promise.reject(new Error("not here")),
    });
    const names = ["throws", "broken", "nothing", "half", "datafeed", "one", "also-one", "sandbox", "none"];
    const found = await faults([...names.map((name) => `./${name}.mjs`), "no-such-package", "one.mjs"], [sandbox]);
    const wanted = [
      /^PROVIDERS: \.\/throws\.mjs: no licence$/,
      /^PROVIDERS: \.\/broken\.mjs: \S/,
      /^PROVIDERS: \.\/nothing\.mjs: has no default export that defineProvider made$/,
      /^PROVIDERS: \.\/half\.mjs: its default export is no provider: see its name, title, settings \(a schema of zod 4\), create, check$/,
      /^PROVIDERS: \.\/datafeed\.mjs: .* see its name$/,
      /^PROVIDERS: \.\/also-one\.mjs: calls itself one, as the provider of \.\/one\.mjs does$/,
      /^PROVIDERS: \.\/sandbox\.mjs: calls itself sandbox, as the provider of SANDBOX does$/,
      /^PROVIDERS: \.\/none\.mjs: there is no such file$/,
      /^PROVIDERS: no-such-package: there is no package of this name in .*\.\/no-such-package$/,
      /^PROVIDERS: one\.mjs: there is no package of this name/,
    ];
    expect(found).toEqual(wanted.map((line) => expect.stringMatching(line)));
  });
});

it.each(["localhost", "127.0.0.1", "127.0.0.2", "[::1]", "10.0.0.1", "localhost.example.com"])(
  "the kit, which stands alone, takes http://%s for this machine when the edge does",
  (host) => {
    expect(isPrivateTransport(new URL(`http://${host}`))).toBe(isLoopbackHost(host));
  },
);

it("[C-8.25] shipped providers take the settings on their pages", async () => {
  const found = await loadConfiguredProviders(Object.keys(shippedProviders), directory);
  for (const { name, settings } of found) {
    const page = readFileSync(new URL(`../../../../docs/reference/providers/${name}.md`, import.meta.url), "utf8");
    const shown = [...page.matchAll(/^```json\n(.*?)^```|^echo '(.*?)' \|/gms)].map(
      ([, file, line]) => file ?? line ?? "",
    );
    expect(shown.length, name).toBeGreaterThan(0);
    for (const text of shown)
      expect(settings.safeParse(JSON.parse(text)), `${name}: ${text}`).toMatchObject({ success: true });
  }
});
