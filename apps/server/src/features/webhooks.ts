import type { TenantAccess, TenantLimits } from "@org/core";
import {
  createDeliveries,
  createEndpointAdmin,
  createEndpointOperations,
  createNoticeLimit,
  createOperatorMail,
  createWebhookClient,
  createWebhookSigningKeys,
  type DisabledEndpoint,
  endpointUrlRule,
  type SliceReport,
} from "@org/events";
import { answerJson, anyOriginHeaders, type RouteFacts } from "@org/http";
import { type Config, createSmtpTransport, type Finding, type InstallationKeys, ok, warn } from "@org/installation";
import type { OpenedStorage } from "@org/storage-postgres";
import { type Request, type Response, Router } from "express";
import packageJson from "../../package.json" with { type: "json" };
import { type Feature, GRACE_MS, type Platform } from "../feature.js";
import { leaseJob, logFailure } from "../jobs.js";
import type { Logger } from "../log.js";
import { durations, gauges } from "../measures.js";
import { tracedMail, tracedWebhooks } from "../tracing/traced-calls.js";

/** How long receivers may cache the keys: a receiver knows a new key long before an old one stops signing. */
const KEYS_MAX_AGE_SECONDS = 300;

/** Mails and log lines per hour about one tenant's endpoints. The events, the audit trail and the metrics have all of them. */
const MAX_MAILS = 5;
const MAX_LINES = 60;

/** The routes of {@link webhooks}. */
export const webhookRoutes: readonly RouteFacts[] = [
  {
    methods: ["GET", "HEAD"],
    path: "/.well-known/webhooks-keys.json",
    family: "webhooks",
    scopes: [],
    maxBodyBytes: null,
    origins: "any",
    summary: "Public keys for the signatures of webhooks (v1a of Standard Webhooks)",
  },
];

/**
 * Webhooks: tenants and operators manage endpoints, events are delivered to them, and the public keys that verify deliveries are published.
 */
