import { join } from "node:path";
import { removeLooseObjects } from "@org/core";
import type { Extension, ToolView } from "@org/mcp-tools";
import type { WidgetClient } from "@org/widget";
import { createDocumentSpool } from "./document-spool.js";
import type { Feature, Platform } from "./feature.js";
import { audit } from "./features/audit.js";
import { banks } from "./features/banks.js";
import { cleanUp } from "./features/clean-up.js";
import { clock } from "./features/clock.js";
import { consoleFeature } from "./features/console.js";
import { type BuiltConsole, consolePages } from "./features/console-pages.js";
import { dataFeeds } from "./features/data-feeds.js";
import { dropFolder } from "./features/drop-folder.js";
import { events } from "./features/events.js";
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
import { revocations } from "./features/revocations.js";
import { sandboxPages } from "./features/sandbox-pages.js";
import { tenantLimits } from "./features/tenant-limits.js";
import { webhooks } from "./features/webhooks.js";
import { widget } from "./features/widget.js";
import { tenantsAndApplications } from "./services/applications.js";
import { approvingPeople } from "./services/approving-people.js";
import { connections } from "./services/connections.js";
import { examination } from "./services/examination.js";
import { feedMappings } from "./services/feed-mappings.js";
import { workQueue } from "./services/work-queue.js";

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
}

/**
 * The product: makes every feature from the services of those before it. Nothing listens and no job runs yet.
 * @param more what `/mcp` offers beyond the product
 */
export async function makeFeatures(platform: Platform, parts: BuiltParts, more: { extensions: readonly Extension[] }) {
  const { storage } = platform.database;
  /** Requests are offered to them in this order; they are closed in the opposite one. */
  const features: Feature[] = [];
  const add = <Made extends Feature>(feature: Made): Made => {
    features.push(feature);
    return feature;
  };

  add(clock(platform));
  const auditFeature = add(audit(platform));
  const eventFeature = add(events(platform));
  const { tenantLimits: limits } = add(await tenantLimits(platform)).services;
  const oauthFeature = add(
    oauth({ ...platform, audit: auditFeature.record, limits, people: approvingPeople(platform) }),
  );
  const keyFeature = add(keys({ ...platform, signing: oauthFeature.server }));
  const bankFeature = add(await banks(platform));
  const figureFeature = add(institutionFigures({ ...platform, ...bankFeature }));
  const revocationFeature = add(revocations({ ...platform, ...bankFeature }));
  const owners = tenantsAndApplications({
    ...{ ...platform, ...revocationFeature },
    oauthApplications: oauthFeature.applications,
  });
  const refreshFeature = add(refreshes({ ...platform, ...bankFeature, ...figureFeature, ...owners }));
  const webhookFeature = add(webhooks({ ...platform, ...owners, limits, events: eventFeature }));
  add(notifications({ ...platform, ...bankFeature }));
  const letterFeature = add(letters({ ...platform, ...parts, ...bankFeature, ...owners, limitsOf: limits.of }));
  const mailFeature = add(mail({ ...platform, ...bankFeature, ...owners }));
  const feedFeature = add(await dataFeeds({ ...platform, ...bankFeature }));
  const spool = await createDocumentSpool(join(platform.config.dataDir, "uploads"));
  const sourceFeature = add(feedSources({ ...platform, ...feedFeature, spool }));
  const { held, intake } = sourceFeature;
  add(dropFolder({ ...platform, ...feedFeature, intake }));
  const feedKeyFeature = add(feedKeys({ ...platform, ...bankFeature, held }));
  const peopleFeature = add(people({ ...platform, ...owners.services }));

  const services = {
    ...auditFeature.services,
    ...eventFeature.services,
    tenantLimits: limits,
    ...oauthFeature.services,
    ...keyFeature.services,
    ...bankFeature.services,
    ...figureFeature.services,
    ...owners.services,
    ...refreshFeature.services,
    ...webhookFeature.services,
    ...letterFeature.services,
    ...mailFeature.services,
    ...feedFeature.services,
    ...sourceFeature.services,
    ...feedKeyFeature.services,
    ...peopleFeature.services,
    ...connections({
      ...{ ...platform, ...bankFeature, ...revocationFeature, limitsOf: limits.of },
      ...{ redirectUrls: oauthFeature.redirectUrls, recordRead: auditFeature.recordRead },
    }),
    feedMappings: feedMappings({ ...platform, ...bankFeature, ...feedFeature, held }),
    examination: examination({ ...platform, ...bankFeature, features }),
    workQueue: workQueue({
      ...{ ...platform, ...bankFeature, ...feedFeature, ...owners.services },
      providerOperations: bankFeature.services.providers,
    }),
  };

  const { served } = add(await rest({ ...platform, services, access: oauthFeature, spool }));
  add(
    consoleFeature({
      ...{ ...platform, ...owners, ...owners.services, people: peopleFeature, rest: served },
      following: eventFeature.following,
    }),
  );
  add(logos(services));
  add(consolePages(parts));
  add(frontPages(platform));
  add(sandboxPages({ ...platform, ...bankFeature }));
  add(widget({ ...platform, ...bankFeature, ...figureFeature, client: parts.widgetClient }));
  add(mcp({ ...platform, ...parts, ...more, services, limits, access: oauthFeature }));
  add(
    cleanUp({
      ...{ ...platform, storage, features },
      reapObjects: (stopping) => removeLooseObjects({ storage, runtime: platform.runtime }, stopping),
    }),
  );
  return {
    features,
    tenants: owners.services.tenants,
    oauthApplications: oauthFeature.applications,
    people: peopleFeature.operations,
  };
}
