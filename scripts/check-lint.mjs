// Proves that the project's own lint rules still work: writes one violation of each rule and one allowed counterpart into a scratch copy of the
// folder layout, and compares Biome's report with the expected one.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

const direction = "lint/style/noRestrictedImports";
const purity = "plugin";

/** file, one line of source, the rule that must refuse it (null: allowed) */
const cases = [
  ["packages/connector-filter/src/a.ts", `export * from "./rules.js";`, null],
  ["packages/connector-filter/src/b.ts", `export * from "node:fs";`, direction],
  ["packages/connector-filter/src/c.ts", `export * from "zod";`, direction],
  ["packages/connector-filter/src/d.ts", `export * from "@org/core";`, direction],
  ["packages/connector-filter/src/e.ts", `export * from "../../core/src/index.js";`, direction],
  ["packages/connector-filter/src/f.ts", `export const load = () => import("zod");`, direction],
  ["packages/letter-lifecycle/src/a.ts", `export * from "@org/relogin-rule";`, direction],
  ["packages/relogin-rule/src/a.ts", `export * from "@org/core";`, direction],
  ["packages/validation-messages/src/a.ts", `export * from "zod";`, direction],
  ["packages/wealth/src/a.ts", `export * from "zod";`, null],
  ["packages/wealth/src/b.ts", `export * from "@org/provider-kit/decimal";`, null],
  ["packages/wealth/src/c.ts", `export * from "@org/core";`, direction],
  ["packages/keyring/src/a.ts", `export * from "jose";`, null],
  ["packages/keyring/src/b.ts", `export * from "node:crypto";`, null],
  ["packages/keyring/src/c.ts", `export * from "@org/core";`, direction],
  ["packages/keyring/src/d.ts", `export * from "zod";`, direction],
  ["packages/pages/src/a.ts", `export * from "node:crypto";`, null],
  ["packages/pages/src/d.ts", `export * from "cookie";`, null],
  ["packages/pages/src/b.ts", `export * from "express";`, direction],
  ["packages/pages/src/c.ts", `export * from "@org/core";`, direction],
  ["packages/http/src/a.ts", `export * from "node:http";`, null],
  ["packages/http/src/b.ts", `export * from "ipaddr.js";`, null],
  ["packages/http/src/c.ts", `export * from "express";`, direction],
  ["packages/http/src/d.ts", `export * from "@org/core";`, direction],
  ["packages/core/src/a.ts", `export * from "zod";`, null],
  ["packages/core/src/b.ts", `export * from "@org/connector-filter/countries";`, null],
  ["packages/core/src/c.ts", `export * from "node:crypto";`, null],
  ["packages/core/src/d.ts", `export * from "node:fs";`, direction],
  ["packages/core/src/e.ts", `export * from "@org/oauth-server";`, direction],
  ["packages/core/src/f.ts", `export * from "kysely";`, direction],
  ["packages/core/src/schemas/a.ts", `export type { Storage } from "../ports/storage.js";`, direction],
  ["packages/core/src/schemas/b.ts", `export * from "../errors.js";`, null],
  ["packages/core/src/schemas/c.ts", `export * from "express";`, direction],
  ["packages/core/src/ports/a.ts", `export * from "../schemas/letter.js";`, null],
  ["packages/core/src/ports/b.ts", `export type { Entry } from "../audit-entry.js";`, direction],
  ["packages/core/src/schemas/d.ts", `export * from "../turns.js";`, direction],
  ["packages/core/src/schemas/e.ts", `export * from "../faults.js";`, direction],
  ["packages/core/src/schemas/f.ts", `export * from "../seen-versions.js";`, direction],
  ["packages/core/src/ports/c.ts", `export * from "../turns.js";`, direction],
  ["packages/core/src/ports/d.ts", `export * from "../faults.js";`, direction],
  ["packages/core/src/ports/e.ts", `export type { IsAsSeen } from "../seen-versions.js";`, null],
  ["packages/core/src/upward.ts", `export * from "./connecting/sessions.js";`, direction],
  ["packages/core/src/index.ts", `export * from "./connecting/sessions.js";`, null],
  ["packages/core/src/providers/a.ts", `export * from "../catalogue/connectors.js";`, direction],
  ["packages/core/src/providers/b.ts", `export * from "../schemas/session.js";`, null],
  ["packages/core/src/catalogue/a.ts", `export * from "../providers/provider-directory.js";`, null],
  ["packages/core/src/catalogue/b.ts", `export * from "../connections/connection-changes.js";`, direction],
  ["packages/core/src/data/a.ts", `export * from "../feeds/movement-store.js";`, direction],
  ["packages/core/src/data/b.ts", `export * from "express";`, direction],
  ["packages/core/src/feeds/a.ts", `export * from "../data/snapshot-store.js";`, null],
  ["packages/core/src/feeds/b.ts", `export * from "../connections/connection-store.js";`, direction],
  ["packages/core/src/tenants/a.ts", `export * from "../operating/tenants.js";`, direction],
  ["packages/core/src/audit/a.ts", `export * from "../operating/tenants.js";`, direction],
  ["packages/core/src/connections/a.ts", `export * from "../letters/letter-moves.js";`, direction],
  ["packages/core/src/connections/b.ts", `export * from "../data/publication.js";`, null],
  ["packages/core/src/connections/c.ts", `export * from "../storage.js";`, direction],
  ["packages/core/src/refreshing/a.ts", `export * from "../connections/storage.js";`, null],
  ["packages/core/src/refreshing/b.ts", `export * from "../connecting/sessions.js";`, direction],
  ["packages/core/src/letters/a.ts", `export * from "../connections/connection-changes.js";`, null],
  ["packages/core/src/letters/b.ts", `export * from "../connecting/sessions.js";`, direction],
  ["packages/core/src/letters/c.ts", `export * from "./storage.js";`, null],
  ["packages/core/src/connecting/a.ts", `export * from "../letters/letter-moves.js";`, null],
  ["packages/core/src/connecting/b.ts", `export * from "../operating/tenants.js";`, direction],
  ["packages/core/src/operating/a.ts", `export * from "../letters/letter-facts.js";`, null],
  ["packages/core/src/operating/b.ts", `export * from "@org/data-feeds";`, direction],
  ["packages/core/src/storage.ts", `export * from "./letters/storage.js";`, null],
  ["packages/data-feeds/src/a.ts", `export * from "@org/core";`, null],
  ["packages/data-feeds/src/b.ts", `export * from "@org/provider-registry";`, direction],
  ["packages/data-feeds/src/c.ts", `export * from "@org/feed-sources";`, direction],
  ["packages/data-feeds/src/d.ts", `export * from "express";`, direction],
  ["packages/data-feeds/src/testing/a.ts", `export * from "@org/core/testing";`, null],
  ["packages/data-feeds/src/testing/b.ts", `export * from "@org/storage-postgres";`, direction],
  ["packages/provider-registry/src/a.ts", `export * from "@org/core";`, null],
  ["packages/provider-registry/src/b.ts", `export * from "@org/data-feeds";`, direction],
  ["packages/provider-registry/src/c.ts", `export * from "express";`, direction],
  ["packages/core/src/testing/a.ts", `export * from "vitest";`, null],
  ["packages/core/src/testing/b.ts", `export * from "@org/storage-postgres";`, direction],
  ["packages/core/src/testing/c.ts", `export * from "express";`, direction],
  ["packages/core/src/testing/d.ts", `export * from "node:async_hooks";`, null],
  ["packages/rest-api/src/a.ts", `export * from "@org/core";`, null],
  ["packages/rest-api/src/b.ts", `export * from "@org/mcp-tools";`, direction],
  ["packages/rest-api/src/c.ts", `export * from "@org/core/testing";`, direction],
  ["packages/rest-api/src/a.test.ts", `export * from "@org/core/testing";`, null],
  ["packages/rest-api/src/b.test.ts", `export * from "../../core/src/index.js";`, direction],
  ["packages/rest-api/src/d.ts", `export * from "@org/http";`, null],
  ["packages/mcp-tools/src/b.ts", `export * from "@org/http";`, null],
  ["packages/mcp-tools/src/a.ts", `export * from "@org/storage-postgres";`, direction],
  ["packages/bank-providers/src/a.ts", `export * from "@org/rest-api";`, direction],
  ["packages/bank-providers/src/b.ts", `export * from "@org/http";`, direction],
  ["packages/feed-mapping/src/a.ts", `export * from "@org/provider-kit";`, null],
  ["packages/feed-mapping/src/b.ts", `export * from "@org/core";`, direction],
  ["packages/oauth-server/src/a.ts", `export * from "@org/keyring";`, null],
  ["packages/oauth-server/src/b.ts", `export * from "@org/core";`, direction],
  ["packages/oauth-server/src/d.ts", `export * from "@org/http";`, null],
  ["packages/oauth-server/src/c.ts", `export * from "@org/pages";`, null],
  ["packages/storage-postgres/src/a.ts", `export * from "@org/core";`, null],
  ["packages/storage-postgres/src/b.ts", `export * from "@org/oauth-server";`, null],
  ["packages/people/src/a.ts", `export * from "@org/core";`, null],
  ["packages/people/src/b.ts", `export * from "@org/storage-postgres";`, direction],
  ["packages/letter-documents/src/a.ts", `export * from "@org/core";`, null],
  ["packages/letter-documents/src/b.ts", `export * from "@org/rest-api";`, direction],
  ["packages/feed-sources/src/a.ts", `export * from "@org/core";`, null],
  ["packages/feed-sources/src/b.ts", `export * from "@org/storage-postgres";`, direction],
  ["packages/feed-reading/src/a.ts", `export * from "@org/bank-providers";`, null],
  ["packages/feed-reading/src/b.ts", `export * from "@org/storage-postgres";`, direction],
  ["packages/events/src/a.ts", `export * from "@org/core";`, null],
  ["packages/events/src/b.ts", `export * from "@org/storage-postgres";`, direction],
  ["packages/storage-postgres/src/c.ts", `export * from "@org/mcp-tools";`, direction],
  ["packages/storage-postgres/src/d.ts", `export * from "@org/core/testing";`, direction],
  ["apps/server/src/a.ts", `export * from "@org/storage-postgres";`, null],
  ["apps/server/src/b.ts", `export * from "@org/oauth-server/testing";`, direction],
  ["apps/server/src/c.ts", `export * from "../../../packages/core/src/index.js";`, direction],
  ["apps/cli/src/a.ts", `export * from "@org/installation";`, null],
  ["apps/cli/src/b.ts", `export * from "@org/server";`, direction],
  ["apps/cli/src/c.ts", `export const load = () => import("@org/server/config");`, direction],
  ["apps/cli/src/d.ts", `export * from "../../server/src/start-server.js";`, direction],
  ["apps/server/src/d.ts", `export * from "@org/cli";`, direction],
  ["apps/server/src/e.ts", `export * from "@org/widget";`, null],
  ["apps/console/src/a.ts", `export * from "@org/server";`, direction],
  ["apps/console/src/b.ts", `export type { RestPaths } from "@org/rest-api";`, null],
  [
    "apps/console/src/c.ts",
    `import { operatorFamily } from "@org/rest-api"; export const { name } = operatorFamily;`,
    direction,
  ],
  ["apps/console/src/d.ts", `export * from "@org/console-api";`, direction],
  ["packages/installation/src/a.ts", `export * from "@org/storage-postgres";`, null],
  ["packages/installation/src/b.ts", `export * from "@org/rest-api";`, direction],
  ["packages/installation/src/c.ts", `export * from "@org/server";`, direction],
  ["packages/installation/src/d.ts", "export const home = process.env.HOME;", purity],
  ["packages/core/src/clock-a.ts", "export const now = Date.now();", purity],
  ["packages/core/src/clock-b.ts", "export const now = new Date();", purity],
  ["packages/core/src/clock-c.ts", "export const now = new Date;", purity],
  ["packages/core/src/clock-d.ts", "export const now = (clock = Date.now) => clock();", purity],
  ["packages/core/src/clock-e.ts", "export const now = globalThis.Date.now();", purity],
  ["packages/core/src/clock-f.ts", "export const then = new Date(0);", null],
  ["packages/core/src/testing/clock.ts", "export const now = new Date();", purity],
  ["packages/core/src/clock.test.ts", "export const now = new Date();", null],
  ["packages/core/src/chance-a.ts", "export const die = Math.random();", purity],
  ["packages/core/src/chance-b.ts", "export const dice = [1, 2].map(Math.random);", purity],
  ["packages/core/src/chance-c.ts", "export const most = Math.max(1, 2);", null],
  ["apps/server/src/clock.ts", "export const now = new Date();", null],
  ["packages/core/src/environment-a.ts", "export const home = process.env.HOME;", purity],
  ["packages/core/src/environment-b.ts", `export const home = process["env"].HOME;`, purity],
  ["packages/core/src/environment-c.ts", "const { env } = process; export const home = env.HOME;", purity],
  ["packages/mcp-tools/src/environment-a.ts", `import { env } from "node:process"; export const e = env;`, purity],
  [
    "packages/mcp-tools/src/environment-b.ts",
    `import { pid, env as e } from "node:process"; export { e, pid };`,
    purity,
  ],
  ["packages/mcp-tools/src/environment-c.ts", `import { env } from "./rules.js"; export const { pid } = env;`, null],
  ["packages/mcp-tools/src/environment-d.ts", "const { pid } = process; export const number = pid;", null],
  ["packages/storage-postgres/src/testing/environment.ts", "export const url = process.env.TEST_DATABASE_URL;", null],
  ["apps/server/src/environment.ts", "export const home = process.env.HOME;", null],
  ["packages/core/src/output.ts", `console.log("hello");`, "lint/suspicious/noConsole"],
  ["packages/core/src/whole.ts", "export default 1;", "lint/style/noDefaultExport"],
  ["packages/core/src/CamelCase.ts", "export const one = 1;", "lint/style/useFilenamingConvention"],
  ["packages/core/src/long.ts", "export {};\n".repeat(401), "lint/style/noExcessiveLinesPerFile"],
  [
    "packages/core/src/loop-a.ts",
    `import { b } from "./loop-b.js"; export const a = () => b();`,
    "lint/suspicious/noImportCycles",
  ],
  [
    "packages/core/src/loop-b.ts",
    `import { a } from "./loop-a.js"; export const b = () => a();`,
    "lint/suspicious/noImportCycles",
  ],
  [
    "packages/core/src/type-loop-a.ts",
    `import type { B } from "./type-loop-b.js"; export type A = B[];`,
    "lint/suspicious/noImportCycles",
  ],
  [
    "packages/core/src/type-loop-b.ts",
    `import type { A } from "./type-loop-a.js"; export type B = A | null;`,
    "lint/suspicious/noImportCycles",
  ],
  [
    "packages/core/src/forgotten.ts",
    "export const f = () => { Promise.resolve(1); };",
    "lint/nursery/noFloatingPromises",
  ],
  ["bench/src/a.mjs", `export * from "../../resilience/faults/doubles.mjs";`, direction],
  ["resilience/faults/a.mjs", `export * from "@org/bench/measuring/page.mjs";`, null],
  ["packages/rest-api/src/undeclared.ts", `export * from "left-pad";`, "lint/correctness/noUndeclaredDependencies"],
  ["apps/server/src/undeclared.ts", `export * from "left-pad";`, "lint/correctness/noUndeclaredDependencies"],
  ["packages/core/src/only.test.ts", "it.only('x', () => {});", "lint/suspicious/noFocusedTests"],
];

