import { createHash } from "node:crypto";
import { type ConsoleApiOptions, consoleApiRoutes, createConsoleApi } from "@org/console-api";
import { CoreError, type TenantAccess, type Tenants } from "@org/core";
import type { Config } from "@org/installation";
import { createGuessLimits, OAuthError } from "@org/oauth-server";
import type { OpenedStorage } from "@org/storage-postgres";
import { Counter, Gauge } from "prom-client";
import { cacheFor } from "../cache-for.js";
import { answeredBy, type Feature, type Platform } from "../feature.js";

/** The console: its backend, and the people who sign in. */
export function consoleFeature({
  config,
  publicUrl,
  storage,
  oauthStore,
  eventStore,
  nameReader,
  runtime,
  clock,
  log,
  access,
  tenants,
  people,
  sessions,
  signingIn,
  views,
  providerSignIn,
  rest,
  following,
  providerTitleOf,
}: Pick<Platform, "publicUrl" | "runtime" | "clock" | "log"> &
  Pick<OpenedStorage, "storage" | "oauthStore" | "eventStore" | "nameReader"> &
  Required<Pick<ConsoleApiOptions, "people" | "sessions" | "signingIn" | "views" | "providerSignIn" | "rest">> & {
    config: Pick<Config, "identityProviderOnly">;
    access: TenantAccess;
    tenants: Pick<Tenants, "find">;
    following: ConsoleApiOptions["source"]["events"];
    providerTitleOf: ConsoleApiOptions["providerTitleOf"];
  }): Feature {
  const proofs = new Counter({
    name: "wealth_connect_console_proofs_total",
    help: "Proofs of who somebody is that people gave to the console, by method and outcome",
    labelNames: ["method", "outcome"],
    registers: [],
  });
  const streams = new Gauge({
    name: "wealth_connect_console_streams",
    help: "Pages of the console that follow what happens",
    registers: [],
  });
  const handle = createConsoleApi({
    people,
    sessions,
    signingIn,
    views,
    providerSignIn,
    hasProviderOnly: config.identityProviderOnly === "everybody",
    runtime,
    publicUrl,
    rest,
    names: nameReader,
    providerTitleOf,
    tenantNameOf: async (tenantId) => (await tenants.find(tenantId))?.name ?? null,
    isTenantOpen: switchesOf(access, clock),
    countGuess: guessCounter(oauthStore.guessLimits, clock),
    source: { events: following, heads: headsOf(eventStore, storage, clock) },
    onStreams: (open) => streams.set(open),
    onProof: (proof) => proofs.inc({ ...proof }),
    log,
  });
  return {
    metrics: [proofs, streams],
    routes: { byRoute: answeredBy(consoleApiRoutes(rest.limits), handle) },
    stopping: handle.stop,
  };
}

/**
 * The authorization server's guess counters, shared by all replicas, under names that no client can have: a hash of the person or link, so that
 * neither is stored and people in an office behind one address do not share one counter.
 */
export function guessCounter(
  counters: Parameters<typeof createGuessLimits>[0],
  clock: () => Date,
): ConsoleApiOptions["countGuess"] {
  const guesses = createGuessLimits(counters);
  return async ({ address, of }) => {
    try {
      const name = of === null ? null : `(people ${createHash("sha256").update(of).digest("base64url")})`;
      await guesses.countFailure(name, { address, at: clock() });
    } catch (cause) {
      if (!(cause instanceof OAuthError) || !cause.limit) throw cause;
      const { message, limit, retryAfterSeconds } = cause;
      throw new CoreError("RATE_LIMITED", message, { cause, limit, ...(retryAfterSeconds && { retryAfterSeconds }) });
    }
  };
}

/** Reads the last event numbers of all logs once for all operators' pages. */
function headsOf(
  store: OpenedStorage["eventStore"],
  { tenants }: OpenedStorage["storage"],
  clock: () => Date,
): ConsoleApiOptions["source"]["heads"] {
  return cacheFor(clock, async () => store.heads((await tenants.list()).map(({ tenant_id }) => tenant_id)));
}

function switchesOf(access: TenantAccess, clock: () => Date): (tenantId: string) => Promise<boolean> {
  const disabled = cacheFor(clock, () => access.disabled());
  return async (tenantId) => !(await disabled()).has(tenantId);
}
