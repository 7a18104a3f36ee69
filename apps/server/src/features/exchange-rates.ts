import { readRates } from "@org/bank-providers";
import { createExchangeRates, type ExchangeRates, type RateStore, type Storage, systemActor } from "@org/core";
import { openContainer } from "@org/feed-sources";
import { isProxied } from "@org/http";
import type { Config } from "@org/installation";
import type { HttpClient } from "@org/provider-kit";
import { createHttpClient } from "@org/provider-kit/http";
import { Counter } from "prom-client";
import type { Feature, Platform } from "../feature.js";
import { tracedHttpClient } from "../tracing/traced-calls.js";

/** The name of the European Central Bank as a source of rates. */
const SERVICE = "ECB";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** After a longer time without a fetch the daily file could leave days out: the history of 90 days is fetched instead. */
const DAILY_MS = 36 * HOUR_MS;
/** How long a server holds a fetch. */
const LEASE_MS = 5 * 60_000;
/** The longest wait after fetches that failed. */
const MAX_RETRY_MS = 6 * HOUR_MS;
/** Rates are published about 16:00 in Frankfurt, which is 14:00 or 15:00 UTC. */
const PUBLISHED_AT_MS = 15.5 * HOUR_MS;

/** Exchange rates: files that operators import, and, if `RATES` says so, a daily fetch from the European Central Bank. */
export function exchangeRates({
  config,
  storage,
  runtime,
  clock,
  schedule,
  log,
}: Pick<Platform, "runtime" | "clock" | "schedule" | "log"> & {
  config: Pick<Config, "rates" | "ratesUrl" | "httpsProxy" | "noProxy" | "tracing">;
  storage: Pick<Storage, "exchangeRates">;
}) {
  const exchangeRates = createExchangeRates({
    store: storage.exchangeRates,
    runtime,
    async read(file, now) {
      const { files } = await openContainer(file, { keys: noKeys, now });
      return ratesIn(files, now);
    },
  });
  const fetches = new Counter({
    name: "wealth_connect_rate_fetches_total",
    help: "Fetches of exchange rates by outcome",
    labelNames: ["outcome"],
    registers: [],
  });
  if (config.rates === null) return { metrics: [fetches], exchangeRates };

  const address = new URL(config.ratesUrl);
  const http = createHttpClient({
    hosts: [address.host],
    // Measures elapsed time: the server's clock follows the database's and may jump.
    clock: () => new Date(),
    proxyFor: (url) => (isProxied(config.noProxy, url) ? config.httpsProxy : null),
    user_agent: "Wealth-Connect",
  });
  const feature: Feature = {
    metrics: [fetches],
    jobs: [
      {
        name: "exchangeRates",
        failure: "exchange rates could not be fetched; will be retried",
        async run(signal) {
          const outcome = await fetchWhenDue({
            store: storage.exchangeRates,
            exchangeRates,
            http: tracedHttpClient(http, SERVICE, config),
            address,
            clock,
            retryMs: schedule.exchangeRateRetry,
            signal,
            log,
          });
          if (outcome !== null) fetches.inc({ outcome });
        },
      },
    ],
    close: () => http.close(),
  };
  return { ...feature, exchangeRates };
}

/** Rates are public: files of them are not encrypted. */
const noKeys = { own: async () => [], signers: [], mustBeSigned: false };

function* ratesIn(files: Awaited<ReturnType<typeof openContainer>>["files"], now: Date) {
  for (const { bytes } of files) yield* readRates(bytes, now);
}

/** Fetches the rates if no other server has done so today. Returns null if nothing is due. */
async function fetchWhenDue(deps: {
  store: RateStore;
  exchangeRates: ExchangeRates;
  http: HttpClient;
  address: URL;
  clock: () => Date;
  retryMs: number;
  signal: AbortSignal;
  log: Platform["log"];
}): Promise<"fetched" | "failed" | null> {
  const { store, clock, signal, log } = deps;
  const now = clock();
  const claim = await store.claimFetch(SERVICE, now, new Date(now.getTime() + LEASE_MS));
  if (claim === null) return null;
  const isRecent = claim.succeeded_at !== null && now.getTime() - claim.succeeded_at.getTime() < DAILY_MS;
  const name = isRecent ? "eurofxref-daily.xml" : "eurofxref-hist-90d.xml";
  try {
    const url = new URL(name, deps.address);
    const { body: bytes } = await deps.http.request({ method: "GET", url, signal, read: "bytes" });
    const done = await deps.exchangeRates.importFile(systemActor, { name: SERVICE, bytes });
    await store.endFetch(SERVICE, { due_at: nextPublication(now), succeeded_at: now, failures: 0 });
    log.info({ service: SERVICE, file: name, ...done }, "exchange rates were fetched");
    return "fetched";
  } catch (error) {
    if (signal.aborted) {
      // The server stops: another one, or its next start, fetches.
      await store.endFetch(SERVICE, { ...claim, due_at: now });
      return null;
    }
    const retryMs = Math.min(MAX_RETRY_MS, deps.retryMs * 2 ** claim.failures);
    const due_at = new Date(now.getTime() + retryMs);
    await store.endFetch(SERVICE, { ...claim, due_at, failures: claim.failures + 1 });
    const facts = { service: SERVICE, file: name, failures: claim.failures + 1, next_at: due_at.toISOString() };
    log.warn({ err: error, ...facts }, "exchange rates could not be fetched; will be retried");
    return "failed";
  }
}

/** The first half past three in the afternoon (UTC) that is more than an hour away. */
function nextPublication(now: Date): Date {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS + PUBLISHED_AT_MS;
  return new Date(today > now.getTime() + HOUR_MS ? today : today + DAY_MS);
}
