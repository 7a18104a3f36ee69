// `npm test`: everything that needs only Node. Arguments go to vitest, and steps that those tests do not need are skipped: `npm test -- packages/core
// -t paging` installs and runs them without a build, since tests of packages run on sources. With TEST_REPORT_DIR set, vitest also writes its JSON
// report there. In `.ci/run` (`CI_STARTED` is set), test files with failures run once more on their own.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { filesToTryAgain, reportOf } from "../.ci/reports.mjs";
import { build, install } from "./pnpm.mjs";
import { independentSteps, root, step } from "./step.mjs";

const isPart = process.argv.length > 2;
const reports = process.env.TEST_REPORT_DIR;
/** Concurrent checkers each check what they share: with the default of four that is a third of the work. */
const ONE_CHECKER = ["--checkers", "1"];
const vitestArguments = ["run", ...process.argv.slice(2), ...reported(1)];

await install();
if (!isPart)
  await independentSteps(
    ["types", "tsc", ["-p", "tsconfig.json", ...ONE_CHECKER]],
    ["unused code and dependencies", "knip", ["--no-progress"]],
    ["format and lint", "biome", ["check", "--error-on-warnings", "."]],
    ["change logs", "node", ["scripts/check-changes.mjs"]],
    ["types of the console", "tsc", ["-p", "apps/console", ...ONE_CHECKER]],
    ["lint rules bite", "node", ["scripts/check-lint.mjs"]],
    ["types of the widget's client", "tsc", ["-p", "packages/widget/client", ...ONE_CHECKER]],
    ["types of the views' script", "tsc", ["-p", "apps/portfolio-view/client", ...ONE_CHECKER]],
    ["documentation holds together", "node", ["scripts/check-docs.mjs"]],
    ["the site of the documentation", "vitepress", ["build", "docs"]],
    ["one word, one meaning", "node", ["scripts/check-words.mjs"]],
    ["dependencies accounted for", "node", ["scripts/check-dependencies.mjs"]],
    ["regular expressions in linear time", "node", ["scripts/check-patterns.mjs"]],
    ["specification rules", "node", ["scripts/check-rules.mjs"]],
  );
const env = { ...process.env };
if (!isOfPackages(process.argv.slice(2))) {
  await build("build");
  // Tests start the server that was just built and copy its database template.
  env.TEST_SERVER_DIR = join(root, "apps/server/dist");
  env.TEST_TEMPLATE_FILE = join(env.TEST_SERVER_DIR, "embedded-template.tar.gz");
}
await step("tests", "vitest", vitestArguments, { show: true, env, orElse: process.env.CI_STARTED && tryAgain });

/** Reruns the failed test files if there are few; resolves to whether the script may continue. */
async function tryAgain() {
  const files = reports ? filesToTryAgain(reports) : [];
  if (files.length === 0) return false;
  // Without a deadline, so that no file is left out of the rerun.
  const unhurried = { ...env, CI_STARTED: undefined };
  await step("what failed, once more", "vitest", ["run", ...files, ...reported(2)], { show: true, env: unhurried });
  return true;
}

/** Vitest's options for the report of its first or second run. */
function reported(run) {
  return reports
    ? ["--reporter=default", "--reporter=json", `--outputFile.json=${join(reports, reportOf("npm-test", run))}`]
    : [];
}

/** Whether vitest's arguments name only files of packages. */
function isOfPackages(args) {
  const text = { type: "string" };
  const options = { testNamePattern: { ...text, short: "t" }, exclude: { ...text, multiple: true } };
  const { positionals } = parseArgs({ args, options, strict: false });
  return positionals.length > 0 && positionals.every((name) => /^packages(\/|$)/.test(name));
}
