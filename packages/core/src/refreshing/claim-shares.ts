import type { RefreshLease, RefreshShares } from "../connections/refresh-store.js";
import type { ProviderDirectory } from "../providers/provider-directory.js";
import type { OpenBreaker } from "../providers/provider-guard.js";

/** How long a refresh counts for its tenant, so that after it others come first. */
const SERVED_MS = 60_000;
/** A connector's places for as long after its shared limit was used up: more would only find out that there is no turn. */
const PACED_PLACES = 3;
/** The longest time for which a connector is left alone at a shared limit, before one connection finds out again. */
const MAX_PAUSE_MS = 60_000;

/** What this server's claims go by: its places, whom it served lately, and the connectors that it leaves alone. */
export interface ClaimShares {
  /** A leased refresh begins; the function that is returned ends it. */
  begin(lease: RefreshLease): () => void;
  /** The application's own limit at an institution is used up for so many seconds. */
  pause(at: { connector_id: string; provider: string; tenant_id: string }, seconds: number): void;
  /** The shares of the next claim. */
  current(): RefreshShares;
}

export function createClaimShares({
  clock,
  providers,
  each,
  openBreakers,
  afterPause,
}: {
  clock: () => Date;
  providers: Pick<ProviderDirectory, "owners">;
  each: number;
  openBreakers: () => readonly OpenBreaker[];
  /** Called with the length of each pause, in milliseconds, when it begins. */
  afterPause: (milliseconds: number) => void;
}): ClaimShares {
  const held = new Set<RefreshLease>();
  /** Refreshes that have ended, oldest first. */
  let served: { readonly tenant_id: string; readonly at: number }[] = [];
  /** By connector and scope. */
  const pauses = new Map<
    string,
    Pick<OpenBreaker, "connector_id" | "provider" | "scope"> & { readonly until: number }
  >();
  const now = () => clock().getTime();

  return {
    begin(lease) {
      held.add(lease);
      return () => {
        held.delete(lease);
        served.push({ tenant_id: lease.tenant_id, at: now() });
      };
    },
    pause({ connector_id, provider, tenant_id }, seconds) {
      const scope = providers.owners(provider).includes(tenant_id) ? tenant_id : "";
      const key = JSON.stringify([connector_id, scope]);
      const length = Math.min(seconds * 1_000, MAX_PAUSE_MS);
      if ((pauses.get(key)?.until ?? 0) > now()) return;
      pauses.set(key, { connector_id, provider, scope, until: now() + length });
      afterPause(length);
    },
    current() {
      const breakers = openBreakers();
      served = served.filter(({ at }) => at > now() - SERVED_MS);
      for (const [key, { until }] of pauses) if (until <= now() - SERVED_MS) pauses.delete(key);
      const paced = [...pauses.values()];
      const everybodys = ({ scope }: { scope: string }) => scope === "";
      return {
        each,
        held: [...held],
        served: served.map(({ tenant_id }) => tenant_id),
        at_most: Object.fromEntries([
          ...paced.filter(everybodys).map(({ connector_id }) => [connector_id, Math.min(each, PACED_PLACES)]),
          ...breakers
            .filter((one) => one.state === "half_open" && everybodys(one))
            .map(({ connector_id }) => [connector_id, 1]),
        ]),
        closed: [
          ...breakers.filter(({ state }) => state === "open"),
          ...paced.filter(({ until }) => until > now()),
        ].map(({ connector_id, provider, scope }) => ({
          connector_id,
          tenant_id: scope === "" ? null : scope,
          except_tenants: scope === "" ? providers.owners(provider) : [],
        })),
      };
    },
  };
}
