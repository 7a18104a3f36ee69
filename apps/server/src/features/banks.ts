import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createSandboxBanks, sandboxCatalogue } from "@org/bank-providers";
import { createConnectors, createProviderGuard, type ProviderDirectory, type Storage } from "@org/core";
import type { BankProvider } from "@org/provider-kit";
import type { Feature, Platform } from "../feature.js";
import { durations, gauges, turnGauge } from "../measures.js";

/** The catalogue of banks and the providers that reach them, each behind a guard. A new provider is added to the map here. */
export async function banks({
  config,
  database: { storage },
  runtime: { mac },
  clock,
  log,
}: Pick<Platform, "config" | "database" | "runtime" | "clock" | "log">) {
  const calls = durations(
    "wealth_connect_provider_call_seconds",
    "Calls of bank providers by provider, call and outcome",
    ["provider", "call", "outcome"],
    "slow",
  );
  const guard = createProviderGuard({
    clock,
    random: Math.random,
    sleep: (ms, signal) => delay(ms, undefined, signal && { signal }),
    onCall: ({ milliseconds, ...labels }) => calls.observe(labels, milliseconds),
    onBreaker: (change) => log.warn(change, "circuit breaker of a bank"),
  });
  const sandbox = createSandboxBanks({
    clock,
    random: randomBytes,
    sleep: (ms, signal) => delay(ms, undefined, { signal }),
  });
  const providers = directoryOfOne(config.sandbox ? guard.guard(sandbox) : null);
  if (config.sandbox) await offerSandboxBanks(storage);
  const connectors = createConnectors({
    catalogue: storage.catalogue,
    mac,
    defaultProvider: config.sandbox ? sandbox.name : null,
    providers,
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

  const places = turnGauge("wealth_connect_bank_calls", "Calls at banks", guard.calls);
  const feature: Feature = { metrics: [calls.metric, places, ...breakers] };
  return {
    feature,
    providers,
    connectors,
    /** Name of a connector's bank, for people. */
    bankOf: async (connectorId: string) => (await connectors.find(connectorId))?.name ?? null,
  };
}

/** The same provider for every tenant, or none at all. */
function directoryOfOne(only: BankProvider | null): ProviderDirectory {
  const isIt = (name: string) => name === only?.name;
  return {
    for: ({ provider }) => (isIt(provider) ? only : null),
    ownOf: () => null,
    has: isIt,
    serves: ({ provider }) => isIt(provider),
    offering: () => "",
  };
}

/** Adds the sandbox banks to an installation that does not have them; an operator's changes to them stay. */
async function offerSandboxBanks(storage: Storage): Promise<void> {
  const { connectors } = await storage.catalogue.all();
  const known = new Set(connectors.map((connector) => connector.id));
  const missing = sandboxCatalogue().filter((connector) => !known.has(connector.id));
  if (missing.length > 0) await storage.catalogue.importAll(missing);
}
