// Runs the installed connector-filter in Chromium: bundled by esbuild for a browser, with nothing of Node about.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { chromiumArguments, chromiumPath } from "./chromium.mjs";
import { root } from "./step.mjs";

const source = (name) => `
  import { applyConnectorFilter, parseConnectorFilter } from "${name}";
  const catalogue = [
    { id: "esp:one", name: "One", type: "e-banking", countries: ["esp"], available: true },
    { id: "esp:two", name: "Two", type: "psd2", countries: ["esp"], available: true },
    { id: "fra:one", name: "Un", type: "e-banking", countries: ["fra"], available: true },
    { id: "fra:off", name: "Deux", type: "e-banking", countries: ["fra"], available: false },
  ];
  const filter = parseConnectorFilter({ rules: [
    { action: "exclude", field: "connector_id", value: "*" },
    { action: "include", field: "countries", value: ["esp"] },
    { action: "exclude", field: "type", value: "psd2" },
  ] });
  document.title = applyConnectorFilter(catalogue, filter).map(({ id }) => id).join(" ");
`;
const expected = "esp:one";

/** Throws unless the page computes what the filter should; `project` is a folder with the package installed. */
export async function runInChromium(project, name) {
  const script = await bundle(project, name);
  const profile = mkdtempSync(join(tmpdir(), "chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(),
    args: chromiumArguments,
  });
  try {
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.setContent(`<!doctype html><title>nothing</title><script>${script}</script>`);
    const title = await page.title();
    if (errors.length > 0) throw new Error(errors.join("\n"));
    if (title !== expected) throw new Error(`the page computed "${title}", not "${expected}"`);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** esbuild comes with tsup. `platform: "browser"` fails the build when anything of Node is imported. */
async function bundle(project, name) {
  const tsup = createRequire(join(root, "package.json")).resolve("tsup");
  const { build } = createRequire(tsup)("esbuild");
  const { outputFiles } = await build({
    stdin: { contents: source(name), resolveDir: project },
    bundle: true,
    format: "iife",
    platform: "browser",
    minify: true,
    write: false,
    logLevel: "silent",
  });
  console.log(`        ${name} in a page: ${gzipSync(outputFiles[0].contents).length} bytes minified and gzipped`);
  return outputFiles[0].text;
}
