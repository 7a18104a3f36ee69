import { resolveModule } from "./resolve-module.js";

/** The time limit for loading a module. */
const LOAD_MS = 30_000;

/**
 * The default export of a module that a setting names, also if a CommonJS module nests it. Undefined if there is none.
 * @param shipped modules that come with the program, by their short names
 * @throws Error if the module cannot be found, throws, or takes too long
 */
export async function loadDefaultExport(
  name: string,
  directory: string,
  shipped: Readonly<Record<string, () => Promise<unknown>>> = {},
): Promise<unknown> {
  const load = shipped[name] ?? (() => import(/* @vite-ignore */ resolveModule(name, directory)));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not load within ${LOAD_MS / 1_000} s`)), LOAD_MS);
  });
  const module = await Promise.race([Promise.resolve().then(load), late]).finally(() => clearTimeout(timer));
  const outer = (module as { default?: unknown } | null)?.default;
  return (outer as { default?: unknown } | null | undefined)?.default ?? outer;
}

/** What is wrong with a module, in one line. */
export function moduleFault(error: unknown): string {
  const words = error instanceof Error ? error.message || error.name : String(error);
  return words.replace(/\s+/g, " ").slice(0, 500);
}
