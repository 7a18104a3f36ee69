import { ConfigError } from "@org/installation";
import { type ProviderDefinition, providerName } from "@org/provider-kit";
import { loadDefaultExport, moduleFault } from "../load-module.js";

/** Providers that come with the server, by their short names. Loaded only where somebody wants them. */
const shipped: Readonly<Record<string, () => Promise<unknown>>> = {
  "ibkr-flex": () => import("@org/provider-ibkr-flex"),
  openwealth: () => import("@org/provider-openwealth"),
};

/** Names that rows of the catalogue have for other reasons. */
const reserved = new Set(["datafeed"]);

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
      const definition = definitionOf(await loadDefaultExport(name, directory, shipped));
      const other = loaded.get(definition.name);
      if (other) throw new Error(`calls itself ${definition.name}, as the provider of ${other.from} does`);
      loaded.set(definition.name, { definition, from: name });
    } catch (error) {
      problems.push(`PROVIDERS: ${name}: ${moduleFault(error)}`);
    }
  if (problems.length > 0) throw new ConfigError(problems);
  return [...loaded.values()].map(({ definition }) => definition);
}

function definitionOf(found: unknown): ProviderDefinition {
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
