import { ConfigError } from "@org/installation";
import type { ProviderDefinition } from "@org/provider-kit";
import { loadProviders as load } from "@org/provider-kit/loading";

/** Providers that come with the server, by their short names. */
const shipped: Readonly<Record<string, () => Promise<unknown>>> = {
  alpaca: () => import("@org/provider-alpaca"),
  "ibkr-flex": () => import("@org/provider-ibkr-flex"),
  kraken: () => import("@org/provider-kraken"),
  openwealth: () => import("@org/provider-openwealth"),
  trading212: () => import("@org/provider-trading212"),
};

/** The short names of the providers that come with the server. */
export const shippedProviders = Object.keys(shipped);

/**
 * Loads the providers that `PROVIDERS` names.
 * @param directory where paths and packages are resolved from
 * @param builtIn providers that exist without being named
 * @throws ConfigError with a line for each module that cannot be used
 */
export async function loadConfiguredProviders(
  names: readonly string[],
  directory: string,
  builtIn: readonly ProviderDefinition[] = [],
): Promise<readonly ProviderDefinition[]> {
  const { providers, problems } = await load(names, { directory, shipped, builtIn });
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `PROVIDERS: ${problem}`));
  return providers;
}
