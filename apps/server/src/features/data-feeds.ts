import { availableParallelism } from "node:os";
import type { Connectors } from "@org/core";
import {
  createAppliedMappings,
  createDataFeeds,
  createFeedAccounts,
  createFeedDifferences,
  createFeedSilence,
  createFeedWaiting,
  createGiveUp,
  type DataFeeds,
  type FeedReport,
  type FeedWaiting,
  type MappedFeed,
} from "@org/data-feeds";
import { shippedMappings } from "@org/feed-mapping";
import { createFeedReader, feedWorkerFile, type ReadOrigin } from "@org/feed-reading";
import { connectorOfFeed, createKeyRing, feedsOfSource, type Signer } from "@org/feed-sources";
import { type Config, type Finding, ok, warn } from "@org/installation";
import { resolveModule } from "@org/provider-kit/loading";
import type { OpenedStorage } from "@org/storage-postgres";
import { Counter, Gauge } from "prom-client";
import type { Feature, Platform } from "../feature.js";
import { loadFeedFormats } from "../load-formats.js";
import { loadGauge } from "../measures.js";
import { inChildSpan, setSpanOutcome } from "../tracing/spans.js";

/** Limits for reading one large custodian file, and how many are read concurrently. Files of 64 MiB were read within 12 seconds and 700 MB. */
const LIMITS = {
  seconds: 120,
  megabytes: 1_024,
  threads: Math.min(4, Math.max(2, availableParallelism())),
  // A person waits for a trial, and its file is a megabyte at most.
  trial: { seconds: 20, megabytes: 256 },
};

/** Reads and stores custodian files. A letter whose custodian has gone silent is blocked. */
export async function dataFeeds({
  config,
  storage,
  sourceStores,
  runtime,
  clock,
  log,
  bankOf,
  connectors,
}: Pick<Platform, "runtime" | "clock" | "log"> &
  Pick<OpenedStorage, "storage" | "sourceStores"> & {
    config: Pick<Config, "feedFormats" | "feedHeldDays" | "feedInterim" | "feedSilentDays">;
    bankOf: (connectorId: string) => Promise<string | null>;
    connectors: Pick<Connectors, "find">;
  }) {
  const files = new Counter({
    name: "wealth_connect_feed_files_total",
    help: "Custodian files by outcome and format",
    labelNames: ["outcome", "format"],
    registers: [],
  });
  const silent = new Counter({
    name: "wealth_connect_feeds_silent_total",
    help: "Letters blocked because their custodian's files stayed out",
    registers: [],
  });
  const mappings = createAppliedMappings({ storage, connectors, shipped: shippedMappings });
  const directory = process.cwd();
  const connectorOf = connectorOfFeed(storage);
  const ring = createKeyRing({ store: sourceStores.keys, vault: runtime.vault });
  const feedsFrom = feedsOfSource({ storage, routes: sourceStores.routes });
  /** What a file may be for: its connection or letter, or everything that its source leads to. Looked up once per file. */
  const feedsFor = onceFor(async ({ tenant_id, feed_id, source }: ReadOrigin): Promise<readonly MappedFeed[]> => {
    if (source !== undefined) return feedsFrom(source);
    const connector_id = await connectorOf(feed_id, tenant_id);
    return connector_id === null ? [] : [{ connector_id, connection_id: null }];
  });
  const formats = await loadFeedFormats(config.feedFormats, directory);
  const reader = createFeedReader(feedWorkerFile, LIMITS, {
    formats: { loaded: formats, modules: config.feedFormats.map((name) => resolveModule(name, directory)) },
    acceptsInterim: async (origin) => config.feedInterim || (await askForInterim(connectors, await feedsFor(origin))),
    mappingsFor: async (origin) =>
      origin.source === undefined ? [await mappings.appliesTo(origin)] : mappings.appliesToAny(await feedsFor(origin)),
    signersFor: async (origin) => ring.signersFor(signersOf(origin, await feedsFor(origin))),
    ownKeys: ring.ownKeys,
    clock,
  });
  const differences = new Counter({
    name: "wealth_connect_feed_differences_total",
    help: "Holdings of custodian files that are not what the statement before says with the movements since",
    registers: [],
  });
  const gapDays = new Counter({
    name: "wealth_connect_feed_gap_days_total",
    help: "Business days for which a custodian's statement stayed out",
    registers: [],
  });
  const waiting = loadGauge("wealth_connect_feed_files_reading", "Large custodian files", reader.threads);
  const accountRules = async (connectorId: string) =>
    (await connectors.find(connectorId))?.metadata.account_rules ?? null;
  const onFile = (report: FeedReport) => {
    files.inc({ outcome: report.outcome, format: report.format ?? "" });
    differences.inc(report.differences);
    gapDays.inc(report.gap_days);
    setSpanOutcome(report.outcome);
    log[report.outcome === "refused" ? "warn" : "info"](report, "custodian file");
  };
  const untraced = createDataFeeds({ storage, runtime, bankOf, accountRules, readParts: reader.read, onFile });
  const giveUp = createGiveUp({ storage, bankOf, onFile });
  const storing = loadGauge(
    "wealth_connect_feed_files_storing",
    "Custodian files above 4 MiB or 10,000 rows",
    untraced.storing,
  );
  const feeds: DataFeeds = {
    ...untraced,
    ingest: (...given) => inChildSpan("custodian file", () => untraced.ingest(...given)),
    ingestRead: (...given) => inChildSpan("custodian file", () => untraced.ingestRead(...given)),
  };
  const silence = createFeedSilence({
    storage,
    runtime,
    silentDays: config.feedSilentDays,
    onBlocked(fact) {
      silent.inc();
      log.warn(fact, "no custodian file for too long; the letter is blocked");
    },
  });
  const incomplete = new Counter({
    name: "wealth_connect_feed_statements_incomplete_total",
    help: "Statements of which pages stayed out: overdue after a week, deleted after FEED_HELD_DAYS more",
    labelNames: ["outcome"],
    registers: [],
  });
  const waitingPages = createFeedWaiting({
    storage,
    runtime,
    keptDays: config.feedHeldDays,
    onReport(report) {
      incomplete.inc({ outcome: report.outcome });
      log.warn(report, `pages of a statement have not come; what is here is ${report.outcome}`);
    },
  });
  const statements = new Gauge({
    name: "wealth_connect_feed_statements_waiting",
    help: "Statements of which pages are missing, by state",
    labelNames: ["state"],
    registers: [],
    async collect() {
      const found = await waitingPages.list(1).catch(() => null);
      if (!found) return;
      this.set({ state: "waiting" }, found.waiting);
      this.set({ state: "overdue" }, found.overdue);
    },
  });
  const feature: Feature = {
    metrics: [files, silent, differences, gapDays, waiting, storing, incomplete, statements],
    jobs: [
      {
        name: "feedSilence",
        run: silence.blockSilent,
        failure: "silent feeds could not be looked for; will be retried",
      },
      {
        name: "waitingPages",
        run: waitingPages.expireWaiting,
        failure: "statements that wait for pages could not be looked through; will be retried",
      },
      {
        name: "wholeStatements",
        run: feeds.finishStatements,
        failure: "statements whose pages have all come could not be put together; will be retried",
      },
    ],
    check: async () => [await checkPages(waitingPages)],
  };
  return {
    ...feature,
    feeds,
    giveUp,
    feedAccounts: createFeedAccounts({ storage, runtime, bankOf, accountRules }),
    feedDifferences: createFeedDifferences({ storage, runtime, bankOf }),
    feedWaiting: waitingPages,
    readParts: reader.read,
    mappingLanguage: { ...reader.trials, shipped: shippedMappings },
  };
}

