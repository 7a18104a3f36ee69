// Builds the client of the pages into one file, main.js. The package's build and the server's call it:
//
//   node packages/widget/build-client.mjs <folder>
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";

const [folder = "dist/client"] = process.argv.slice(2);
const root = fileURLToPath(new URL("client/", import.meta.url));

await build({
  config: false,
  silent: true,
  clean: true,
  entry: [`${root}main.ts`],
  tsconfig: `${root}tsconfig.json`,
  outDir: resolve(folder),
  format: ["esm"],
  platform: "browser",
  target: "es2022",
  minify: true,
});
