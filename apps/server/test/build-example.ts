import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";

const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));

/**
 * Bundles an example's current sources into single files that can resolve all they need, including packages that are not built.
 * @returns the folder of the files: below the example, whose manifest makes them modules
 */
export async function buildExample(name: string, entries: readonly string[]): Promise<string> {
  const outDir = join(examples, name, "node_modules/.cache/built", String(process.pid));
  await build({
    config: false,
    silent: true,
    entry: entries.map((entry) => join(examples, name, entry)),
    outDir,
    format: ["esm"],
    target: "node20",
    noExternal: [/^[^.]/],
    esbuildOptions: (options) => {
      options.conditions = ["@org/source"];
    },
  });
  return outDir;
}
