import { ConfigError } from "@org/installation";
import { type ProviderDefinition, providerName } from "@org/provider-kit";
import { resolveModule } from "./resolve-module.js";

/** Providers that come with the server, by their short names. Loaded only where somebody wants them. */
const shipped: Readonly<Record<string, () => Promise<unknown>>> = {
  "ibkr-flex": () => import("@org/provider-ibkr-flex"),
  openwealth: () => import("@org/provider-openwealth"),
};

/** Names that rows of the catalogue have for other reasons. */
const reserved = new Set(["datafeed"]);
/** How long a module may take to load. */
const LOAD_MS = 30_000;

/**
 * Loads the providers that `PROVIDERS` names: shipped ones by their short name, others by module name or path.
 * @param directory what paths and packages are found from
 * @param builtIn those that are there without being named
 * @throws ConfigError with a line for each module that cannot be loaded, is no provider, or has a name that another has
 */
export async function loadProviders(
  names: readonly string[],
  directory: string,
  builtIn: readonly ProviderDefinition[] = [],
): Promise<readonly ProviderDefinition[]> {
  const problems: string[] = [];
  const loaded = new Map(builtIn.map((definition) => [definition.name, { definition, from: "SANDBOX" }]));
  for (const name of names)
    try {
      const definition = definitionIn(await loadModule(name, directory));
      const other = loaded.get(definition.name);
      if (other) throw new Error(`calls itself ${definition.name}, as the provider of ${other.from} does`);
      loaded.set(definition.name, { definition, from: name });
    } catch (error) {
      problems.push(`PROVIDERS: ${name}: ${reasonOf(error)}`);
    }
  if (problems.length > 0) throw new ConfigError(problems);
  return [...loaded.values()].map(({ definition }) => definition);
}

async function loadModule(name: string, directory: string): Promise<unknown> {
  const load = shipped[name] ?? (() => import(/* @vite-ignore */ resolveModule(name, directory)));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not load within ${LOAD_MS / 1_000} s`)), LOAD_MS);
  });
  return Promise.race([Promise.resolve().then(load), late]).finally(() => clearTimeout(timer));
}

/** The default export; a module of CommonJS has one within another. */
function definitionIn(module: unknown): ProviderDefinition {
  const outer = (module as { default?: unknown } | null)?.default;
  const found = (outer as { default?: unknown } | null | undefined)?.default ?? outer;
  if (found === null || typeof found !== "object") throw new Error("has no default export that defineProvider made");
  const { name, title, settings, create } = found as Partial<Record<keyof ProviderDefinition, unknown>>;
  const wrong = [
    ...(typeof name === "string" && providerName.test(name) && !reserved.has(name) ? [] : ["name"]),
    ...(typeof title === "string" && title !== "" ? [] : ["title"]),
    ...(typeof (settings as { safeParseAsync?: unknown } | null | undefined)?.safeParseAsync === "function"
      ? []
      : ["settings"]),
    ...(typeof create === "function" ? [] : ["create"]),
    ...(["connectors", "check", "tenantOnly", "hosts", "serves"] as const).filter(
      (part) => !["undefined", "function"].includes(typeof (found as Record<string, unknown>)[part]),
    ),
  ];
  if (wrong.length > 0) throw new Error(`its default export is no provider: see its ${wrong.join(", ")}`);
  return found as ProviderDefinition;
}

function reasonOf(error: unknown): string {
  const words = error instanceof Error ? error.message || error.name : String(error);
  return words.replace(/\s+/g, " ").slice(0, 500);
}
