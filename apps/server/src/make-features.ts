import { createCredentials, createInvestmentData, createSessions } from "@org/core";
import type { Extension, ToolView } from "@org/mcp-tools";
import type { WidgetClient } from "@org/widget";
import type { Feature, Platform } from "./feature.js";
import { tenantsAndApplications } from "./features/applications.js";
import { audit } from "./features/audit.js";
import { banks } from "./features/banks.js";
import { cleanUp } from "./features/clean-up.js";
import { dataFeeds } from "./features/data-feeds.js";
import { keys } from "./features/keys.js";
import { letters } from "./features/letters.js";
import { mail } from "./features/mail.js";
import { mcp } from "./features/mcp.js";
import { oauth } from "./features/oauth.js";
import { refreshes } from "./features/refreshes.js";
import { rest } from "./features/rest.js";
import { widget } from "./features/widget.js";

/** What the build leaves beside the program, and what is missing when it runs from its sources. */
export interface BuiltParts {
  /** What takes the bank customer's pages over where JavaScript runs; null when it was not built. */
  readonly widgetClient: WidgetClient | null;
  /** What hosts of the MCP Apps extension show for tools; none when they were not built. */
  readonly views: readonly ToolView[];
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
  const { config, publicUrl, clock, database, runtime } = platform;
  const { storage } = database;

  const trail = audit(platform);
  const authorization = oauth({ ...platform, audit: trail.record });
  const { access, tenants, applications } = tenantsAndApplications({ ...platform, ...authorization });
  const catalogue = await banks(platform);
  const { connectors, bankOf } = catalogue;

  const credentials = createCredentials({ storage, runtime });
  const sessions = createSessions({
    storage,
    runtime,
    connectors,
    redirectUrls: authorization.redirectUrls,
    publicUrl,
    ttlSeconds: config.widgetTtlSeconds,
  });
  const refreshed = refreshes({ ...platform, ...catalogue, access });
  const lettered = letters({ ...platform, ...parts, connectors });
  const mailed = mail({ ...platform, bankOf, access });
  const fed = dataFeeds({ ...platform, ...parts, bankOf });

  const services = {
    ...lettered,
    applications,
    auditTrail: trail.reading,
    connectors,
    credentials,
    data: createInvestmentData({ reader: storage.reader }),
    dataFeeds: fed.feeds,
    keys: keys({ ...platform, signing: authorization.server }),
    mails: mailed.mails,
    quarantine: fed.quarantine,
    refreshes: refreshed.service,
    sessions,
    tenants,
  };
  const reapOAuth = async (now: Date, limit: number) => ({
    ...(await authorization.server.reap(limit)),
    ended_mcp_sessions: await database.endedSessions.reap(now, limit),
  });

  /** Requests are offered to them in this order; they are closed in the opposite one. */
  const features: readonly Feature[] = [
    trail.feature,
    authorization.feature,
    catalogue.feature,
    refreshed.feature,
    lettered.feature,
    mailed.feature,
    fed.feature,
    rest({ ...platform, services, access: authorization }),
    widget({ ...platform, ...catalogue, client: parts.widgetClient }),
    mcp({ ...platform, ...parts, ...more, services, access: authorization }),
    cleanUp({ storage, reapOAuth, clock, log: platform.log }),
  ];
  return { features, tenants, applications: authorization.applications };
}
