import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { inspect } from "node:util";
import { expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../../http/test/free-port.js";

it("[C-10.9] createOAuthServer(deps) and a verifier: the README's example runs as written and prints what its comments say", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const file = new URL(`./readme-example-${process.pid}.mts`, import.meta.url);
  writeFileSync(
    file,
    example
      // The example needs its issuer's URL before it listens.
      .replaceAll("3456", await freePort())
      .replace('"@org/oauth-server/memory"', '"../src/testing/memory-oauth-store.js"')
      .replace('"@org/oauth-server"', '"../src/index.js"'),
  );
  onTestFinished(() => rmSync(file));
  const printed: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...values) => {
    printed.push(values.map((value) => (typeof value === "object" ? inspect(value) : String(value))).join(" "));
  });
  onTestFinished(() => log.mockRestore());
  await import(/* @vite-ignore */ file.href);
  const promised = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((match) => match[1]);
  expect(promised).toHaveLength(5);
  expect(printed.filter((line) => !/^(grant|application)\./.test(line))).toEqual(promised);
});
