import {
  type Connectors,
  createConnectionAdmin,
  createCredentials,
  createInvestmentData,
  createReadAudit,
  createSessions,
  createTenantClients,
  createWealth,
  createWhy,
  type LimitsOf,
  type OwnedAuditEntry,
  type ProviderDirectory,
  type Revocations,
  type Storage,
} from "@org/core";
import type { Config } from "@org/installation";
import type { Platform } from "../feature.js";

/** Connections to banks as applications see them: the sessions that open them, their state, and their data. */
export function connections({
  config,
  publicUrl,
  storage,
  runtime,
  connectors,
  limitsOf,
  redirectUrls,
  recordRead,
  revocations,
  providers,
}: Pick<Platform, "publicUrl" | "runtime"> & {
  config: Pick<Config, "clientLabel" | "mailDelayMs" | "widgetTtlSeconds">;
  storage: Storage;
  connectors: Connectors;
  limitsOf: LimitsOf;
  redirectUrls: Parameters<typeof createSessions>[0]["redirectUrls"];
  /** Records audit lines about data reads. */
  recordRead: (line: OwnedAuditEntry) => void;
  revocations: Revocations;
  providers: ProviderDirectory;
}) {
  const reads = createReadAudit({ runtime, record: recordRead });
  const data = createInvestmentData({ reader: storage.reader, runtime, reads });
  return {
    connectionAdmin: createConnectionAdmin({ storage, runtime, connectors, providers }),
    credentials: createCredentials({
      storage,
      runtime,
      connectors,
      providers,
      revocations,
      mailDelayMs: config.mailDelayMs,
    }),
    tenantClients: createTenantClients({
      storage,
      runtime,
      clientLabel: config.clientLabel,
      revocations,
      mailDelayMs: config.mailDelayMs,
      limitsOf,
    }),
    data,
    wealth: createWealth({
      data,
      reader: storage.reader,
      facts: storage.wealthReader,
      rates: storage.exchangeRates,
      runtime,
    }),
    why: createWhy({ reader: storage.reader, figures: storage.figureReader, runtime, reads }),
    sessions: createSessions({
      storage,
      runtime,
      connectors,
      redirectUrls,
      publicUrl,
      ttlSeconds: config.widgetTtlSeconds,
      limitsOf,
      clientLabel: config.clientLabel,
    }),
  };
}
