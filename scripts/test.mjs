// `npm test`: everything that needs Node alone. Arguments go to vitest, and what does not belong to those tests is left out:
// `npm test -- packages/core -t paging` installs and runs them, and builds nothing, for tests of packages run on sources.
// With TEST_REPORT_DIR set, vitest also leaves its JSON report there.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, install } from "./pnpm.mjs";
import { independentSteps, root, step } from "./step.mjs";

const isPart = process.argv.length > 2;
const vitestArguments = ["run", ...process.argv.slice(2)];
if (process.env.TEST_REPORT_DIR) {
  const file = join(process.env.TEST_REPORT_DIR, `npm-test-node-${process.version}.json`);
  vitestArguments.push("--reporter=default", "--reporter=json", `--outputFile.json=${file}`);
}

await install();
if (!isPart)
  await independentSteps(
    ["types", "tsc", ["-p", "tsconfig.json"]],
    ["unused code and dependencies", "knip", ["--no-progress"]],
    ["format and lint", "biome", ["check", "--error-on-warnings", "."]],
    ["change logs", "node", ["scripts/check-changes.mjs"]],
    ["types of the console", "tsc", ["-p", "apps/console"]],
    ["lint rules bite", "node", ["scripts/check-lint.mjs"]],
    ["types of the widget's client", "tsc", ["-p", "packages/widget/client"]],
    ["types of the views' script", "tsc", ["-p", "apps/portfolio-view/client"]],
    ["documentation holds together", "node", ["scripts/check-docs.mjs"]],
    ["dependencies accounted for", "node", ["scripts/check-dependencies.mjs"]],
    ["regular expressions in linear time", "node", ["scripts/check-patterns.mjs"]],
    ["specification rules", "node", ["scripts/check-rules.mjs"]],
  );
const env = { ...process.env };
if (!isOfPackages(process.argv.slice(2))) {
  await build("build");
  // Tests start the server that was just built, and copy its template of a database.
  env.TEST_SERVER_DIR = join(root, "apps/server/dist");
  env.TEST_TEMPLATE_FILE = join(env.TEST_SERVER_DIR, "embedded-template.tar.gz");
}
await step("tests", "vitest", vitestArguments, { show: true, env });

/** Whether arguments of vitest name files, and only such as are of packages. */
function isOfPackages(args) {
  const text = { type: "string" };
  const options = { testNamePattern: { ...text, short: "t" }, exclude: { ...text, multiple: true } };
  const { positionals } = parseArgs({ args, options, strict: false });
  return positionals.length > 0 && positionals.every((name) => /^packages(\/|$)/.test(name));
}
