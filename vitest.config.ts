import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = fileURLToPath(new URL("./", import.meta.url));
/** Test files that take long, and how long among others, in seconds. */
const longTests: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL("./.ci/long-tests.json", import.meta.url), "utf8"),
);
/**
 * A run that has to end in time (`.ci/run`) has what takes long at the end, where it can be left out, longer files later: so few are left out. Files of
 * a minute come first even there: at the end one of them would keep a single worker busy, or be left out for more time than it needs.
 */
const hasToEnd = process.env.CI_STARTED !== undefined;
const MINUTE = 60;

/**
 * Where nothing is known of an earlier run, vitest takes large files for long ones. The longest are begun first, for begun last they would
 * keep a single worker busy at the end.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Those of the apps and examples come last, for they have the most that takes long.
    const rank = ({ moduleId }: TestSpecification) => {
      const file = moduleId.slice(root.length);
      const seconds = longTests[file];
      const ofGroup = /^(?:packages|scripts)\//.test(file) ? 0 : 100_000;
      if (seconds === undefined) return ofGroup + 10_000;
      return ofGroup + (hasToEnd && seconds < MINUTE ? 20_000 + seconds : 5_000 - seconds);
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Tests run on the sources of the workspace packages, so that no build stands between an edit and its test. */
export default defineConfig({
  plugins: [
    {
      name: "sql-as-text",
      enforce: "pre",
      load: (id) => (id.endsWith(".sql") ? `export default ${JSON.stringify(readFileSync(id, "utf8"))}` : null),
    },
  ],
  resolve: { conditions: ["@org/source", "node"] },
  ssr: { resolve: { conditions: ["@org/source", "node"] } },
  test: {
    // Deadlines end a test that hangs; how fast anything is, benchmarks say.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // A worker that has many databases open takes its time to end on a busy machine.
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 60_000 } },
    // One more than CI has processors: tests of servers and pages wait a quarter of their time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    setupFiles: [
      ".ci/end-with-vitest.mjs",
      "apps/server/test/end-servers.ts",
      ...(hasToEnd ? [".ci/one-seed.mjs"] : []),
    ],
    ...(hasToEnd && { runner: "./.ci/leave-out.mjs" }),
    // Modules keep no state that tests could trip over, so the files of a worker share what one of them has loaded: most of
    // the time of a small file is its imports.
    isolate: false,
    include: [
      "packages/*/{src,test}/**/*.test.ts",
      "scripts/*.test.mjs",
      "apps/*/{src,test}/**/*.test.ts",
      "examples/*/test/**/*.test.ts",
    ],
  },
});
