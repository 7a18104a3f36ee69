import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, it, onTestFinished, vi } from "vitest";

it("the README's example runs as written and prints what its comment says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const file = new URL(`./readme-example-${process.pid}.mjs`, import.meta.url);
  writeFileSync(file, example.replaceAll('"@org/admission"', '"./index.js"'));
  onTestFinished(() => rmSync(file));
  const printed: unknown[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((value) => void printed.push(value));
  onTestFinished(() => log.mockRestore());
  await import(/* @vite-ignore */ file.href);
  expect(printed).toEqual([...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((match) => match[1]));
});
