import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type Config, ConfigError, openDatabase } from "@org/installation";
import type { Extension } from "@org/mcp-tools";
import { readViews } from "@org/portfolio-view";
import { migrate, migrationState, type OpenedStorage } from "@org/storage-postgres";
import { readWidgetClient } from "@org/widget";
import { type Composition, compose } from "./compose.js";
import { createDropFolder, prepareDropFolder } from "./drop-folder.js";
import { forgetGoneFeeds } from "./drop-folder-upkeep.js";
import { startDropFolder, startFeedSilence, startForgetting } from "./feed-jobs.js";
import type { Readiness } from "./health.js";
import { createHttpServer } from "./http-server.js";
import { startCleanUp } from "./jobs.js";
import { startLeaseJobs } from "./lease-jobs.js";
import type { Logger } from "./log.js";
import { createMetrics } from "./metrics.js";
import { seedDemo } from "./seed.js";

const CLEAN_UP_MS = 60_000;
const REFRESH_MS = 5_000;
/** Banks are waited for, not computed: more than cores. The embedded database has one connection for all of them. */
const PARALLEL_REFRESHES = 8;
const MAIL_MS = 2_000;
/** Relays dislike many connections of one sender. */
const PARALLEL_MAILS = 2;
const DROP_FOLDER_MS = 5_000;
const FORGET_FEEDS_MS = 60_000;
const FEED_SILENCE_MS = 10 * 60_000;
const MIGRATION_CHECK_MS = 3_000;

/** A running server. */
export interface RunningServer {
  readonly url: string;
  /** File with the credentials of a first start, or null. */
  readonly credentialsFile: string | null;
  /** Stops accepting, lets what is under way finish, closes everything. */
  stop(): Promise<void>;
}

/**
 * Starts the server: opens the database, migrates an embedded one, listens. With PostgreSQL it never migrates; until somebody
 * has, it answers 503 and looks again every few seconds (contract §9).
 * @param more what `/mcp` offers beyond the product
 */
export async function startServer(
  config: Config,
  log: Logger,
  more: { extensions?: readonly Extension[] } = {},
): Promise<RunningServer> {
  if (config.jobs && config.dropDir !== undefined) await prepareDropFolder(config.dropDir);
  const opened = await openDatabase(config, () => new Date(), {
    templateFile: fileURLToPath(new URL("embedded-template.tar.gz", import.meta.url)),
  });
  const metrics = createMetrics({ withProcess: config.metrics });
  let product: Composition | null = null;
  const server = createHttpServer({
    config,
    product: () => product,
    ready: () => readiness(opened, product),
    log,
    metrics,
  });
  try {
    if (opened.kind === "embedded") await migrate(opened.pool);
    const url = await listen(server, config);
    let stopping = false;
    let credentialsFile: string | null = null;
    const jobs: { stop: () => Promise<void> }[] = [];

    const begin = async () => {
      const widgetClient = readWidgetClient(new URL("widget/", import.meta.url));
      const views = readViews(new URL("portfolio-view/", import.meta.url));
      const pdfWorkerFile = new URL("pdf/pdf-worker.js", import.meta.url);
      const composed = await compose({
        config,
        publicUrl: url,
        opened,
        log,
        metrics,
        widgetClient,
        pdfWorkerFile,
        views,
        ...more,
      });
      if (config.seedDemo)
        credentialsFile = await seedDemo({
          storage: opened.storage,
          tenants: composed.tenants,
          applications: composed.oauthApplications,
          dataDir: config.dataDir,
          publicUrl: url,
        });
      if (config.jobs)
        jobs.push(
          startCleanUp({
            storage: opened.storage,
            reapOAuth: composed.reapOAuth,
            clock: () => new Date(),
            log,
            everyMs: CLEAN_UP_MS,
            onRun: metrics.cleanedUp,
          }),
          startLeaseJobs({
            what: "refreshes",
            claim: composed.refreshes.claim,
            run: composed.refreshes.run,
            log,
            everyMs: REFRESH_MS,
            parallel: PARALLEL_REFRESHES,
          }),
        );
      const { mail } = composed;
      if (config.jobs && mail)
        jobs.push(
          startLeaseJobs({
            what: "mails",
            claim: mail.claim,
            run: mail.send,
            log,
            everyMs: MAIL_MS,
            parallel: PARALLEL_MAILS,
          }),
        );
      if (config.jobs)
        jobs.push(startFeedSilence({ feedSilence: composed.feedSilence, log, everyMs: FEED_SILENCE_MS }));
      const dir = config.dropDir;
      if (config.jobs && dir !== undefined)
        jobs.push(
          startDropFolder({
            folder: createDropFolder({ dir, feeds: composed.dataFeeds, clock: () => new Date(), log }),
            log,
            everyMs: DROP_FOLDER_MS,
          }),
          startForgetting({
            forget: () => forgetGoneFeeds({ dir, feeds: composed.dataFeeds, log }),
            log,
            everyMs: FORGET_FEEDS_MS,
          }),
        );
      product = composed;
      log.info({ url, mcp: `${url}/mcp`, database: opened.kind }, "ready");
    };
    const waiting = (await isMigrated(opened)) ? begin() : beginOnceMigrated();
    if (await isMigrated(opened)) await waiting;

    return {
      url,
      get credentialsFile() {
        return credentialsFile;
      },
      async stop() {
        stopping = true;
        const stopped = Promise.all(jobs.map((job) => job.stop()));
        await close(server);
        await stopped;
        await product?.close();
        await opened.close();
      },
    };

    async function beginOnceMigrated(): Promise<void> {
      log.warn(
        "the database is not migrated: run `wealth-connect migrate`; until then every request is answered with 503",
      );
      while (!stopping && !(await isMigrated(opened).catch(() => false)))
        await new Promise((resolve) => setTimeout(resolve, MIGRATION_CHECK_MS).unref());
      if (!stopping) await begin().catch((error: unknown) => log.fatal({ err: error }, "the server cannot start"));
    }
  } catch (error) {
    server.close();
    await opened.close();
    throw error;
  }
}

async function readiness(opened: OpenedStorage, product: Composition | null): Promise<Readiness> {
  try {
    await opened.ping();
  } catch {
    return { ok: false, reason: "the database does not answer" };
  }
  return product ? { ok: true } : { ok: false, reason: "the database is not migrated" };
}

async function isMigrated({ pool }: OpenedStorage): Promise<boolean> {
  return (await migrationState(pool)).pending.length === 0;
}

async function listen(server: Server, config: Config): Promise<string> {
  server.listen(config.port, config.host);
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new ConfigError([`PORT: port ${config.port} on ${config.host} is in use by another program`]);
  });
  return config.publicUrl ?? `http://localhost:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  // Kept-alive connections whose last request is answered only now would hold up the end.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const patience = setTimeout(() => server.closeAllConnections(), 10_000);
  await closed;
  clearTimeout(patience);
  clearInterval(sweep);
}