async function checkPages(waiting: Pick<FeedWaiting, "list">): Promise<Finding> {
  const { overdue, waiting: others } = await waiting.list(1);
  if (overdue === 0) return ok("statements in pages", others === 0 ? "none waits" : `${others} wait for pages`);
  return warn(
    "statements in pages",
    `${overdue} have waited for pages for more than a week`,
    "wealth-connect datafeed pending, and ask the custodian for what is missing",
  );
}

/** Whether the metadata of every connector that a file may be for says `"interim": true`. */
async function askForInterim(connectors: Pick<Connectors, "find">, feeds: readonly MappedFeed[]): Promise<boolean> {
  const ids = connectorsOf(feeds);
  for (const id of ids) if ((await connectors.find(id))?.metadata.interim !== true) return false;
  return ids.length > 0;
}

/**
 * Returns who may sign a file: the custodian of its connector, or the custodian of the source and of every connector that the source's
 * rules lead to. So a source cannot pass an unsigned file to a connector whose files have to be signed.
 */
function signersOf({ source }: ReadOrigin, feeds: readonly MappedFeed[]): readonly Signer[] {
  const custodians = connectorsOf(feeds).map((owner) => ({ kind: "connector" as const, owner }));
  return source === undefined ? custodians : [{ kind: "source", owner: source }, ...custodians];
}

function connectorsOf(feeds: readonly MappedFeed[]): readonly string[] {
  return [...new Set(feeds.map(({ connector_id }) => connector_id))];
}

/** Calls `ask` once for each object. */
function onceFor<Key extends object, Answer>(ask: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const known = new WeakMap<Key, Promise<Answer>>();
  return (key) => {
    const asked = known.get(key) ?? ask(key);
    known.set(key, asked);
    return asked;
  };
}
