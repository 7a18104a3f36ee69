import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, it, onTestFinished, vi } from "vitest";

it("the README's example runs as written and prints what its comments say", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const file = new URL(`./readme-example-${process.pid}.mts`, import.meta.url);
  writeFileSync(file, example.replaceAll('"@org/pages"', '"./index.js"'));
  onTestFinished(() => rmSync(file));
  const printed: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...values) => {
    printed.push(values.map((value) => (Array.isArray(value) ? `[ '${value.join("', '")}' ]` : value)).join(" "));
  });
  onTestFinished(() => log.mockRestore());
  await import(/* @vite-ignore */ file.href);
  expect(printed).toEqual([...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((match) => match[1]));
});
