import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

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
    // Modules keep no state that tests could trip over, so the files of a worker share what one of them has loaded: most of
    // the time of a small file is its imports.
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: "packages", include: ["packages/*/{src,test}/**/*.test.ts", "scripts/*.test.mjs"] },
      },
      {
        extends: true,
        test: {
          name: "apps",
          include: ["apps/*/{src,test}/**/*.test.ts", "examples/*/test/**/*.test.ts"],
          setupFiles: ["apps/server/test/end-servers.ts"],
        },
      },
    ],
  },
});
