import { sandboxCatalogue, sandboxProvider } from "@org/bank-providers";
import { createConnectors, createProviderGuard, type Storage } from "@org/core";
import type { Config } from "@org/installation";
import { createProviderOperations, createProviderRegistry, type ProviderStanding } from "@org/provider-registry";
import type { Feature, Platform } from "../feature.js";
import { logFailure } from "../jobs.js";
import { durations, gauges, loadGauge } from "../measures.js";
import { loadConfiguredProviders } from "../providers/load-providers.js";
import { providerServices } from "../providers/provider-services.js";

/** How long a start waits for providers; slower ones become available later. */
const START_MS = 3_000;

/**
 * Servers with jobs report their open breakers periodically. A breaker that has not been reported for this long belongs to a server that is
 * gone.
 */
const QUIET_MS = 60 * 60_000;

/** The catalogue of banks and the providers that reach them, each behind a guard. `PROVIDERS` names the providers. */
export async function banks({
  config,
  storage,
  runtime,
  clock,
  schedule,
  log,
}: Pick<Platform, "runtime" | "clock" | "schedule" | "log"> & {
  config: Pick<Config, "providers" | "sandbox" | "httpsProxy" | "noProxy" | "tracing">;
  storage: Storage;
}) {
  const calls = durations(
    "wealth_connect_provider_call_seconds",
    "Calls of bank providers by provider, call and outcome",
    ["provider", "call", "outcome"],
    "slow",
  );
  const { servicesFor, sleep, metric: requests } = providerServices({ config, storage, runtime, clock, log });
  const guard = createProviderGuard({
    clock,
    random: Math.random,
    sleep,
    loop: runtime.loop,
    onCall: ({ milliseconds, ...labels }) => calls.observe(labels, milliseconds),
    onBreaker(change) {
      log.warn(change, "circuit breaker of a bank");
      void noteCircuit(storage, change, clock()).catch((error: unknown) =>
        logFailure(log, error, "a change of a circuit breaker could not be noted"),
      );
    },
  });
  const registry = createProviderRegistry({
    definitions: await loadConfiguredProviders(
      config.providers,
      process.cwd(),
      config.sandbox ? [sandboxProvider] : [],
    ),
    store: storage.providerSettings,
    runtime,
    guard,
    servicesFor,
    sleep,
    onStanding: standingsLog(log),
  });
  await registry.load(START_MS);
  if (config.sandbox) await offerSandboxBanks(storage);
  const connectors = createConnectors({
    catalogue: storage.catalogue,
    mac: runtime.mac,
    defaultProvider: config.sandbox ? sandboxProvider.name : null,
    providers: registry,
    loop: runtime.loop,
  });
  const breakers = gauges(
    async () => guard.openBreakers().map(({ state }) => state),
    [
      {
        name: "wealth_connect_provider_breakers",
        help: "Connectors that are left alone, by state",
        labelNames: ["state"],
        set(gauge, states) {
          for (const state of ["open", "half_open"] as const)
            gauge.set({ state }, states.filter((found) => found === state).length);
        },
      },
    ],
  );
  const standings = gauges(
    async () => registry.standings(),
    [
      {
        name: "wealth_connect_providers",
        help: "Providers under the settings of the installation and of tenants, by provider and state",
        labelNames: ["provider", "state"],
        set(gauge, found) {
          gauge.reset();
          for (const { name, state } of found) gauge.inc({ provider: name, state });
        },
      },
    ],
  );

  const timer = setInterval(
    () =>
      void registry
        .load(0)
        .catch((error: unknown) =>
          logFailure(log, error, "settings of providers could not be read again; will be retried shortly"),
        ),
    schedule.providers,
  );
  timer.unref();

  const places = loadGauge("wealth_connect_bank_calls", "Calls at banks", guard.calls);
  const feature: Feature = {
    metrics: [calls.metric, requests, places, ...breakers, ...standings],
    jobs: [
      {
        name: "circuits",
        async run() {
          for (const breaker of guard.openBreakers()) await noteCircuit(storage, breaker, clock());
          await storage.providerCircuits.forget(new Date(clock().getTime() - QUIET_MS));
        },
        failure: "circuit breakers that no server has open could not be looked for; will be retried",
      },
    ],
    close: async () => clearInterval(timer),
  };
  const operations = createProviderOperations({ registry, storage, runtime, connectors, servicesFor, sleep });
  return {
    ...feature,
    connectors,
    providers: registry,
    providerOperations: operations,
    openBreakers: guard.openBreakers,
    /** The title of a loaded provider. */
    titleOf: (name: string) => registry.definitions.get(name)?.title ?? null,
    /** The display name of a connector's bank. */
    bankOf: async (connectorId: string) => (await connectors.find(connectorId))?.name ?? null,
  };
}

type BreakerChange = Parameters<NonNullable<Parameters<typeof createProviderGuard>[0]["onBreaker"]>>[0];

/** Combines what servers report of their breakers into one view for operators. A scope is a tenant's id, or empty. */
function noteCircuit(
  { providerCircuits }: Storage,
  { connector_id, provider, scope, state }: BreakerChange,
  at: Date,
): Promise<boolean> {
  const circuit = { connector_id, provider, tenant_id: scope === "" ? null : scope };
  return state === "closed" ? providerCircuits.closed(circuit) : providerCircuits.opened(circuit, at);
}

/** Logs providers that do not start, which are retried every minute, and those that start later. */
function standingsLog(log: Platform["log"]) {
  return ({ name: provider, tenant_id, state, reason }: ProviderStanding) => {
    if (reason === null) log.info({ provider, tenant_id, state }, "a provider is available again");
    else log.warn({ provider, tenant_id, state, reason }, "a provider is not available");
  };
}

/** Adds the sandbox banks to an installation that does not have them; an operator's changes to them stay. */
async function offerSandboxBanks(storage: Storage): Promise<void> {
  const { connectors } = await storage.catalogue.all();
  const known = new Set(connectors.map((connector) => connector.id));
  const missing = sandboxCatalogue().filter((connector) => !known.has(connector.id));
  if (missing.length > 0) await storage.catalogue.importAll(missing);
}
