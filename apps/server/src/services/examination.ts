import type { Connectors } from "@org/core";
import {
  checkContent,
  checkDocumentStore,
  checkSettings,
  checkVirusScan,
  type Finding,
  ok,
  warn,
} from "@org/installation";
import type { ProviderRegistry } from "@org/provider-registry";
import type { Examination } from "@org/rest-api";
import type { Feature, Platform } from "../feature.js";

/** How many connectors are listed. */
const NAMED = 10;

/** The server's part of `wealth-connect doctor`: everything that depends on its own settings, its database login and its providers. */
export function examination({
  config,
  publicUrl,
  database,
  connectors,
  providers,
  features,
  tracing,
}: Pick<Platform, "config" | "publicUrl" | "database" | "tracing"> & {
  connectors: Pick<Connectors, "search">;
  providers: Pick<ProviderRegistry, "standings">;
  /** The features created by the time of the examination. */
  features: readonly Pick<Feature, "check">[];
}): Examination {
  return {
    async examine() {
      await database.ping();
      // Not the platform's clock, which follows the database's.
      const by = { clock: () => new Date(), machine: "the server's machine" };
      return [
        ...checkSettings({ ...config, publicUrl }),
        await checkVirusScan(config),
        await checkDocumentStore(config),
        ok("database", `${database.kind}, answers`),
        ...(await checkContent(config, database, by)),
        checkProviders(providers),
        await checkConnectors(connectors),
        ...(await Promise.all([...features, tracing].map(({ check }) => check?.() ?? []))).flat(),
      ];
    },
  };
}

function checkProviders(providers: Pick<ProviderRegistry, "standings">): Finding {
  const check = "providers";
  const all = providers.standings();
  const wrong = all.filter(({ name, state }) =>
    // Where tenants have their own settings, the installation may have none.
    state === "no_settings"
      ? !all.some((other) => other.name === name && other.tenant_id !== null)
      : state !== "available",
  );
  if (wrong.length === 0) return ok(check, all.length === 0 ? "none is loaded" : `${all.length} available`);
  const named = wrong.slice(0, NAMED).map(({ name, tenant_id, state, reason }) => {
    const whose = tenant_id === null ? "" : ` of tenant ${tenant_id}`;
    return `${name}${whose} ${reason ?? standingWords[state]}`;
  });
  return warn(
    check,
    `${wrong.length} of ${all.length} are not available: ${named.join("; ")}${wrong.length > NAMED ? "; …" : ""}`,
    "wealth-connect providers list, then providers show, set and test; PROVIDERS loads them",
  );
}

const standingWords = {
  available: "is available",
  starting: "has not come up yet",
  unavailable: "did not come up",
  no_settings: "has no settings",
  not_loaded: "has settings and is not loaded",
} as const;

async function checkConnectors(connectors: Pick<Connectors, "search">): Promise<Finding> {
  const check = "connectors";
  const { total, items } = await connectors.search({ name: null, unserved: true, page: 1, page_size: NAMED }, null);
  if (total === 0) return ok(check, "this server serves all that are to be available");
  const named = items.map(({ id, provider }) => `${id} (${provider})`).join(", ");
  return warn(
    check,
    `${total} are not available, since their provider is not loaded, or has no settings that serve them: ${named}${total > NAMED ? ", …" : ""}`,
    "wealth-connect connectors list --unserved; see wealth-connect providers list; import those again that nobody is to have, with available: false",
  );
}
