import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createSandboxBanks, sandboxCatalogue } from "@org/bank-providers";
import {
  createAuditReading,
  createConnectors,
  createCredentials,
  createCustomerSessions,
  createDataFeeds,
  createFeedSilence,
  createInvestmentData,
  createLetterOperations,
  createLetterRequests,
  createLetters,
  createMailDelivery,
  createMails,
  createProviderGuard,
  createRefreshes,
  createSessions,
  createTenants,
  type MailReport,
  type RefreshReport,
  type Runtime,
  type Storage,
  type TenantActor,
} from "@org/core";
import { type Config, createAuditTrail, createClamd, keyringOf, loadInstallationKeys } from "@org/installation";
import { createMcpHandler, type Extension, type ToolView } from "@org/mcp-tools";
import { createApplications, createBearerVerifier, createOAuthServer } from "@org/oauth-server";
import { createRestApi } from "@org/rest-api";
import type { OpenedStorage } from "@org/storage-postgres";
import { createWidgetPages, type WidgetClient } from "@org/widget";
import { v7 as uuidv7 } from "uuid";
import packageJson from "../package.json" with { type: "json" };
import { applicationsForOperators, tenantAccess } from "./applications.js";
import { authentication } from "./authentication.js";
import { clientAddress } from "./client-address.js";
import { createFeedReader } from "./feed-reader.js";
import { collectAfter } from "./garbage.js";
import { createMac, newSecret } from "./ids.js";
import { keyAdministration } from "./key-administration.js";
import { createLetterTemplate } from "./letter-template/letter-template.js";
import type { Logger } from "./log.js";
import type { Metrics } from "./metrics.js";
import { createPdfInspector } from "./pdf/pdf-inspector.js";
import { createQuarantine } from "./quarantine.js";
import { createSmtpTransport } from "./smtp.js";
import { requestTraces } from "./trace.js";
import { createVirusScan } from "./virus-scan.js";

/** What reading one large custodian file may cost. Files of 64 MiB were read within 12 seconds and 700 MB. */
const FEED_LIMITS = { seconds: 120, megabytes: 2_048 };

/** How long a server that stops waits for refreshes and mails under way; the rest are due again at once, on another replica or later. */
const GRACE_MS = 5_000;