const scratch = mkdtempSync(join(tmpdir(), "check-lint-"));
try {
  plant();
  const found = lint();
  const wrong = cases.filter(([file, , rule]) => !(rule ? found.get(file)?.has(rule) : noneOfOurs(found.get(file))));
  for (const [file, line, rule] of wrong) {
    const got = [...(found.get(file) ?? [])].join(", ") || "nothing";
    console.error(`${file}: ${line.slice(0, 80)}\n  expected ${rule ?? "nothing"}, Biome reported ${got}`);
  }
  console.log(`${cases.length - wrong.length} of ${cases.length} planted lines judged as they should be`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function plant() {
  cpSync(join(root, "biome.json"), join(scratch, "biome.json"));
  cpSync(join(root, "scripts/lint"), join(scratch, "scripts/lint"), { recursive: true });
  for (const [file, line] of cases) {
    mkdirSync(dirname(join(scratch, file)), { recursive: true });
    writeFileSync(join(scratch, file), `${line}\n`);
    writeFileSync(join(scratch, ...file.split("/").slice(0, 2), "package.json"), `{"name":"planted"}\n`);
  }
}

function lint() {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--vcs-enabled=false", "--max-diagnostics=none", "--reporter=json", "."];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: scratch, encoding: "utf8" });
  if (!stdout.startsWith("{")) throw new Error(`Biome did not run:\n${stdout}${stderr}`);
  const found = new Map();
  for (const { category, location } of JSON.parse(stdout).diagnostics) {
    const file = (location.path.file ?? location.path).replaceAll("\\", "/").replace(/^\.\//, "");
    found.set(file, (found.get(file) ?? new Set()).add(category));
  }
  return found;
}

function noneOfOurs(categories) {
  return !categories?.has(direction) && !categories?.has(purity);
}
