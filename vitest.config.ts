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
    include: ["packages/*/{src,test}/**/*.test.ts", "apps/*/{src,test}/**/*.test.ts", "examples/*/test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
  },
});
