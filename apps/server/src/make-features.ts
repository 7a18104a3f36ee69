import { join } from "node:path";
import { removeOrphanedObjects } from "@org/core";
import type { Extension, ToolView } from "@org/mcp-tools";
import { createDiskSpool } from "@org/rest-api";
import type { WidgetClient } from "@org/widget";
import type { Feature, Platform } from "./feature.js";
import { audit } from "./features/audit.js";
import { banks } from "./features/banks.js";
import { cleanUp } from "./features/clean-up.js";
import { consoleFeature } from "./features/console.js";
import { type BuiltConsole, consolePages } from "./features/console-pages.js";
import { dataFeeds } from "./features/data-feeds.js";
import { databaseClock } from "./features/database-clock.js";
import { dropFolder } from "./features/drop-folder.js";
import { events } from "./features/events.js";
import { exchangeRates } from "./features/exchange-rates.js";
import { feedKeys } from "./features/feed-keys.js";
import { feedSources } from "./features/feed-sources.js";
import { frontPages } from "./features/front-page.js";
import { institutionFigures } from "./features/institution-figures.js";
import { keys } from "./features/keys.js";
import { letters } from "./features/letters.js";
import { logos } from "./features/logos.js";
import { mail } from "./features/mail.js";
import { mcp } from "./features/mcp.js";
import { notifications } from "./features/notifications.js";
import { oauth } from "./features/oauth.js";
import { people } from "./features/people.js";
import { refreshes } from "./features/refreshes.js";
import { rest } from "./features/rest.js";
import { revocations as revocationFeature } from "./features/revocations.js";
import { sandboxPages } from "./features/sandbox-pages.js";
import { serverCards } from "./features/server-cards.js";
import { tenantLimits } from "./features/tenant-limits.js";
import { webhooks } from "./features/webhooks.js";
import { widget } from "./features/widget.js";
import { tenantsAndApplications } from "./services/applications.js";
import { approvingPeople } from "./services/approving-people.js";
import { connections } from "./services/connections.js";
import { examination } from "./services/examination.js";
import { feedMappings } from "./services/feed-mappings.js";
import { grantedClients } from "./services/granted-clients.js";
import { workQueue } from "./services/work-queue.js";

/** Files that the build puts beside the program; they are missing when it runs from its sources. */
export interface BuiltParts {
  /** The script that takes over the bank customer's pages where JavaScript runs; null when it was not built. */
  readonly widgetClient: WidgetClient | null;
  /** Views that hosts of the MCP Apps extension show for tools; none when they were not built. */
  readonly views: readonly ToolView[];
  /** The console of operators and tenants' people; null when it was not built. */
  readonly console: BuiltConsole | null;
}

/**
 * Creates every feature of the product, each from the services of the ones before. Nothing listens and no job runs yet.
 * @param more what `/mcp` offers in addition to the product
 */
