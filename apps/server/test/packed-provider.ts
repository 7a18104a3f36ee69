import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "tsup";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const run = promisify(execFile);

/**
 * Packs the kit and the example of a bank as they are published, and unpacks both into the `node_modules` of a new folder, beside a copy of zod of its
 * own. Nothing is asked of a registry.
 * @returns the folders of the kit and the example in there, and what removes them
 */
export async function installPackedExample() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "packed-")));
  const modules = join(folder, "node_modules");
  const kit = join(root, "packages/provider-kit");
  cpSync(realpathSync(join(kit, "node_modules/zod")), join(modules, "zod"), { recursive: true });
  const parts = ["src/index.ts", "src/decimal.ts", "src/http/index.ts", "src/loading/index.ts", "src/testing/index.ts"];
  await unpack(await buildInto(join(folder, "kit"), kit, parts), join(modules, "@org/provider-kit"));
  const example = join(root, "examples/bank-provider");
  await unpack(await buildInto(join(folder, "bank"), example, ["src/index.ts"]), join(modules, "lighthouse"));
  return {
    kit: join(modules, "@org/provider-kit"),
    example: join(modules, "lighthouse"),
    remove: () => rmSync(folder, { recursive: true, maxRetries: 3 }),
  };
}

/** Packs a folder, and unpacks what would be published of it. */
async function unpack(of: string, into: string): Promise<void> {
  const env = { ...process.env, npm_config_cache: join(of, "cache"), npm_config_update_notifier: "false" };
  const { stdout } = await run("npm", ["pack", "--offline", "--ignore-scripts", "--loglevel=error"], { cwd: of, env });
  mkdirSync(into, { recursive: true });
  await run("tar", ["-xzf", join(of, stdout.trim()), "-C", into, "--strip-components=1"]);
}

/** Builds a package's sources, with the manifest that it is published with: without references to the workspace. */
async function buildInto(folder: string, of: string, entry: readonly string[]): Promise<string> {
  const {
    publishConfig,
    dependencies: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(readFileSync(join(of, "package.json"), "utf8")) as Record<string, Record<string, string>>;
  await build({
    config: false,
    silent: true,
    entry: entry.map((file) => join(of, file)),
    outDir: join(folder, "dist"),
    format: ["esm"],
    target: "node20",
    platform: "node",
    external: ["zod", "undici", /^@org\/provider-kit/],
  });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, ...publishConfig }));
  return folder;
}
