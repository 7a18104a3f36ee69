import { useAddress } from "../parts/address.js";

const problems = ["refused", "cancelled", "provider_away", "too_many", "away"] as const;

/** What went wrong on the way to the identity provider and back, as the server tells it in the address; null when nothing did. */
export function useProviderProblem(): (typeof problems)[number] | null {
  const { problem } = useAddress().search;
  return problem === undefined ? null : (problems.find((known) => known === problem) ?? "refused");
}

/** The way to the provider and back to where one is. @param tenantId whose people sign in with a provider of their own */
export function providerAddress(tenantId: string | null): string {
  const search = new URLSearchParams(location.search);
  search.delete("problem");
  const to = location.pathname + (search.size > 0 ? `?${search}` : "");
  return `/console/sign-in/provider?${new URLSearchParams({ ...(tenantId !== null && { tenant: tenantId }), to })}`;
}
