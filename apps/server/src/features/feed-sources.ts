import { createTokenBuckets } from "@org/admission";
import { CoreError, limitReached, MAX_FEED_BYTES } from "@org/core";
import type { DataFeeds } from "@org/data-feeds";
import {
  connectorOfFeed,
  createIntake,
  createSourceOperations,
  createSourceRuns,
  DROP_FOLDER,
  feedsOfSource,
  letterAccounts,
  lettersChanged,
  openSftpFolders,
  type UploadTarget,
} from "@org/feed-sources";
import {
  addressPrefix,
  answerJson,
  BodyError,
  exchangeOf,
  networkOf,
  nothingHere,
  type RouteFacts,
  retryAfter,
} from "@org/http";
import { type Config, type Finding, ok, warn } from "@org/installation";
import type { DocumentSpool, FeedSources } from "@org/rest-api";
import type { OpenedStorage } from "@org/storage-postgres";
import { type Request, type Response, Router } from "express";
import { Counter, Gauge } from "prom-client";
import type { Feature, Platform } from "../feature.js";
import { leaseJob } from "../jobs.js";
import { receiveFile } from "../receive-file.js";
import { setSpanOutcome } from "../tracing/spans.js";
import { tracedFolders } from "../tracing/traced-calls.js";
import type { dataFeeds } from "./data-feeds.js";

/** Requests with an unknown token that one network may send per minute. */
const UNKNOWN_PER_MINUTE = 60;

/** The routes of {@link feedSources}. */
export const feedSourceRoutes: readonly RouteFacts[] = [
  {
    methods: ["PUT"],
    path: "/feeds/v1/:token/:name",
    family: "feeds",
    scopes: [],
    maxBodyBytes: MAX_FEED_BYTES,
    origins: "none",
    summary: "A custodian uploads a file; the token in the path names the source",
  },
];

/** The sources of custodians' files: SFTP folders that are polled on a schedule, and uploads with a token. */
export function feedSources({
  config,
  storage,
  sourceStores: stores,
  runtime,
  clock,
  schedule,
  log,
  feeds,
  readParts,
  spool,
}: Pick<Platform, "runtime" | "clock" | "schedule" | "log"> &
  Pick<OpenedStorage, "storage" | "sourceStores"> & {
    config: Pick<Config, "feedHeldBytes" | "feedHeldDays" | "feedSourcesAtOnce" | "feedSourcesPrivate">;
    feeds: DataFeeds;
    /** Where files are stored while they arrive. */
    spool: DocumentSpool;
  } & Pick<Awaited<ReturnType<typeof dataFeeds>>, "readParts">) {
  const files = counter("wealth_connect_source_files_total", "Files of sources by outcome");
  const runs = counter("wealth_connect_source_runs_total", "Looks into sources by outcome");
  const intake = createIntake({
    stores,
    runtime,
    feeds,
    readParts,
    lettersOf: letterAccounts({ storage, runtime }),
    holding: { days: config.feedHeldDays, maxBytes: config.feedHeldBytes },
    onFile(report) {
      const staysHeld = report.again && report.outcome === "held";
      if (!staysHeld) files.inc({ outcome: report.outcome });
      // A folder whose files are not removed offers them again in every run, and held files are retried repeatedly.
      const isNews = report.outcome === "taken" || (report.outcome === "held" && !staysHeld);
      const level = !isNews ? "debug" : report.outcome === "held" ? "warn" : "info";
      log[level](report, "file of a source");
    },
    onDefect: (err, file) =>
      log.error({ err, ...file }, "internal error while reading a source's file; the file is held"),
  });
  const open = tracedFolders(openSftpFolders({ privateNetworks: config.feedSourcesPrivate }));
  const service = createSourceRuns({
    stores,
    runtime,
    intake,
    open,
    lettersChanged: lettersChanged({ storage }),
    chance: Math.random,
    leaseMs: schedule.sourceLease,
    settleMs: schedule.sourceSettle,
    onRetryFailed: (err, file_id) => log.error({ err, file_id }, "a held file could not be tried again"),
    onRun({ report, ...run }) {
      runs.inc({ outcome: run.outcome });
      setSpanOutcome(run.outcome);
      if (report?.failed) files.inc({ outcome: "failed" }, report.failed);
      log[run.outcome === "ok" ? "info" : "warn"]({ ...run, ...report }, "source of files");
    },
  });
  const feedsFrom = feedsOfSource({ storage, routes: stores.routes });
  const connectorOf = connectorOfFeed(storage);
  const operations = createSourceOperations({
    stores,
    runtime,
    intake,
    open,
    newSecret: runtime.newSecret,
    connectorsOf: async ({ source, name }) => {
      if (source !== DROP_FOLDER)
        return [...new Set((await feedsFrom(source)).map(({ connector_id }) => connector_id))];
      return [(await connectorOf(name.slice(0, Math.max(0, name.indexOf("/"))))) ?? []].flat();
    },
    record: (entry) => storage.auditTrail.append([{ tenant_id: null, ...entry }]),
  });
  const standing = standingOf({ stores });

  const rates = createTokenBuckets(60_000, () => UNKNOWN_PER_MINUTE);
  const router = Router();
  router.put("/feeds/v1/:token/:name", async (request: Request, response: Response) => {
    const exchange = exchangeOf(request, response);
    const network = addressPrefix(exchange.address);
    const name = String(request.params.name);
    try {
      const seconds = rates.emptyFor(network, clock().getTime());
      if (seconds > 0) throw tooManyUnknown(seconds);
      const uploadTarget = await service.uploadTarget(String(request.params.token), networkOf(exchange.address));
      if (uploadTarget === null) {
        rates.take(network, clock().getTime());
        return refuse(response, 404, nothingHere);
      }
      exchange.note({ source: uploadTarget.source });
      if (!uploadTarget.accepts(name)) return refuse(response, 404, { error: "files of this name are not taken here" });
      await receive(uploadTarget, name, request, response);
    } catch (error) {
      if (error instanceof BodyError && error.limit === null) return refuse(response, ...answerTo(error));
      const refusal = error instanceof BodyError ? storageFull(error) : error;
      if (!(refusal instanceof CoreError) || !(refusal.code in TEMPORARY)) throw error;
      if (refusal.limit) exchange.note({ limit: refusal.limit.name });
      const body = { error: refusal.message, ...limitReached(refusal, clock()) };
      const status = TEMPORARY[refusal.code as keyof typeof TEMPORARY];
      refuse(response, status, body, refusal.retryAfterSeconds ?? 30);
    }
  });

  async function receive(
    uploadTarget: UploadTarget,
    name: string,
    request: Request,
    response: Response,
  ): Promise<void> {
    if (request.headers["content-encoding"] !== undefined)
      return refuse(response, 415, { error: "send the file as it is: Content-Encoding is not taken" });
    const received = await receiveFile(request, { spool, maxBytes: uploadTarget.maxBytes });
    if ("fault" in received) return refuse(response, 400, { error: received.fault });
    const { bytes } = received;
    if (bytes.length === 0) return refuse(response, 400, { error: "the file is empty" });
    const { outcome, file, delivered } = await service.receive(uploadTarget, { name, bytes });
    // The open points of a file name accounts and letters of other tenants, so only operators see them.
    answerJson(response, outcome === "duplicate" ? 200 : 201, {
      status: outcome === "duplicate" ? file.state : outcome,
      file_id: file.file_id,
      sha256: file.sha256,
      delivered,
    });
  }

  const feature: Feature = {
    routes: { handle: router },
    metrics: [files, runs, ...standing.metrics],
    jobs: [
      leaseJob({
        name: "feedSources",
        claim: service.claim,
        work: service.work,
        parallel: config.feedSourcesAtOnce,
      }),
      {
        name: "heldFiles",
        failure: "held files could not be looked through; will be retried",
        async run() {
          for (const { source, name, file_id } of await service.tidy()) {
            files.inc({ outcome: "expired" });
            log.warn({ source, name, file_id }, "a held file is gone: nobody came for it in time");
          }
          await service.retryHeld();
        },
      },
    ],
    check: standing.check,
    drain: () => service.close(),
  };
  const offered: FeedSources = { ...operations, run: service.run };
  return {
    ...feature,
    sources: offered,
    held: operations,
    intake,
  };
}