export async function makeFeatures(platform: Platform, parts: BuiltParts, more: { extensions: readonly Extension[] }) {
  const { config, publicUrl, database, keyring, keys: serverKeys, runtime, clock, schedule, log, tracing } = platform;
  const { storage, oauthStore, peopleStores, sourceStores, eventStore, endedSessions, onEvents } = database;
  const { outcomeStore, endpointStore, deliveryQueue, sealedValues, workReader } = database;
  /** Requests are offered to the features in this order; features are closed in the opposite order. */
  const features: Feature[] = [];
  const add = <Made extends Feature>(feature: Made): Made => {
    features.push(feature);
    return feature;
  };

  add(databaseClock({ databaseClock: database.clock, schedule, log }));
  const auditFeature = add(audit({ config, storage, oauthStore, runtime, schedule, log }));
  const eventFeature = add(events({ eventStore, onEvents, runtime, clock, schedule }));
  const { onQueued, written, following } = eventFeature;
  const { limits } = add(await tenantLimits({ storage, runtime, clock, schedule, historyDays: config.historyDays }));

  // Callers: applications, people, tenants.
  const approving = approvingPeople({ config, publicUrl, storage, peopleStores, runtime, clock });
  const oauthFeature = add(
    oauth({
      config,
      publicUrl,
      oauthStore,
      keyring,
      keys: serverKeys,
      clock,
      log,
      audit: auditFeature.record,
      limits,
      people: approving,
      tenantClients: grantedClients(storage),
    }),
  );
  const { oauthApplications, signing, redirectUrls, mcpResource } = oauthFeature;
  const keyFeature = add(keys({ storage, sealedValues, keyring, keys: serverKeys, runtime, schedule, log, signing }));

  // Banks. Removing a tenant revokes the access of its connections at the banks.
  const bankFeature = add(await banks({ config, storage, runtime, clock, schedule, log }));
  const { connectors, providers, providerOperations, openBreakers, bankOf } = bankFeature;
  const { figures } = add(institutionFigures({ outcomeStore, runtime, schedule, log, connectors }));
  const rateFeature = add(exchangeRates({ config, storage, runtime, clock, schedule, log }));
  const { revocations } = add(revocationFeature({ runtime, log, providers, connectors }));
  const owners = tenantsAndApplications({ storage, peopleStores, runtime, oauthApplications, revocations });
  const { tenants, access, namesOf } = owners;
  const refreshFeature = add(
    refreshes({ storage, runtime, clock, log, providers, connectors, openBreakers, access, figures }),
  );

  // Webhooks, banks' notifications, letters and their mail.
  const webhookFeature = add(
    webhooks({
      config,
      deliveryQueue,
      endpointStore,
      runtime,
      keys: serverKeys,
      clock,
      schedule,
      log,
      limits,
      access,
      onQueued,
      written,
    }),
  );
  add(notifications({ storage, runtime, clock, log, providers }));
  const letterFeature = add(letters({ config, storage, runtime, log, connectors, limitsOf: limits.of, namesOf }));
  const mailFeature = add(mail({ config, storage, runtime, log, bankOf, access }));

  // Files of custodians.
  const feedFeature = add(await dataFeeds({ config, storage, sourceStores, runtime, clock, log, bankOf, connectors }));
  const { feeds, giveUp, readParts, mappingLanguage } = feedFeature;
  const spool = await createDiskSpool(join(config.dataDir, "uploads"));
  const sourceFeature = add(
    feedSources({ config, storage, sourceStores, runtime, clock, schedule, log, feeds, readParts, spool }),
  );
  const { held, intake } = sourceFeature;
  add(dropFolder({ config, sourceStores, runtime, clock, log, feeds, giveUp, intake }));
  const feedKeyFeature = add(feedKeys({ sourceStores, runtime, clock, connectors, held }));

  const peopleFeature = add(people({ config, peopleStores, runtime, publicUrl, tenants }));
  const { peopleOperations, savedViews, sessions, signingIn, providerSignIn } = peopleFeature;
  const { recordRead } = auditFeature;
  const services = {
    ...connections({
      config,
      publicUrl,
      storage,
      runtime,
      connectors,
      limitsOf: limits.of,
      redirectUrls,
      recordRead,
      revocations,
      providers,
    }),
    auditTrail: auditFeature.auditTrail,
    events: eventFeature.events,
    tenantLimits: limits,
    grants: oauthFeature.grants,
    registrationTokens: oauthFeature.registrationTokens,
    trustedIssuers: oauthFeature.trustedIssuers,
    keys: keyFeature.administration,
    connectors,
    providers: providerOperations,
    exchangeRates: rateFeature.exchangeRates,
    institutionFigures: figures,
    tenants,
    tenantProfiles: owners.tenantProfiles,
    applications: owners.applications,
    refreshes: refreshFeature.refreshes,
    webhooks: webhookFeature.endpoints,
    webhookAdmin: webhookFeature.endpointDesk,
    letters: letterFeature.letters,
    letterAdmin: letterFeature.letterAdmin,
    letterOperations: letterFeature.letterOperations,
    mails: mailFeature.mails,
    dataFeeds: feeds,
    feedAccounts: feedFeature.feedAccounts,
    feedDifferences: feedFeature.feedDifferences,
    feedWaiting: feedFeature.feedWaiting,
    feedSources: sourceFeature.sources,
    feedKeys: feedKeyFeature.feedKeys,
    feedMappings: feedMappings({ storage, runtime, connectors, held, mappingLanguage }),
    people: peopleFeature.people,
    examination: examination({ config, publicUrl, database, connectors, providers, features, tracing }),
    workQueue: workQueue({
      config,
      workReader,
      storage,
      peopleStores,
      namesOf,
      runtime,
      connectors,
      providerOperations,
      tenants,
    }),
  };
  add({ reap: async (_now, limit) => ({ work_marks: await services.workQueue.reapMarks(limit) }) });

  // The HTTP APIs.
  const { authenticateRest } = oauthFeature;
  const { served } = add(
    await rest({ ...platform, services, authenticate: authenticateRest, spool, keyedRequests: database.keyedRequests }),
  );
  add(
    consoleFeature({
      config,
      publicUrl,
      storage,
      oauthStore,
      eventStore,
      nameReader: database.nameReader,
      runtime,
      clock,
      log,
      access,
      tenants,
      people: peopleOperations,
      sessions,
      signingIn,
      views: savedViews,
      providerSignIn,
      rest: served,
      following,
      providerTitleOf: bankFeature.titleOf,
    }),
  );
  add(logos({ tenantProfiles: owners.tenantProfiles }));
  add(consolePages({ console: parts.console }));
  add(frontPages({ config, publicUrl }));
  add(serverCards({ publicUrl }));
  add(sandboxPages({ config, publicUrl, clock, bankOf }));
  const { widgetClient: client, views } = parts;
  add(widget({ storage, runtime, publicUrl, schedule, log, connectors, providers, client, figures, revocations }));
  add(
    mcp({
      config,
      publicUrl,
      endedSessions,
      keys: serverKeys,
      clock,
      log,
      tracing,
      services,
      mcpResource,
      limits,
      extensions: more.extensions,
      views,
    }),
  );
  const reapObjects = (stopping: AbortSignal) => removeOrphanedObjects({ storage, runtime }, stopping);
  add(cleanUp({ storage, features, reapObjects, clock, historyDays: config.historyDays, log }));
  return { features, tenants, oauthApplications, people: peopleOperations, noteFailure: auditFeature.requestAnswered };
}
