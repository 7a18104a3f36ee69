import { join } from "node:path";
import { outcomeOfRefresh, removeLooseObjects } from "@org/core";
import type { Extension, ToolView } from "@org/mcp-tools";
import type { WidgetClient } from "@org/widget";
import { createWaitingFiles } from "./custodian-files/waiting-files.js";
import { createDocumentSpool } from "./document-spool.js";
import type { Feature, Platform } from "./feature.js";
import { tenantsAndApplications } from "./features/applications.js";
import { approvingPeople } from "./features/approving-people.js";
import { audit } from "./features/audit.js";
import { banks } from "./features/banks.js";
import { cleanUp } from "./features/clean-up.js";
import { clock as clockFeature } from "./features/clock.js";
import { connections } from "./features/connections.js";
import { consoleFeature } from "./features/console.js";
import { type BuiltConsole, consolePages } from "./features/console-pages.js";
import { dataFeeds } from "./features/data-feeds.js";
import { events } from "./features/events.js";
import { examination } from "./features/examination.js";
import { feedKeys } from "./features/feed-keys.js";
import { feedMappings } from "./features/feed-mappings.js";
import { feedSources } from "./features/feed-sources.js";
import { frontPages } from "./features/front-page.js";
import { grants } from "./features/grants.js";
import { keys } from "./features/keys.js";
import { letters } from "./features/letters.js";
import { logos } from "./features/logos.js";
import { mail } from "./features/mail.js";
import { mcp } from "./features/mcp.js";
import { notifications } from "./features/notifications.js";
import { oauth } from "./features/oauth.js";
import { people } from "./features/people.js";
import { refreshes } from "./features/refreshes.js";
import { registrationTokens } from "./features/registration-tokens.js";
import { rest } from "./features/rest.js";
import { revocations } from "./features/revocations.js";
import { sandboxPages } from "./features/sandbox-pages.js";
import { serverKeys } from "./features/server-keys.js";
import { tenantLimits } from "./features/tenant-limits.js";
import { trustedIssuers } from "./features/trusted-issuers.js";
import { webhookDeliveries } from "./features/webhook-deliveries.js";
import { webhooks } from "./features/webhooks.js";
import { widget } from "./features/widget.js";
import { institutionFigures, workQueue } from "./features/work-queue.js";

/** What the build leaves beside the program, and what is missing when it runs from its sources. */
export interface BuiltParts {
  /** What takes the bank customer's pages over where JavaScript runs; null when it was not built. */
  readonly widgetClient: WidgetClient | null;
  /** What hosts of the MCP Apps extension show for tools; none when they were not built. */
  readonly views: readonly ToolView[];
  /** What operators and tenants' people work with; null when it was not built. */
  readonly console: BuiltConsole | null;
  /** The thread that looks into PDFs. */
  readonly pdfWorkerFile: URL;
  /** The thread that reads large custodian files. */
  readonly feedWorkerFile: URL;
}

/**
 * The product: makes every feature from the services of those before it. Nothing listens and no job runs yet.
 * @param more what `/mcp` offers beyond the product
 */
