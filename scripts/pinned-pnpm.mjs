// Provides the pnpm that package.json pins by version and hash, without corepack: npm fetches the tarball (or has it in its cache), and it is
// unpacked and run only if its SHA-512 matches the pinned one.
//
//   node scripts/pinned-pnpm.mjs <args>     runs it, for people without their own pnpm
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandFor, withFolderFirst } from "./on-any-system.mjs";
import { refuse, root } from "./step.mjs";

const pinned = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).packageManager;

/** An environment in which `pnpm` is the pinned one, also for child processes. */
export function withPinnedPnpm(env = process.env) {
  const own = withFolderFirst(pinnedPnpmFolder({ env }), env);
  delete own.npm_config_package; // left by an outer `npx -p node@24 -- npm test`
  return own;
}

/**
 * The folder with the `pnpm` command, unpacked on first use into the user's cache folder. @param wanted `pnpm@version+sha512.hex`; `fetch` puts the
 * tarball into a given folder
 */
export function pinnedPnpmFolder({ env = process.env, wanted = pinned, fetch = fetchByNpm } = {}) {
  const [, spec, hash] = /^(pnpm@[\w.-]+)\+sha512\.([0-9a-f]{128})$/.exec(wanted) ?? [];
  if (!spec) throw new Error(`packageManager must be pnpm@<version>+sha512.<hash>, not ${wanted}`);
  const cache = join(env.XDG_CACHE_HOME || env.LOCALAPPDATA || join(homedir(), ".cache"), "wealth-connect");
  const folder = join(cache, `${spec.replace("@", "-")}-${hash.slice(0, 16)}`);
  if (existsSync(folder)) return join(folder, "bin");
  const unfinished = folderIn(cache);
  try {
    fetch(spec, unfinished);
    const name = readdirSync(unfinished).find((file) => file.endsWith(".tgz"));
    if (!name) throw new Error(`npm did not fetch ${spec}`);
    const found = createHash("sha512")
      .update(readFileSync(join(unfinished, name)))
      .digest("hex");
    if (found !== hash)
      throw new Error(
        `${spec} as it was fetched has the SHA-512 ${found}, and package.json pins ${hash}: it is not run`,
      );
    run("tar", ["-xzf", name], unfinished);
    rmSync(join(unfinished, name));
    makeCommand(unfinished);
    // Renames atomically; a concurrent run finds the finished folder.
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return join(folder, "bin");
}

/** A new folder in the cache. `mkdirSync` with `recursive` would run for ever where a folder takes none, as in `/proc`. */
function folderIn(cache) {
  const make = (folder) => {
    if (existsSync(folder)) return;
    make(dirname(folder));
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  };
  try {
    make(cache);
    return mkdtempSync(join(cache, "unpacking-"));
  } catch ({ message }) {
    throw new Error(`pnpm cannot be unpacked into ${cache} (${message}): set XDG_CACHE_HOME to a folder of your own`);
  }
}

function fetchByNpm(spec, folder) {
  run("npm", ["pack", spec, "--prefer-offline", "--ignore-scripts", "--silent", "--pack-destination", folder], root);
}

/** Writes `bin/pnpm`, which works wherever the folder is moved to. */
function makeCommand(folder) {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const program = join(folder, "package", "bin", "pnpm.cjs");
  if (process.platform === "win32")
    return writeFileSync(join(bin, "pnpm.cmd"), '@node "%~dp0\\..\\package\\bin\\pnpm.cjs" %*\r\n');
  chmodSync(program, 0o755);
  symlinkSync("../package/bin/pnpm.cjs", join(bin, "pnpm"));
}

function run(command, args, cwd) {
  const env = { ...process.env };
  delete env.npm_config_package;
  const { status, stderr, error } = spawnSync(...commandFor(command, args), {
    cwd,
    env,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? stderr}`);
}

function pinnedOrRefused() {
  try {
    return withPinnedPnpm();
  } catch (error) {
    return refuse(error.message);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const env = pinnedOrRefused();
  const { status } = spawnSync(...commandFor("pnpm", process.argv.slice(2)), {
    stdio: "inherit",
    env,
    shell: process.platform === "win32",
  });
  process.exitCode = status ?? 1;
}
