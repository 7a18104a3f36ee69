import { fileURLToPath } from "node:url";
import { type AccessRecord, endConnections } from "@org/http";
import { type Config, ConfigError, openDatabase } from "@org/installation";
import type { Extension } from "@org/mcp-tools";
import { readViews } from "@org/portfolio-view";
import { migrate, migrationState, type OpenedStorage } from "@org/storage-postgres";
import { readWidgetClient } from "@org/widget";
import { findAddressFaults, listenPublicly } from "./addresses.js";
import type { Feature } from "./feature.js";
import { readConsole } from "./features/console-pages.js";
import { databaseWatch } from "./features/database.js";
import { health, type Readiness } from "./features/health.js";
import { metrics } from "./features/metrics.js";
import { createHttpServer } from "./http-server.js";
import { type RunningJob, startJob } from "./jobs.js";
import type { Logger } from "./log.js";
import { type BuiltParts, makeFeatures } from "./make-features.js";
import { loadGauge } from "./measures.js";
import { operatorUrlOf } from "./own-listeners.js";
import { preparePlatform } from "./platform.js";
import { routesOf } from "./routes.js";
import { type Schedule, schedule as usualSchedule } from "./schedule.js";
import { inviteFirstOperator, seedDemo } from "./seed.js";
import { prepareDropDir, startFaultsOf } from "./start-faults.js";
import { startTracing } from "./tracing/tracing.js";

/** A running server. */
export interface RunningServer {
  readonly url: string;
  /** File with the credentials of a first start, or null. */
  readonly credentialsFile: string | null;
  /**
   * Waits for work in progress and closes everything. With `drains`, it first reports for `DRAIN_SECONDS` that it is not ready while still
   * serving requests, so that a proxy sends its requests elsewhere.
   */
  stop(options?: { readonly drains: boolean }): Promise<void>;
}

/** Options of a start besides the settings. */
export interface StartOptions {
  /** What `/mcp` and `/mcp/analytics` offer in addition to the product. */
  readonly extensions?: readonly Extension[];
  /** Intervals that differ from the usual ones, in ms: tests use shorter ones. */
  readonly schedule?: Partial<Schedule>;
  /** The clock: the database's time by default. Tests advance it. */
  readonly clock?: () => Date;
}

/**
 * Starts the server: opens the database, migrates an embedded one, listens, and mounts the features. It never migrates PostgreSQL; until
 * that is migrated, the server answers 503 and checks again every few seconds (contract §9).
 */
