import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The URL of a module given as a path or package name, resolved as a file in `directory` would resolve it. @throws Error if there is none */
export function resolveModule(name: string, directory: string): string {
  if (name.startsWith("file:")) return name;
  if (/^(\.{1,2}$|\.{0,2}[/\\])/.test(name) || isAbsolute(name)) {
    const file = resolve(directory, name);
    if (!existsSync(file)) throw new Error("there is no such file");
    return pathToFileURL(statSync(file).isDirectory() ? fileOfFolder(file, name) : file).href;
  }
  const require = createRequire(join(directory, "any.js"));
  try {
    return pathToFileURL(require.resolve(name)).href;
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    // The package can only be imported, not required.
    const file =
      code === "ERR_PACKAGE_PATH_NOT_EXPORTED" ? importedFile(name, require.resolve.paths(name) ?? []) : null;
    if (file !== null) return pathToFileURL(file).href;
    throw new Error(
      `there is no package of this name in ${directory} or above it; a file is named by its path, as in ./${name}`,
      {
        cause: error,
      },
    );
  }
}

/** The file that a folder's package.json names. @throws Error that says what is missing */
function fileOfFolder(folder: string, name: string): string {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest))
    throw new Error(`it is a folder without a package.json: name the file, as in ${name.replace(/\/$/, "")}/index.mjs`);
  const { exports, main } = JSON.parse(readFileSync(manifest, "utf8")) as { exports?: unknown; main?: unknown };
  const target =
    targetOf((exports as Readonly<Record<string, unknown>> | undefined)?.["."] ?? exports) ?? targetOf(main);
  if (target === null) throw new Error('it is a folder whose package.json has neither "exports" nor "main"');
  const file = join(folder, target);
  if (!existsSync(file))
    throw new Error(`its package.json names ${target}, which is not there: it may have to be built`);
  return file;
}

/** The file that a package's `exports` resolve the package name to. */
function importedFile(name: string, folders: readonly string[]): string | null {
  for (const folder of folders) {
    const manifest = join(folder, name, "package.json");
    if (!existsSync(manifest)) continue;
    const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports?: unknown };
    const target = targetOf((exports as Readonly<Record<string, unknown>>)["."] ?? exports);
    return target === null ? null : join(folder, name, target);
  }
  return null;
}

function targetOf(entry: unknown): string | null {
  if (typeof entry === "string") return entry;
  if (entry === null || typeof entry !== "object") return null;
  for (const [condition, inner] of Object.entries(entry))
    if (["node", "import", "default"].includes(condition)) return targetOf(inner);
  return null;
}
