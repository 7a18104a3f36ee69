import { readFileSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files whose tests take long; begun last, one of them would keep a single worker busy at the end. */
const long = [
  "/refresh-crash.test.ts",
  "/crash.test.ts",
  "/clean-up.test.ts",
  "/oauth-store.test.ts",
  "/postgres-storage.test.ts",
  "/letter-counts.test.ts",
  "/letter-body-cost.test.ts",
];

/** Test files that `.ci/run` has run by themselves, while there is time (`.ci/long-tests.mjs`). */
const apart =
  process.env.LONG_TESTS === "apart"
    ? (
        JSON.parse(readFileSync(new URL("./.ci/long-tests.json", import.meta.url), "utf8")) as { files: string[] }[]
      ).flatMap(({ files }) => files)
    : [];

/** Where nothing is known of an earlier run, vitest takes large files for long ones; these go before them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * projects.indexOf(project.name) + (long.some((name) => moduleId.endsWith(name)) ? 0 : 1);
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
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Modules keep no state that tests could trip over, so the files of a worker share what one of them has loaded: most of
    // the time of a small file is its imports.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: "packages",
          exclude: [...configDefaults.exclude, ...apart],
          include: ["packages/*/{src,test}/**/*.test.ts", "scripts/*.test.mjs"],
        },
      },
      {
        extends: true,
        test: {
          name: "apps",
          exclude: [...configDefaults.exclude, ...apart],
          include: ["apps/*/{src,test}/**/*.test.ts", "examples/*/test/**/*.test.ts"],
          setupFiles: ["apps/server/test/end-servers.ts"],
        },
      },
    ],
  },
});
