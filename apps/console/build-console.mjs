// Builds the console into static files and stores compressed copies next to them. The server's build calls it:
//
//   node apps/console/build-console.mjs <folder>
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "vite";

// Tests that build the console set another value, with which React's development build would be bundled.
process.env.NODE_ENV = "production";
const [given = "dist/console"] = process.argv.slice(2);
const folder = resolve(given);

const firstPaint = await readFile(new URL("./src/first-paint.js", import.meta.url));
const firstPaintName = `assets/first-paint-${createHash("sha256").update(firstPaint).digest("base64url").slice(0, 8)}.js`;

await build({
  configFile: false,
  root: fileURLToPath(new URL("./", import.meta.url)),
  base: "/console/",
  logLevel: "warn",
  plugins: [
    {
      name: "first-paint",
      // A script that is not a module runs before anything is shown.
      transformIndexHtml: () => [
        { tag: "script", attrs: { src: `/console/${firstPaintName}` }, injectTo: "head-prepend" },
      ],
      generateBundle() {
        this.emitFile({ type: "asset", fileName: firstPaintName, source: firstPaint });
      },
    },
  ],
  resolve: { conditions: ["@org/source", "module", "browser", "production"] },
  build: {
    target: "es2022",
    outDir: folder,
    emptyOutDir: true,
    manifest: "manifest.json",
    // The page's Content-Security-Policy would block inlined assets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      // Its modules only define functions, which its manifest does not say: the first screen needs half of them.
      treeshake: { moduleSideEffects: (id) => !id.includes("/@simplewebauthn/") },
      // "use client" has no meaning here.
      onwarn: (warning, warn) => warning.code === "MODULE_LEVEL_DIRECTIVE" || warn(warning),
    },
  },
});

const zipped = promisify(gzip);
const brotli = promisify(brotliCompress);
for (const file of await readdir(join(folder, "assets"))) {
  const name = join(folder, "assets", file);
  const body = await readFile(name);
  await writeFile(`${name}.gz`, await zipped(body, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  await writeFile(`${name}.br`, await brotli(body, { params }));
}
