import { defineConfig, type Options } from "tsup";

/**
 * A published package: ESM for Node 20, workspace packages and dependencies left as imports. esbuild drops unused code by itself. The extra
 * pass of rollup (`treeshake`) takes three times as long as everything else and makes the code smaller by 1 to 7 %: what is downloaded by
 * browsers has it.
 */
export const base = (extra: Options = {}) =>
  defineConfig({
    format: ["esm"],
    target: "node20",
    platform: "node",
    sourcemap: true,
    clean: true,
    loader: { ".sql": "text" },
    ...extra,
  });

/**
 * An app: workspace packages are bundled from their sources, so that it builds and starts without their builds. So are dependencies of
 * hundreds of small files, which take longer to find than to run: kysely alone has 263.
 */
export const bundled = (extra: Options = {}) =>
  base({
    noExternal: [/^@org\//, "kysely", "jose", "uuid"],
    // CommonJS dependencies that end up in the bundle ask for `require`.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    esbuildOptions: (options) => {
      options.conditions = ["@org/source"];
    },
    ...extra,
  });
