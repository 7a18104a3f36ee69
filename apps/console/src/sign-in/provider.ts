import { useAddress } from "../parts/address.js";

const problems = ["refused", "cancelled", "provider_away", "too_many", "away"] as const;

/** The problem at the identity provider, which the server puts in the address; null if there is none. */
export function useProviderProblem(): (typeof problems)[number] | null {
  const { problem } = useAddress().search;
  return problem === undefined ? null : (problems.find((known) => known === problem) ?? "refused");
}

/** The URL that leads to the provider and back to this page. @param tenantId the tenant, if it has its own provider */
export function providerAddress(tenantId: string | null): string {
  const search = new URLSearchParams(location.search);
  search.delete("problem");
  const to = location.pathname + (search.size > 0 ? `?${search}` : "");
  return `/console/sign-in/provider?${new URLSearchParams({ ...(tenantId !== null && { tenant: tenantId }), to })}`;
}
