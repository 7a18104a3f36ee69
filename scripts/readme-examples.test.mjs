import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { inspect } from "node:util";
import { expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../packages/http/test/free-port.js";

const packages = new URL("../packages/", import.meta.url);
/** They need a part that only a build makes. */
const UNBUILT = ["letter-documents"];
/** Examples in the packages' READMEs whose comments say what a line prints. */
const examples = readdirSync(packages)
  .filter((name) => !UNBUILT.includes(name))
  .flatMap((name) =>
    [...readFileSync(new URL(`${name}/README.md`, packages), "utf8").matchAll(/```(?:ts|js)\n([\s\S]*?)```/g)]
      .map(([, code]) => ({ name, code, promised: promisedBy(code) }))
      .filter(({ promised }) => promised.length > 0),
  );

it("are found in the READMEs, with each line that they promise", () => {
  expect(Object.fromEntries(examples.map(({ name, promised }) => [name, promised.length]))).toEqual({
    admission: 1,
    "claim-rules": 1,
    "connector-filter": 1,
    core: 2,
    events: 3,
    "feed-mapping": 1,
    http: 3,
    keyring: 6,
    "letter-lifecycle": 5,
    "oauth-server": 5,
    pages: 3,
    "relogin-rule": 1,
    "storage-postgres": 1,
    "validation-messages": 1,
    wealth: 2,
    widget: 4,
  });
});

it.each(examples)("the README's example of $name runs as written and prints what it says", async (example) => {
  const { name, code, promised } = example;
  const file = new URL(`${name}/readme-example-${process.pid}.mts`, packages);
  // An example that states its own URL before it listens names a port.
  writeFileSync(file, code.replaceAll("3456", await freePort()));
  onTestFinished(() => rmSync(file));
  const printed = [];
  const log = vi.spyOn(console, "log").mockImplementation((...values) => {
    printed.push(
      values
        .map((value) => (typeof value === "string" ? value : inspect(value, { breakLength: Number.POSITIVE_INFINITY })))
        .join(" "),
    );
  });
  onTestFinished(() => log.mockRestore());
  await import(/* @vite-ignore */ file.href);
  const read = printed.map((line) => promised.find((promise) => isMet(promise, line)) ?? line);
  // Lines without a comment are passed over; what is logged beside the example may come earlier or later.
  const hasOthers = code.match(/console\.log\(/g).length > promised.length;
  const compared = hasOthers ? read.filter((line) => promised.includes(line)) : read;
  const inOrder = (lines) => (code.includes("// prints: ") ? lines.toSorted() : lines);
  expect(inOrder(compared)).toEqual(inOrder(promised));
});

/** "…" stands for a rest that is left out, and what follows a colon explains. */
function isMet(promise, line) {
  const [beginning, rest] = promise.split("…");
  return promise === line || promise.startsWith(`${line}: `) || (rest !== undefined && line.startsWith(beginning));
}

function promisedBy(code) {
  return [...code.matchAll(/; \/\/ prints: (.*)|console\.log\(.*\); \/\/ (.*)/g)].map(([, ...line]) => line.join(""));
}
