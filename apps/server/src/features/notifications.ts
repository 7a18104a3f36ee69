import { createTokenBuckets } from "@org/admission";
import { createNotifications, GuardError, idField, type Storage } from "@org/core";
import {
  addressPrefix,
  answerEmpty,
  answerJson,
  BodyError,
  exchangeOf,
  networkOf,
  nothingHere,
  type RouteFacts,
  readBytes,
  retryAfter,
} from "@org/http";
import type { ProviderRegistry } from "@org/provider-registry";
import { type Request, type Response, Router } from "express";
import { Counter } from "prom-client";
import type { Feature, Platform } from "../feature.js";

/** More than any institution sends at once. */
const MAX_BYTES = 256 * 1024;
const MAX_SECONDS = 10;
/** Notifications per network and minute that were not verified or failed: a defect at an institution stays below, a loop does not. */
const UNVERIFIED_PER_MINUTE = 600;

/** The routes of {@link notifications}. */
export const notificationRoutes: readonly RouteFacts[] = [
  {
    methods: ["POST"],
    path: "/providers/:name/notifications",
    family: "notifications",
    scopes: [],
    maxBodyBytes: MAX_BYTES,
    origins: "none",
    summary: "An institution reports whose data changed; its provider verifies that",
  },
];

/** Receives institutions' notifications of changed data. The sender learns neither what is wrong with a notification nor whom it concerns. */
export function notifications({
  storage,
  runtime,
  clock,
  log,
  providers,
}: Pick<Platform, "runtime" | "clock" | "log"> & { storage: Storage; providers: ProviderRegistry }): Feature {
  const service = createNotifications({ storage, runtime, providers });
  const rates = createTokenBuckets(60_000, () => UNVERIFIED_PER_MINUTE);
  const counted = new Counter({
    name: "wealth_connect_notifications_total",
    help: "Notifications of institutions by provider and outcome",
    labelNames: ["provider", "outcome"],
    registers: [],
  });

  const router = Router();
  router.post("/providers/:name/notifications", async (request: Request, response: Response) => {
    const provider = String(request.params.name);
    // Only names of loaded providers become labels.
    const count = (outcome: string) => counted.inc({ provider, outcome });
    if (!providers.has(provider)) return refuse(response, 404);
    const exchange = exchangeOf(request, response);
    const network = addressPrefix(exchange.address);
    const seconds = rates.emptyFor(network, clock().getTime());
    if (seconds > 0) {
      count("refused");
      exchange.note({ limit: "unverified_notifications_per_minute" });
      return refuse(response, 429, seconds);
    }
    const closed = new AbortController();
    exchange.atClose(() => closed.abort(new Error("whoever sent the notification left")));
    try {
      const body = await readBytes(request, { maxBytes: MAX_BYTES, maxSeconds: MAX_SECONDS });
      const tenant = request.query.tenant;
      const notice = await service.take({
        provider,
        tenant_id: tenant === undefined ? null : idField.parse(String(tenant)),
        headers: headersOf(request),
        body,
        from_network: networkOf(exchange.address),
        signal: closed.signal,
      });
      count(notice.kind);
      if (notice.kind === "unknown") return refuse(response, 404);
      if (notice.kind === "unverified") {
        rates.take(network, clock().getTime());
        return refuse(response, 401);
      }
      log.info({ provider, connections: notice.connections, trace_id: exchange.traceId }, "notification");
      // Plaid sends again what is answered by any other status than 200.
      answerEmpty(response, 200);
    } catch (error) {
      if (error instanceof BodyError) {
        count("refused");
        return refuse(response, statusOf(error), error.limit?.retryAfterSeconds);
      }
      count("failed");
      // A place becomes free again soon, so `busy` is not logged. Whatever else failed, nothing is known of the sender.
      if (!(error instanceof GuardError && error.code === "busy")) {
        rates.take(network, clock().getTime());
        log.warn({ err: error, provider, trace_id: exchange.traceId }, "notification");
      }
      refuse(response, 503, 30);
    }
  });
  return { routes: { handle: router }, metrics: [counted] };
}

function headersOf({ headers }: Request): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as const],
    ),
  );
}

function statusOf({ code, limit }: BodyError): number {
  if (limit !== null) return limit.isOwnShare ? 429 : 503;
  if (code === "small_chunks") return 400;
  return code === "too_large" ? 413 : 408;
}

function refuse(response: Response, status: number, seconds?: number): void {
  const headers = seconds === undefined ? {} : retryAfter(seconds);
  if (status === 404) answerJson(response, status, nothingHere, headers);
  else answerEmpty(response, status, headers);
}
