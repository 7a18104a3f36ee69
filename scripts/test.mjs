// `npm test`: everything that needs Node alone. Arguments go to vitest, and what does not belong to those tests is left out:
// `npm test -- packages/core -t paging` installs, builds and runs them.
// With TEST_REPORT_DIR set, vitest also leaves its JSON report there.
import { join } from "node:path";
import { build, install } from "./pnpm.mjs";
import { step } from "./step.mjs";

const isPart = process.argv.length > 2;
const vitestArguments = ["run", ...process.argv.slice(2)];
if (process.env.TEST_REPORT_DIR) {
  const file = join(process.env.TEST_REPORT_DIR, `npm-test-node-${process.version}.json`);
  vitestArguments.push("--reporter=default", "--reporter=json", `--outputFile.json=${file}`);
}

await install();
if (!isPart) {
  await step("format and lint", "biome", ["check", "--error-on-warnings", "."]);
  await step("lint rules bite", "node", ["scripts/check-lint.mjs"]);
  await step("dependencies accounted for", "node", ["scripts/check-dependencies.mjs"]);
  await step("change logs", "node", ["scripts/check-changes.mjs"]);
  await step("documentation holds together", "node", ["scripts/check-docs.mjs"]);
}
await build("build");
if (!isPart) {
  await step("types", "tsc", ["-p", "tsconfig.json"]);
  await step("types of the widget's client", "tsc", ["-p", "packages/widget/client"]);
  await step("types of the views' script", "tsc", ["-p", "apps/portfolio-view/client"]);
  await step("types of the console", "tsc", ["-p", "apps/console"]);
  await step("unused code and dependencies", "knip", ["--no-progress"]);
}
await step("tests", "vitest", vitestArguments, { show: true });
if (!isPart) await step("specification rules", "node", ["scripts/check-rules.mjs"]);