export function webhooks({
  config,
  deliveryQueue: queue,
  endpointStore,
  runtime,
  keys: serverKeys,
  clock,
  schedule,
  log,
  limits,
  access,
  onQueued,
  written,
}: Pick<Platform, "runtime" | "clock" | "schedule" | "log"> &
  Pick<OpenedStorage, "deliveryQueue" | "endpointStore"> & {
    config: Pick<Config, "operatorMail" | "smtp" | "tracing" | "webhookEndpointsAtOnce" | "webhookPrivateNetworks">;
    keys: Pick<InstallationKeys, "webhookSignature">;
    limits: Pick<TenantLimits, "of" | "admitResend">;
    access: TenantAccess;
    /** Calls its listener whenever this server has queued a delivery. */
    onQueued: (listener: () => void) => void;
    /** Called when there may be events to number or deliveries to send. */
    written: () => void;
  }) {
  const endpoints = createEndpointOperations({
    store: endpointStore,
    runtime,
    limits,
    onQueued: written,
    urlFault: endpointUrlRule(config.webhookPrivateNetworks),
  });
  const keys = createWebhookSigningKeys(serverKeys.webhookSignature, clock);
  const client = createWebhookClient({
    privateNetworks: config.webhookPrivateNetworks,
    clock: () => new Date(),
  });
  const mailOperator = operatorMail(config, runtime.newId, log);
  const mayMail = createNoticeLimit(MAX_MAILS, clock);
  const mayLog = createNoticeLimit(MAX_LINES, clock);
  const tries = durations(
    "wealth_connect_webhook_seconds",
    "Tries to deliver an event by outcome: the class of the status, or why there was none",
    ["outcome"],
    "slow",
  );
  const deliveries = createDeliveries({
    queue,
    runtime,
    keys,
    post: tracedWebhooks(client.post, config),
    exceptTenants: access.disabled,
    places: config.webhookEndpointsAtOnce,
    leaseMs: schedule.webhookLease,
    userAgent: `wealth-connect/${packageJson.version}`,
    chance: Math.random,
    onTry: ({ status, error, ms }) =>
      tries.observe({ outcome: status === null ? (error ?? "") : `${Math.floor(status / 100)}xx` }, ms),
    onSlice: (slice) => logSlice(log, slice, mayLog),
    onDisabled(endpoint) {
      const isMailed = mayMail(endpoint.tenant_id);
      log[isMailed ? "warn" : "debug"](endpoint, "webhook endpoint disabled");
      if (isMailed) void mailOperator(endpoint);
    },
    onError: (error) => logFailure(log, error, "deliveries to a webhook endpoint ended early; they go on shortly"),
  });
  const backlog = gauges(
    () => queue.backlog(clock()),
    [
      {
        name: "wealth_connect_webhook_deliveries_pending",
        help: "Deliveries that wait for a try, counted up to 100,000",
        set: (gauge, { pending }) => gauge.set(pending),
      },
      {
        name: "wealth_connect_webhook_overdue_seconds",
        help: "For how long the longest waiting endpoint has been due",
        set: (gauge, { oldest_due_at: oldest }) =>
          gauge.set(oldest ? Math.max(0, clock().getTime() - oldest.getTime()) / 1000 : 0),
      },
      {
        name: "wealth_connect_webhook_endpoints",
        help: "Endpoints whose last try failed, and those that were disabled because of 410 or of failures",
        labelNames: ["state"],
        set(gauge, { failing, disabled }) {
          gauge.set({ state: "failing" }, failing);
          gauge.set({ state: "disabled" }, disabled);
        },
      },
    ],
  );
  const router = Router();
  router.get("/.well-known/webhooks-keys.json", (_request: Request, response: Response) => {
    const headers = { ...anyOriginHeaders, "Cache-Control": `public, max-age=${KEYS_MAX_AGE_SECONDS}` };
    answerJson(response, 200, { keys: keys.published() }, headers);
  });

  const feature: Feature = {
    routes: { handle: router },
    metrics: [tries.metric, ...backlog],
    jobs: [
      {
        ...leaseJob({
          name: "webhooks",
          claim: deliveries.claim,
          work: deliveries.work,
          parallel: config.webhookEndpointsAtOnce,
        }),
        wakes: onQueued,
      },
    ],
    async check(): Promise<readonly Finding[]> {
      const { failing, disabled, pending } = await queue.backlog(clock());
      if (failing === 0 && disabled === 0)
        return [ok("webhooks", `no endpoint is failing, ${pending} deliveries wait`)];
      return [
        warn(
          "webhooks",
          `endpoints that are failing: ${failing}; disabled because of 410 or five days of failures: ${disabled}`,
          "wealth-connect webhooks list, then deliveries; their owners mend them, enable them and replay",
        ),
      ];
    },
    reap: endpoints.reap,
    drain: () => deliveries.close(GRACE_MS),
    close: async () => client.close(),
  };
  return { ...feature, endpoints, endpointDesk: createEndpointAdmin({ store: endpointStore, runtime, endpoints }) };
}

/** Notifies the operator by mail if a mail server and an address are configured. */
function operatorMail(
  { smtp, operatorMail: to }: Pick<Config, "smtp" | "operatorMail">,
  newId: () => string,
  log: Logger,
): (endpoint: DisabledEndpoint) => Promise<void> {
  if (smtp === null || to === null) return async () => undefined;
  return createOperatorMail({
    transport: tracedMail(createSmtpTransport(smtp), smtp),
    to,
    newId,
    onFailed: (reason, { endpoint_id }) =>
      log.warn({ reason: reason.slice(0, 300), endpoint_id }, "operator not told by mail"),
  });
}

/** Logs when an endpoint is first paused, and when it is back; the metrics show what happens in between. */
function logSlice(log: Logger, slice: SliceReport, mayLog: (tenantId: string) => boolean): void {
  const isLost = slice.pausedUntil !== null && !slice.wasFailing;
  const isBack = slice.wasFailing && slice.failingSince === null;
  if ((!isLost && !isBack) || !mayLog(slice.tenant_id)) log.debug(slice, "webhooks");
  else if (isLost) log.warn(slice, "webhook endpoint takes nothing");
  else log.info(slice, "webhook endpoint is back");
}
