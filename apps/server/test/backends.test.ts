import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const sources = readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && name !== "backends.test.ts")
  .map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")] as const);

const isTest = (name: string) => name.endsWith(".test.ts");

/** The ways in which a file states the databases its server runs on. */
const choices = {
  both: /\bdescribe(?:\.skipIf\([^)]*\))?\.each\(backends\)/,
  one: /\boneBackend\(\s*"/,
  postgres: /\bskipIf\((?:[^)]*\|\| )?!testDatabaseUrl\)/,
  embedded: /\bbackend: "embedded"|createInstallation\("embedded"\)/,
};

it("every file that starts a server says on which databases, and why where one is enough", () => {
  const silent = sources
    .filter(([name, text]) => isTest(name) && /\b(?:startTestServer|startProcess)\(/.test(text))
    .filter(([, text]) => !Object.values(choices).some((choice) => choice.test(text)));
  expect(silent.map(([name]) => name)).toEqual([]);
});

it("a server on PostgreSQL alone is there only where PostgreSQL is", () => {
  const careless = sources.filter(
    ([name, text]) => isTest(name) && /backend: "postgres"/.test(text) && !choices.postgres.test(text),
  );
  expect(careless.map(([name]) => name)).toEqual([]);
});

it("a file that reads the database's tables runs on both, or says why not", () => {
  const reading = sources.filter(
    ([name, text]) => isTest(name) && /\bwithDatabase\(|from "\.\/stored-rows\.js"/.test(text),
  );
  expect(reading.length).toBeGreaterThan(3);
  const partial = reading.filter(
    ([, text]) => !choices.both.test(text) && !choices.one.test(text) && !choices.postgres.test(text),
  );
  expect(partial.map(([name]) => name)).toEqual([]);
});