/** The product, wired: this function is the only place where its parts meet. It opens no socket. */
export async function compose(deps: {
  config: Config;
  publicUrl: string;
  opened: OpenedStorage;
  log: Logger;
  metrics: Metrics;
  /** What takes the bank customer's pages over where JavaScript runs; null when it was not built. */
  widgetClient: WidgetClient | null;
  /** The thread that looks into PDFs, as it was built. */
  pdfWorkerFile: URL;
  /** What hosts of the MCP Apps extension show for tools; none when they were not built. */
  views: readonly ToolView[];
  /** What `/mcp` offers beyond the product. */
  extensions?: readonly Extension[];
}) {
  const { config, publicUrl, opened, log, metrics } = deps;
  const { storage, oauthStore } = opened;
  const clock = () => new Date();
  const newTraceId = () => randomBytes(16).toString("hex");
  const traceId = requestTraces();
  const addressOf = clientAddress(config.trustProxy);

  const keyring = keyringOf(config);
  const keys = await loadInstallationKeys(opened.serverKeys, keyring);
  const runtime: Runtime = {
    clock,
    newId: uuidv7,
    newSecret,
    vault: {
      ...keyring,
      async sealBytes(bytes, context, options) {
        const sealed = await keyring.sealBytes(bytes, context, options);
        collectAfter(bytes.length, "minor");
        return sealed;
      },
    },
    mac: createMac(keys.identity),
  };

  const sandbox = createSandboxBanks({ clock, sleep: (ms, signal) => delay(ms, undefined, { signal }) });
  const guard = createProviderGuard({
    clock,
    random: Math.random,
    sleep: (ms, signal) => delay(ms, undefined, signal && { signal }),
    onCall: metrics.providerCalled,
    onBreaker: (change) => log.warn(change, "circuit breaker of a bank"),
  });
  const providers = new Map(config.sandbox ? [[sandbox.name, guard.guard(sandbox)]] : []);
  if (config.sandbox) await offerSandboxBanks(storage);

  const audit = createAuditTrail({
    trail: storage.auditTrail,
    applications: oauthStore.applications,
    newId: uuidv7,
    log,
    onLost: metrics.auditEventsLost,
  });
  const oauth = createOAuthServer({
    issuer: publicUrl,
    store: oauthStore,
    keyring,
    secretHashKeys: keys.secretHash,
    clock,
    audit: (event) => {
      metrics.authorizationEvent(event);
      audit.audit(event);
    },
    log,
    accessTokenAlg: config.accessTokenAlg,
    refreshReplaySeconds: config.refreshReplaySeconds,
    ...(config.clientDocuments ? {} : { clientDocuments: null }),
    clientAddress: addressOf,
    traceId,
  });
  const oauthApplications = createApplications({
    store: oauthStore,
    secretHashKeys: keys.secretHash,
    clock,
    audit: audit.audit,
  });
  const verifier = (audience: string | readonly string[]) =>
    createBearerVerifier({
      issuer: publicUrl,
      audience,
      keys: oauth.signingKeys,
      endedGrants: oauth.endedGrants,
      clock,
    });
  const access = authentication({
    publicUrl,
    forMcp: verifier(`${publicUrl}/mcp`),
    forRest: verifier([publicUrl, `${publicUrl}/mcp`]),
    toolScopes: ["connections:read", "connections:write", "connections:delete", "investments:read"],
  });

  const connectors = createConnectors({
    catalogue: storage.catalogue,
    mac: runtime.mac,
    defaultProvider: config.sandbox ? sandbox.name : null,
  });
  const bankOf = async (connectorId: string) => (await connectors.find(connectorId))?.name ?? null;
  const redirectUrls = async ({ tenant_id, application_id }: TenantActor) => {
    const own = await oauthStore.applications.list({ tenant_id, limit: 1_000 });
    return own.find((application) => application.application_id === application_id)?.redirect_urls ?? [];
  };
  const switches = tenantAccess(oauthApplications);
  const tenants = createTenants({ storage, runtime, access: switches });
  const applications = applicationsForOperators(oauthApplications, tenants);
  const sessions = createSessions({
    storage,
    runtime,
    connectors,
    redirectUrls,
    publicUrl,
    ttlSeconds: config.widgetTtlSeconds,
  });
  const customerSessions = createCustomerSessions({
    storage,
    runtime,
    connectors,
    providers,
    onProviderFault: ({ error, ...facts }) => log.warn({ err: error, ...facts }, "bank call failed"),
  });
  const credentials = createCredentials({ storage, runtime });
  const refreshes = createRefreshes({
    storage,
    runtime,
    providers,
    access: switches,
    onRefresh(report) {
      metrics.refreshed(report);
      logRefresh(log, report);
    },
  });
  metrics.watchRefreshes({ backlog: () => storage.refreshQueue.backlog(clock()), breakers: guard.openBreakers, clock });
  const data = createInvestmentData({ reader: storage.reader });
  const pdfs = createPdfInspector(deps.pdfWorkerFile);
  const checks = {
    inspect: pdfs.inspect,
    scan: config.clamd
      ? createVirusScan({
          clamd: createClamd(config.clamd),
          log,
          onScan: metrics.documentScanned,
          now: () => performance.now(),
        })
      : null,
    maxBytes: config.letterMaxBytes,
  };
  const letters = createLetters({ storage, runtime, connectors, checks });
  const operated = { storage, runtime, bankOf, sendsMail: config.smtp !== null };
  const template = createLetterTemplate(config.letterTemplates);
  const letterOperations = createLetterOperations({ ...operated, template });
  const letterRequests = createLetterRequests({ ...operated, connectors, checks });
  const mail =
    config.smtp &&
    createMailDelivery({
      storage,
      runtime,
      access: switches,
      transport: createSmtpTransport(config.smtp),
      bankOf,
      onMail(report) {
        metrics.mailed(report);
        logMail(log, report);
      },
    });
  metrics.watchMails(storage.mailQueue.backlog);
  const dataFeeds = createDataFeeds({
    storage,
    runtime,
    bankOf,
    readFeed: createFeedReader(new URL("feed-worker.js", import.meta.url), FEED_LIMITS),
    onFile(report) {
      metrics.feedFile(report);
      log[report.outcome === "refused" ? "warn" : "info"](report, "custodian file");
    },
  });
  const feedSilence = createFeedSilence({
    storage,
    runtime,
    silentDays: config.feedSilentDays,
    onBlocked(fact) {
      metrics.feedSilent();
      log.warn(fact, "no custodian file for too long; the letter is blocked");
    },
  });

  const mcp = createMcpHandler({
    services: { connectors, sessions, credentials, data },
    authenticate: access.mcp,
    challenge: access.scopeChallenge,
    publicUrl,
    allowedOrigins: config.allowedOrigins,
    sessionKeys: [{ id: "s1", key: keys.mcpSession }],
    endedSessions: opened.endedSessions,
    serverVersion: packageJson.version,
    extensions: deps.extensions ?? [],
    views: deps.views,
    clock,
    log,
    addressOf,
    onCall: metrics.toolCalled,
  });
  const rest = createRestApi({
    services: {
      connectors,
      sessions,
      letters,
      letterOperations,
      letterRequests,
      mails: createMails({ storage, runtime }),
      dataFeeds,
      quarantine: createQuarantine(config.dropDir === undefined ? null : join(config.dropDir, "quarantine")),
      tenants,
      credentials,
      refreshes,
      applications,
      auditTrail: createAuditReading({ storage, mac: runtime.mac }),
      keys: keyAdministration({
        signing: oauth,
        sealedValues: opened.sealedValues,
        keyring,
        runtime,
        append: (entry) => storage.auditTrail.append([{ tenant_id: null, ...entry }]),
      }),
    },
    authenticate: access.rest,
    publicUrl,
    allowedOrigins: config.allowedOrigins,
    letterMaxBytes: config.letterMaxBytes,
    onLetterArriving: (bytes) => collectAfter(bytes, "minor"),
    log,
    addressOf,
    newTraceId,
  });
  const widget = createWidgetPages({
    sessions: customerSessions,
    publicUrl,
    log,
    client: deps.widgetClient,
    newTraceId,
  });

  return {
    mcp,
    oauth,
    rest,
    widget,
    tenants,
    oauthApplications,
    refreshes,
    /** Null when mail is not configured. */
    mail,
    dataFeeds,
    feedSilence,
    reapOAuth: async (now: Date, limit: number) => ({
      ...(await oauth.reap(limit)),
      ended_mcp_sessions: await opened.endedSessions.reap(now, limit),
    }),
    /** Waits for bank logins and, not as long, for refreshes and mails under way, and writes what is still to be written. */
    async close(): Promise<void> {
      await Promise.all([customerSessions.drain(), refreshes.close(GRACE_MS), mail?.close(GRACE_MS)]);
      await mcp.close();
      await pdfs.close();
      await audit.close();
    },
  };
}

/** One line for each refresh; what an operator may have to look into is a warning. */
function logRefresh(log: Logger, { error, ...facts }: RefreshReport): void {
  if (facts.outcome === "failed") log.warn({ err: error, ...facts }, "refresh");
  else if (facts.outcome === "postponed") log.info({ reason: String(error), ...facts }, "refresh");
  else log.info(facts, "refresh");
}

/** One line for each attempt to send a mail, without its address. */
function logMail(log: Logger, { error, ...facts }: MailReport): void {
  if (facts.outcome === "failed" || facts.outcome === "in_doubt") log.warn({ reason: String(error), ...facts }, "mail");
  else if (facts.outcome === "postponed") log.info({ reason: String(error), ...facts }, "mail");
  else log.info(facts, "mail");
}

/** Adds the sandbox banks to an installation that does not have them; an operator's changes to them stay. */
async function offerSandboxBanks(storage: Storage): Promise<void> {
  const { connectors } = await storage.catalogue.all();
  const known = new Set(connectors.map((connector) => connector.id));
  const missing = sandboxCatalogue().filter((connector) => !known.has(connector.id));
  if (missing.length > 0) await storage.catalogue.importAll(missing);
}

export type Composition = Awaited<ReturnType<typeof compose>>;
