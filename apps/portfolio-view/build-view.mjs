// Builds the script of the views into one file, view.js. The server's build calls it:
//
//   node apps/portfolio-view/build-view.mjs <folder>
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

// Tests that build set it to another value, which would bundle React's development build.
process.env.NODE_ENV = "production";
const [folder = "dist/view"] = process.argv.slice(2);

await build({
  configFile: false,
  root: fileURLToPath(new URL("client/", import.meta.url)),
  base: "./",
  logLevel: "warn",
  resolve: { conditions: ["@org/source", "module", "browser", "production"] },
  build: {
    target: "es2022",
    outDir: resolve(folder),
    emptyOutDir: true,
    assetsDir: "",
    modulePreload: false,
    rollupOptions: {
      input: fileURLToPath(new URL("client/main.tsx", import.meta.url)),
      output: { entryFileNames: "view.js" },
    },
  },
});