function counter(name: string, help: string) {
  return new Counter({ name, help, labelNames: ["outcome"], registers: [] });
}

/** The state of the sources across all servers, for metrics and for the doctor. */
function standingOf({ stores }: { stores: OpenedStorage["sourceStores"] }) {
  const held = new Gauge({
    name: "wealth_connect_source_held_files",
    help: "Files of sources that wait for an operator",
    registers: [],
    async collect() {
      const totals = await stores.files.heldTotals().catch(() => null);
      if (totals) this.set(totals.files);
    },
  });
  const success = new Gauge({
    name: "wealth_connect_source_last_success_timestamp_seconds",
    help: "When a source was last looked into, or sent a file, without a fault",
    labelNames: ["source"],
    registers: [],
    async collect() {
      const all = await stores.sources.list().catch(() => []);
      this.reset();
      for (const { source, succeeded_at } of all)
        if (succeeded_at) this.set({ source }, Math.floor(succeeded_at.getTime() / 1000));
    },
  });

  return {
    metrics: [held, success],
    async check(): Promise<readonly Finding[]> {
      const all = await stores.sources.list();
      if (all.length === 0) return [];
      const failing = all.filter(({ is_enabled, failures }) => is_enabled && failures > 0);
      const { files } = await stores.files.heldTotals();
      return [
        failing.length === 0
          ? ok("sources", `${all.length} sources of files, none failing`)
          : warn(
              "sources",
              failing
                .map(({ source, last_error }) => `${source}: ${last_error}`)
                .join("; ")
                .slice(0, 1_000),
              "wealth-connect sources test NAME",
            ),
        files === 0
          ? ok("held files", "none waits")
          : warn("held files", `${files} files wait for an operator`, "wealth-connect datafeed pending"),
      ];
    },
  };
}

/** Errors after which a custodian may succeed by retrying later. */
const TEMPORARY = { RATE_LIMITED: 429, UNAVAILABLE: 503 } as const;

function tooManyUnknown(retryAfterSeconds: number): CoreError {
  const limit = { name: "unknown_tokens_per_minute", value: UNKNOWN_PER_MINUTE };
  return new CoreError("RATE_LIMITED", "too many tokens that are nobody's", { limit, retryAfterSeconds });
}

function storageFull({ limit }: BodyError): CoreError {
  return new CoreError(limit?.isOwnShare ? "RATE_LIMITED" : "UNAVAILABLE", "there is no room for this file now", {
    ...(limit && { limit, retryAfterSeconds: limit.retryAfterSeconds }),
  });
}

function answerTo({ code }: BodyError): [status: number, body: object] {
  if (code === "too_large") return [413, { error: "the file is too large" }];
  if (code === "small_chunks") return [400, { error: "the file comes in too many small chunks" }];
  return [408, { error: "the file came too slowly, or broke off" }];
}

function refuse(response: Response, status: number, body: object, seconds?: number): void {
  answerJson(response, status, body, seconds === undefined ? {} : retryAfter(seconds));
}
