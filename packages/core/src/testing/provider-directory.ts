import type { BankProvider } from "@org/provider-kit";
import type { ProviderDirectory } from "../ports/provider-directory.js";

/** A {@link ProviderDirectory} of these providers, the same for every tenant. */
export function directoryOf(...providers: readonly BankProvider[]): ProviderDirectory {
  const byName = new Map(providers.map((provider) => [provider.name, provider]));
  return {
    for: ({ provider }) => byName.get(provider) ?? null,
    ownOf: () => null,
    owners: () => [],
    has: (name) => byName.has(name),
    serves: ({ provider }) => byName.has(provider),
    offering: () => [...byName.keys()].join(" "),
  };
}
