import { type ProviderDefinition, providerName } from "../definition.js";
import { loadDefaultExport, moduleFault } from "./load-module.js";

/** Names that catalogue rows use for something else. */
const reserved = new Set(["datafeed"]);

/** The loaded providers, and one line for each module that cannot be loaded, is not a provider, or uses a name twice. */
export interface LoadedProviders {
  readonly providers: readonly ProviderDefinition[];
  readonly problems: readonly string[];
}

/**
 * Loads providers: shipped ones by their short name, others by module name or path.
 * @param options.directory where paths and packages are resolved from
 * @param options.shipped providers that come with the program; loaded only if named
 * @param options.builtIn providers that are available without being named
 */
export async function loadProviders(
  names: readonly string[],
  options: {
    readonly directory: string;
    readonly shipped: Readonly<Record<string, () => Promise<unknown>>>;
    readonly builtIn: readonly ProviderDefinition[];
  },
): Promise<LoadedProviders> {
  const problems: string[] = [];
  const loaded = new Map(options.builtIn.map((definition) => [definition.name, { definition, from: "SANDBOX" }]));
  for (const name of names)
    try {
      const definition = definitionOf(await loadDefaultExport(name, options.directory, options.shipped));
      const other = loaded.get(definition.name);
      if (other) throw new Error(`calls itself ${definition.name}, as the provider of ${other.from} does`);
      loaded.set(definition.name, { definition, from: name });
    } catch (error) {
      problems.push(`${name}: ${moduleFault(error)}`);
    }
  return { providers: [...loaded.values()].map(({ definition }) => definition), problems };
}

function definitionOf(found: unknown): ProviderDefinition {
  if (found === null || typeof found !== "object") throw new Error("has no default export that defineProvider made");
  const { name, title, settings, create } = found as Partial<Record<keyof ProviderDefinition, unknown>>;
  const wrong = [
    ...(typeof name === "string" && providerName.test(name) && !reserved.has(name) ? [] : ["name"]),
    ...(typeof title === "string" && title !== "" ? [] : ["title"]),
    ...(isZodSchema(settings) ? [] : ["settings (a schema of zod 4)"]),
    ...(typeof create === "function" ? [] : ["create"]),
    ...(["connectors", "check", "tenantOnly", "hosts", "serves"] as const).filter(
      (part) => !["undefined", "function"].includes(typeof (found as Record<string, unknown>)[part]),
    ),
  ];
  if (wrong.length > 0) throw new Error(`its default export is no provider: see its ${wrong.join(", ")}`);
  return found as ProviderDefinition;
}

/** Recognises the schemas of any copy of zod 4, and of zod/mini. */
function isZodSchema(value: unknown): boolean {
  const { safeParseAsync, _zod } = (value ?? {}) as { safeParseAsync?: unknown; _zod?: unknown };
  return typeof safeParseAsync === "function" && typeof _zod === "object";
}
