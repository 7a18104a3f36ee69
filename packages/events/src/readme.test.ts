import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, it, onTestFinished, vi } from "vitest";

it("the README's example of webhooks runs as written and prints what its comments say", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = /<!-- webhooks -->\n```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const file = new URL(`./readme-example-${process.pid}.mts`, import.meta.url);
  writeFileSync(
    file,
    example.replace('"@org/events/testing"', '"./testing/index.js"').replace('"@org/events"', '"./index.js"'),
  );
  onTestFinished(() => rmSync(file));
  const printed: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...values) => void printed.push(values.join(" ")));
  onTestFinished(() => log.mockRestore());
  await import(/* @vite-ignore */ file.href);
  const promised = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((match) => match[1]);
  expect(promised).toHaveLength(3);
  expect(printed).toEqual(promised);
});
