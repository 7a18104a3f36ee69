import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

// esbuild is a dependency of tsup and resolved from there, as in the package's build.
const { buildSync } = createRequire(createRequire(import.meta.url).resolve("tsup"))("esbuild");

it("[C-6.1] the main entry is at most 3 kB minified and gzipped, and bundles for a browser with nothing of Node", () => {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  expect(gzipSync(outputFiles[0].contents, { level: 9 }).length).toBeLessThanOrEqual(3_000);
});
