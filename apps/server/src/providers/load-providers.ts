import { ConfigError, shippedProviders } from "@org/installation";
import type { ProviderDefinition } from "@org/provider-kit";
import { loadProviders as load } from "@org/provider-kit/loading";

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
  const { providers, problems } = await load(names, { directory, shipped: shippedProviders, builtIn });
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `PROVIDERS: ${problem}`));
  return providers;
}