export async function makeFeatures(platform: Platform, parts: BuiltParts, more: { extensions: readonly Extension[] }) {
  const { clock, database, log, runtime } = platform;

  const auditFeature = audit(platform);
  const eventFeature = events(platform);
  const { limits, feature: limitFeature } = await tenantLimits(platform);
  const { endpoints, desk: webhookDesk } = webhooks({ ...platform, limits, onQueued: eventFeature.written });
  const authorization = oauth({ ...platform, audit: auditFeature.record, limits, people: approvingPeople(platform) });
  const oauthApplications = authorization.applications;
  const bankFeature = await banks(platform);
  const { connectors, bankOf, providers, providerOperations, openBreakers } = bankFeature;
  const revocationFeature = revocations({ ...platform, providers, connectors });
  const { access, tenants, tenantProfiles, applications, namesOf } = tenantsAndApplications({
    ...platform,
    oauthApplications,
    revocations: revocationFeature.service,
  });
  const peopleFeature = people({ ...platform, tenants });
  const issuerFeature = trustedIssuers(authorization.trustedIssuers);
  const webhookFeature = webhookDeliveries({ ...platform, access, onQueued: eventFeature.onQueued });
  const { feature: figureFeature, service: figures } = institutionFigures({ ...platform, connectors });
  const refreshFeature = refreshes({
    ...{ ...platform, providers, connectors, openBreakers, access },
    onOutcome: (connectorId, outcome) => figures.note("refresh", connectorId, outcomeOfRefresh[outcome]),
  });
  const letterFeature = letters({ ...platform, ...parts, connectors, limitsOf: limits.of, namesOf });
  const mailFeature = mail({ ...platform, bankOf, access });
  const feedFeature = await dataFeeds({ ...platform, ...parts, bankOf, connectors });
  const spool = await createDocumentSpool(join(platform.config.dataDir, "uploads"));
  const sourceFeature = feedSources({ ...platform, ...feedFeature, spool });
  const waiting = createWaitingFiles({ held: sourceFeature.held, quarantine: feedFeature.quarantine });
  const keyFeature = feedKeys({ ...platform, connectors, waiting });
  const checkFeeds = async () => [
    ...(await sourceFeature.check()),
    ...(await keyFeature.check()),
    await feedFeature.checkPages(),
  ];
  const { connectionDesk, credentials, data, sessions } = connections({
    ...platform,
    connectors,
    limitsOf: limits.of,
    redirectUrls: authorization.redirectUrls,
    recordRead: auditFeature.recordRead,
    revocations: revocationFeature.service,
  });

  const services = {
    applications,
    auditTrail: auditFeature.reading,
    connectionDesk,
    connectors,
    credentials,
    data,
    dataFeeds: feedFeature.feeds,
    feedMappings: feedMappings({ ...platform, ...feedFeature, connectors, waiting }),
    feedAccounts: feedFeature.accounts,
    examination: examination({
      ...platform,
      connectors,
      providers,
      checks: [
        ...[checkFeeds, eventFeature.check, webhookFeature.check, issuerFeature.check, peopleFeature.check],
        platform.tracing.check,
      ],
    }),
    events: eventFeature.reading,
    feedSources: sourceFeature.service,
    feedKeys: keyFeature.service,
    feedDifferences: feedFeature.differences,
    feedWaiting: feedFeature.waiting,
    grants: grants({ ...platform, ...authorization.grants }),
    keys: keys({ ...platform, signing: authorization.server }),
    letterDesk: letterFeature.letterDesk,
    letterOperations: letterFeature.letterOperations,
    letters: letterFeature.letters,
    mails: mailFeature.mails,
    providers: providerOperations,
    quarantine: feedFeature.quarantine,
    refreshes: refreshFeature.service,
    registrationTokens: registrationTokens(authorization.registrationTokens),
    sessions,
    tenantLimits: limits,
    tenantProfiles,
    tenants,
    people: peopleFeature.service,
    trustedIssuers: issuerFeature.service,
    webhooks: endpoints,
    webhookDesk,
    institutionFigures: figures,
    workQueue: workQueue({
      ...platform,
      connectors,
      providerOperations,
      tenants,
      quarantine: feedFeature.quarantine,
    }),
  };
  const reapObjects = (stopping: AbortSignal) => removeLooseObjects({ storage: database.storage, runtime }, stopping);
  const reapOAuth = async (now: Date, limit: number) => ({
    ...(await authorization.server.reap(limit)),
    ended_mcp_sessions: await database.endedSessions.reap(now, limit),
    refusals: await auditFeature.eraseRefusals(now, limit),
    people: await peopleFeature.reap(now, limit),
    events: await eventFeature.reading.reap(now, limit),
    ...(await endpoints.reap(now, limit)),
    institution_outcomes: await figures.reap(now, limit),
  });

  const restFeature = await rest({ ...platform, services, access: authorization, spool });

  /** Requests are offered to them in this order; they are closed in the opposite one. */
  const features: readonly Feature[] = [
    clockFeature(platform),
    auditFeature.feature,
    eventFeature.feature,
    limitFeature,
    authorization.feature,
    serverKeys(platform),
    bankFeature.feature,
    figureFeature,
    refreshFeature.feature,
    revocationFeature.feature,
    webhookFeature.feature,
    notifications({ ...platform, providers }),
    letterFeature.feature,
    mailFeature.feature,
    feedFeature.feature,
    sourceFeature.feature,
    keyFeature.feature,
    peopleFeature.feature,
    restFeature.feature,
    consoleFeature({
      ...platform,
      access,
      tenants,
      people: peopleFeature,
      rest: restFeature.served,
      following: eventFeature.following,
    }),
    logos(services),
    consolePages(parts),
    frontPages(platform),
    sandboxPages({ ...platform, bankOf }),
    widget({
      ...{ ...platform, connectors, providers, client: parts.widgetClient },
      onLogin: ({ connector_id, outcome }) => figures.note("login", connector_id, outcome),
    }),
    mcp({ ...platform, ...parts, ...more, services, limits, access: authorization }),
    cleanUp({ storage: database.storage, reapOAuth, reapObjects, clock, log }),
  ];
  return { features, tenants, oauthApplications, people: peopleFeature.operations };
}