export async function startServer(config: Config, log: Logger, options: StartOptions = {}): Promise<RunningServer> {
  const schedule: Schedule = { ...usualSchedule, ...options.schedule };
  const { jobs: runsJobs, dropDir } = config;
  if (runsJobs && dropDir !== undefined) await prepareDropDir(dropDir);
  const watch = databaseWatch(log, config.metrics);
  const tracing = await startTracing(config, log);
  const { tracer } = tracing;
  const database = await openDatabase(config, options.clock ?? (() => new Date()), {
    ...watch.options,
    tracer,
    templateFile: fileURLToPath(new URL("embedded-template.tar.gz", import.meta.url)),
  });
  const measured = metrics({ enabled: config.metrics });
  const http = createHttpServer({
    config,
    log,
    routes: routesOf(config),
    onAnswered(record) {
      measured.requestAnswered(record);
      noteFailure(record);
    },
    countMs: schedule.refusalCounts,
    clock: options.clock ?? database.clock.now,
    standing: database.standing,
    tracer,
  });
  const features: Feature[] = [];
  const jobs: RunningJob[] = [];
  let isReady = false;
  let stopping = false;
  let startJobs = () => {};
  let noteFailure: (record: AccessRecord) => void = () => {};
  let credentialsFile: string | null = null;

  const counted = setInterval(logCounted, schedule.refusalCounts, false).unref();

  mount([
    { metrics: tracing.metrics, close: tracing.close },
    health({ ready }),
    measured.feature,
    { metrics: [loadGauge("wealth_connect_http_requests", "Requests", http.load)] },
    watch.feature(database),
  ]);
  try {
    if (database.kind === "embedded") await migrate(database.pool);
    const isAtOnce = await isMigrated(database);
    // A client that can connect is served: the server listens once it is ready. It listens earlier only if its own address is not known
    // otherwise, or if callers have to be told what is missing.
    if (isAtOnce && config.publicUrl !== undefined) {
      // A first start shows what it creates once it serves. Where it cannot, it creates nothing, so that the next start is the first.
      const faults = config.seedDemo ? await findAddressFaults(config) : [];
      if (faults.length > 0) throw new ConfigError(faults);
      await prepare(config.publicUrl);
    }
    const addresses = await http.own.listen();
    if (Object.keys(addresses).length > 0) log.info(addresses, "addresses of their own");
    const port = await listenPublicly(http.server, config);
    const url = config.publicUrl ?? `http://localhost:${port}`;
    if (!isAtOnce) void beginOnceMigrated(url);
    else {
      if (!isReady) await prepare(url);
      begin(url);
    }
    return {
      url,
      get credentialsFile() {
        return credentialsFile;
      },
      async stop({ drains } = { drains: false }) {
        stopping = true;
        const ms: Record<string, number> = {};
        let begun = performance.now();
        const took = (what: string) => {
          ms[what] = Math.round(performance.now() - begun);
          begun = performance.now();
        };
        for (const feature of features) feature.stopping?.();
        const stopped = Promise.all(jobs.map((job) => job.stop()));
        const lingers = drains && config.drainSeconds > 0;
        if (lingers) await new Promise((resolve) => setTimeout(resolve, config.drainSeconds * 1000));
        took("draining");
        const ownClosed = http.own.close();
        await endConnections(http.server, { lingers, onAddressClosed: http.drain });
        await ownClosed;
        took("connections");
        clearInterval(counted);
        logCounted(true);
        await stopped;
        took("jobs");
        await Promise.all(features.map((feature) => feature.drain?.()));
        took("under_way");
        for (const feature of features.toReversed()) await feature.close?.();
        await database.close();
        took("closing");
        log.info({ ms }, "stopped");
      },
    };
  } catch (error) {
    http.server.close();
    void http.own.close();
    clearInterval(counted);
    for (const feature of features.toReversed()) await feature.close?.();
    await database.close();
    throw error;
  }

  function mount(added: readonly Feature[]): void {
    for (const feature of added) {
      features.push(feature);
      http.mount(feature);
      for (const metric of feature.metrics ?? []) measured.register(metric);
    }
  }

  /** Logs the number of requests that the access log omits: unauthenticated clients cannot fill the disk with records. */
  function logCounted(all: boolean): void {
    for (const { isRefused, ...count } of http.takeCounted(all))
      log.info(count, isRefused ? "requests refused" : "requests answered");
  }

  async function ready(): Promise<Readiness> {
    return stopping ? { ok: false, reason: "the server is about to stop" } : readiness(database, isReady);
  }

  /** Makes everything that requests need. No job runs yet. */
  async function prepare(url: string): Promise<void> {
    const { current, latest } = await migrationState(database.pool);
    if (current > latest)
      log.warn(
        { current, latest },
        "a newer version has migrated the database: this one works on it, but may not after the next release",
      );
    await database.clock.measure();
    const clock = options.clock ?? database.clock.now;
    const platform = await preparePlatform({
      config,
      publicUrl: url,
      database,
      clock,
      schedule,
      log,
      tracing,
      loop: http.loop,
    });
    const made = await makeFeatures(platform, builtParts(), { extensions: options.extensions ?? [] });
    if (config.seedDemo) {
      const { dataDir, firstOperatorEmail: email } = config;
      const operatorUrl = operatorUrlOf(config);
      const { tenants, oauthApplications } = made;
      const { storage } = database;
      const onMoved = (file: string) =>
        log.info({ file, url }, "the server has another address than before; commands find it in this file");
      const addresses = { publicUrl: url, operatorUrl, onMoved };
      credentialsFile = await seedDemo({ storage, tenants, oauthApplications, dataDir, ...addresses });
      const file = await inviteFirstOperator({ operations: made.people, dataDir, email });
      if (file !== null) log.info({ file }, "the link by which the first operator signs in is in this file");
    }
    mount(made.features);
    noteFailure = made.noteFailure;
    http.complete();
    isReady = true;
    startJobs = () => {
      for (const { jobs: added = [] } of made.features) jobs.push(...added.map((job) => startJob(job, platform)));
    };
  }

  function begin(url: string): void {
    if (runsJobs) startJobs();
    log.info({ url, mcp: `${url}/mcp`, database: database.kind }, "ready");
  }

  async function beginOnceMigrated(url: string): Promise<void> {
    log.warn(
      "the database is not migrated: run `wealth-connect migrate`; until then every request is answered with 503",
    );
    while (!stopping && !(await isMigrated(database).catch(() => false)))
      await new Promise((resolve) => setTimeout(resolve, schedule.migrations).unref());
    if (stopping) return;
    await prepare(url).then(
      () => begin(url),
      (error: unknown) => {
        const faults = startFaultsOf(error, config);
        log.fatal(faults === null ? { err: error } : { faults }, "the server cannot start");
      },
    );
  }
}

function builtParts(): BuiltParts {
  return {
    widgetClient: readWidgetClient(new URL("widget/", import.meta.url)),
    views: readViews(new URL("portfolio-view/", import.meta.url)),
    console: readConsole(new URL("console/", import.meta.url)),
  };
}

async function readiness(database: OpenedStorage, isReady: boolean): Promise<Readiness> {
  try {
    await database.ping();
  } catch {
    return { ok: false, reason: "the database does not answer" };
  }
  return isReady ? { ok: true } : { ok: false, reason: "the database is not migrated" };
}

async function isMigrated({ pool }: OpenedStorage): Promise<boolean> {
  return (await migrationState(pool)).pending.length === 0;
}
