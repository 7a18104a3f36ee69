import type { AccessRefusal, FetchResult } from "@org/provider-kit";
import { auditEntry } from "../audit-entry.js";
import { CoreError } from "../errors.js";
import { type Actor, systemActor, type TenantActor } from "../ports/actor.js";
import type { ConnectionRecord } from "../ports/connection-store.js";
import type { ProviderDirectory } from "../ports/provider-directory.js";
import type { PendingFetch, RefreshLease, RefreshRecord } from "../ports/refresh-store.js";
import type { Runtime, Sleep } from "../ports/runtime.js";
import type { Storage, TenantStores } from "../ports/storage.js";
import type { TenantAccess } from "../ports/tenant-access.js";
import type { VaultContext } from "../ports/vault.js";
import { GuardError } from "../provider-guard/provider-guard.js";
import { retryWhileUnavailable, sleep } from "../retry.js";
import type { CredentialStatus } from "../schemas/credential-status.js";
import { type Uuid, uuidOf } from "../schemas/identifier.js";
import type { RefreshOutcome, RefreshState } from "../schemas/refresh.js";
import type { Connectors } from "./connectors.js";
import { accessContext } from "./publication.js";
import { applyFetch, type Fetched, isPreparedTooLong } from "./refresh-outcomes.js";
import { consentRenewalOf, pendingContext, REFRESH_LEASE_MS, REFRESH_PAUSE_MS } from "./refresh-plan.js";
import { createWorkUnderWay } from "./work-under-way.js";

/** No fetch of a refresh takes longer, its repetitions included; well below the lease. */
const FETCH_TIMEOUT_MS = 120_000;
/** How long whoever asks for a refresh waits for what becomes of it. */
const ANSWER_WITHIN_MS = 20_000;
const MINUTE = 60_000;
/** About as long as it takes to know whether a bank is back. */
const PROBED_MS = 10_000;
/** Until a connection is looked at again whose provider is not available. */
const UNSERVED_MS = 5 * MINUTE;

/** What whoever asked for a refresh is told. */
export interface RefreshAnswer {
  readonly connection_id: string;
  readonly outcome: RefreshOutcome | "under_way";
  readonly status: CredentialStatus;
  readonly refresh: RefreshState;
}

/** What became of one refresh, for logs and metrics. */
export interface RefreshReport {
  readonly tenant_id: string;
  readonly connection_id: string;
  readonly connector_id: string | null;
  readonly outcome: RefreshOutcome;
  readonly refused: AccessRefusal | null;
  /** When the customer's consent runs out, in its last days; then they are asked to renew it. */
  readonly consent_ends: string | null;
  readonly milliseconds: number;
  readonly error: unknown;
}

/** Brings connections up to date: when they are due, and when somebody asks for it. */
export interface Refreshes {
  /**
   * Refreshes one connection now, at most every 15 minutes. Answers after 20 seconds at the latest, `under_way` if it still is.
   * @throws CoreError NOT_FOUND, CONFLICT when its data come as files or its customer has to log in again, RATE_LIMITED
   */
  refresh(actor: TenantActor, connectionId: string): Promise<RefreshAnswer>;
  /** For operators, who know the connection and not whose it is. @throws CoreError NOT_FOUND */
  tenantOf(connectionId: string): Promise<string>;
  /** @throws CoreError NOT_FOUND */
  state(actor: TenantActor, connectionId: string): Promise<RefreshState>;
  /** Leases at most `limit` connections that are due, of any tenant that is not switched off; each has to be {@link run}. */
  claim(limit: number): Promise<readonly RefreshLease[]>;
  /** Takes a leased connection through its refresh. Never throws. */
  run(lease: RefreshLease): Promise<RefreshOutcome>;
  /** Waits for refreshes under way, `graceMs` at most; the rest are cut off and due again at once. */
  close(graceMs: number): Promise<void>;
}

export function createRefreshes(deps: {
  storage: Storage;
  runtime: Runtime;
  /** Guarded: see `createProviderGuard`. */
  providers: ProviderDirectory;
  connectors: Pick<Connectors, "find">;
  access: Pick<TenantAccess, "disabled">;
  onRefresh?: (report: RefreshReport) => void;
  sleep?: Sleep;
}): Refreshes {
  const { storage, runtime } = deps;
  const { clock } = runtime;
  const pause = deps.sleep ?? sleep;
  const underWay = createWorkUnderWay(pause);
  /** A server that stops does not wait for its database as well: the lease ends by itself. */
  const unlessStopped: Sleep = (milliseconds) => pause(milliseconds, underWay.signal);

  return {
    async refresh(actor, connectionId) {
      const id = knownShape(connectionId);
      const lease = await takeLease(actor, id);
      const outcome = lease === null ? "under_way" : await settledSoon(start(lease, actor));
      const { connection, plan } = await find(actor, id);
      return { connection_id: id, outcome, status: connection.status, refresh: stateOf(plan, clock()) };
    },
    async tenantOf(connectionId) {
      const tenantId = await storage.directory.tenantOfConnection(knownShape(connectionId.toLowerCase()));
      if (!tenantId) throw unknownConnection();
      return tenantId;
    },
    state: async (actor, connectionId) => stateOf((await find(actor, knownShape(connectionId))).plan, clock()),
    async claim(limit) {
      const now = clock();
      return storage.refreshQueue.claim({
        lease: runtime.newId(),
        now,
        until: new Date(now.getTime() + REFRESH_LEASE_MS),
        limit,
        except_tenants: [...(await deps.access.disabled())],
      });
    },
    run: (lease) => start(lease, systemActor),
    close: underWay.close,
  };

  function start(lease: RefreshLease, actor: Actor): Promise<RefreshOutcome> {
    return underWay.add(perform(lease, actor));
  }

  async function settledSoon(run: Promise<RefreshOutcome>): Promise<RefreshOutcome | "under_way"> {
    const over = new AbortController();
    const late = pause(ANSWER_WITHIN_MS, over.signal).then(
      () => "under_way" as const,
      () => "under_way" as const,
    );
    return Promise.race([run, late]).finally(() => over.abort());
  }

  /** Null when somebody refreshes it already. */
  async function takeLease(actor: TenantActor, connectionId: Uuid): Promise<RefreshLease | null> {
    const now = clock();
    const lease = runtime.newId();
    return storage.inTenant(actor.tenant_id, async (stores) => {
      const { plan } = await findIn(stores, connectionId);
      if (plan === null) throw new CoreError("CONFLICT", "the data of this connection come as files of the custodian");
      if (plan.due_at === null)
        throw new CoreError("CONFLICT", "the bank wants its customer: open a Connect session for this connection");
      if (plan.lease !== null && plan.due_at > now) return null;
      const isAskedToWait = plan.pending !== null || plan.outcome === "throttled";
      if (isAskedToWait && plan.due_at > now)
        throw new CoreError(
          "RATE_LIMITED",
          plan.pending
            ? "the institution prepares the data of this connection: they are fetched as soon as they are there"
            : "the institution wants fewer requests: it is asked again by itself",
          { retryAfterSeconds: Math.ceil((plan.due_at.getTime() - now.getTime()) / 1_000) },
        );
      const wait = (plan.attempted_at?.getTime() ?? Number.NEGATIVE_INFINITY) + REFRESH_PAUSE_MS - now.getTime();
      if (wait > 0)
        throw new CoreError("RATE_LIMITED", "a connection is refreshed at most every 15 minutes", {
          retryAfterSeconds: Math.ceil(wait / 1_000),
          limit: { name: "refreshes_in_15_minutes", value: 1 },
        });
      const until = new Date(now.getTime() + REFRESH_LEASE_MS);
      const taken = await stores.refreshes.take(connectionId, { lease, now, until });
      return taken ? { tenant_id: actor.tenant_id, connection_id: connectionId, lease } : null;
    });
  }

  async function perform(lease: RefreshLease, actor: Actor): Promise<RefreshOutcome> {
    const started = clock().getTime();
    let connection: ConnectionRecord | null = null;
    let fetched: Fetched | null = null;
    let outcome: RefreshOutcome = "failed";
    let error: unknown;
    try {
      const known = await retryWhileUnavailable(unlessStopped, () =>
        inTenant(lease, (stores) => knownOf(stores, lease.connection_id)),
      );
      if (known === null) outcome = "superseded";
      else {
        connection = known.connection;
        fetched = await fetchFor(lease.tenant_id, known);
        outcome = await settle(lease, actor, fetched);
      }
    } catch (cause) {
      // Also data that the database refuses. When it is away the lease runs out by itself.
      error = cause;
      await settle(lease, actor, { kind: "failed", error: cause }).catch(() => undefined);
    }
    deps.onRefresh?.({
      tenant_id: lease.tenant_id,
      connection_id: lease.connection_id,
      connector_id: connection?.connector_id ?? null,
      outcome,
      refused: fetched?.kind === "refused" ? fetched.reason : null,
      consent_ends: connection && (consentRenewalOf(connection.status, clock())?.expires_at ?? null),
      milliseconds: clock().getTime() - started,
      error: error ?? (fetched && "error" in fetched ? fetched.error : null),
    });
    return outcome;
  }

  /** Asks the bank; whatever it does becomes a value. */
  async function fetchFor(tenantId: string, { connection, since, pending }: Known): Promise<Fetched> {
    const { connection_id, connector_id } = connection;
    try {
      const row = await deps.connectors.find(connector_id);
      const provider_ref = row?.provider_ref ?? null;
      const provider = deps.providers.for({ ...row, provider: connection.provider, provider_ref }, tenantId);
      if (!provider) return { kind: "postponed", ...unservedFor(connection) };
      if (connection.sealed_access === null) throw new Error("the connection has no access");
      const context = accessContext(connection_id);
      const access: unknown = JSON.parse(await runtime.vault.open(connection.sealed_access, context));
      const signal = AbortSignal.any([underWay.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
      const result: FetchResult = await provider.fetch({
        connector_id,
        provider_ref,
        for_tenant: tenantId,
        access,
        refresh: true,
        since,
        pending_state:
          pending && JSON.parse(await runtime.vault.open(pending.sealed_state, pendingContext(connection_id))),
        signal,
      });
      return { ...(await fetchedOf(result, connection_id, pending)), ...(await changedAccess(result.access, context)) };
    } catch (error) {
      if (underWay.signal.aborted) return { kind: "cut_off", error };
      if (error instanceof GuardError && error.code !== "timed_out")
        return { kind: "postponed", error, until: afterRefusal(error) };
      return { kind: "failed", error };
    }
  }

  /** While one call tries whether the bank is back, the moment is in the past: the others do not ask again and again meanwhile. */
  function afterRefusal({ retryAt }: GuardError): Date {
    const now = clock().getTime();
    return new Date(retryAt === null ? now + MINUTE : Math.max(retryAt.getTime(), now + PROBED_MS));
  }

  /** Its provider is not loaded by this server, has no settings now or does not come up: that is no failure of the bank's. */
  function unservedFor({ provider }: ConnectionRecord) {
    const error = new Error(`the provider ${provider} is not available: see wealth-connect providers list`);
    return { error, until: new Date(clock().getTime() + UNSERVED_MS) };
  }

  async function fetchedOf(result: FetchResult, connectionId: string, before: PendingFetch | null): Promise<Fetched> {
    if (result.snapshot) return { kind: "data", result };
    if (result.refused) return { kind: "refused", reason: result.refused };
    if (result.failed) return { kind: "failed", error: new Error(result.failed.message) };
    if (result.throttled) return { kind: "throttled", retry_after: result.throttled.retry_after };
    if (before && isPreparedTooLong(before, clock()))
      return { kind: "failed", error: new Error("the institution has prepared the same data for 24 hours") };
    const { retry_after, state } = result.pending;
    return { kind: "pending", retry_after, sealed_state: await seal(state, pendingContext(connectionId)) };
  }

  async function changedAccess(access: unknown, context: VaultContext): Promise<{ sealed_access?: string }> {
    return access === undefined ? {} : { sealed_access: await seal(access, context) };
  }

  function seal(value: unknown, context: VaultContext): Promise<string> {
    return runtime.vault.seal(JSON.stringify(value), context);
  }

  /** All that a refresh changes, in one transaction, if the lease still stands; so a refresh that was overtaken changes nothing. */
  function settle(lease: RefreshLease, actor: Actor, fetched: Fetched): Promise<RefreshOutcome> {
    const { connection_id } = lease;
    return retryWhileUnavailable(unlessStopped, () =>
      inTenant(lease, async (stores) => {
        const held = await stores.refreshes.hold(connection_id, lease.lease);
        const connection = held ? await stores.connections.find(connection_id) : null;
        const plan = connection && (await stores.refreshes.find(connection_id));
        if (!connection || !plan) return "superseded";
        const next = await applyFetch(stores, runtime, connection, plan, fetched);
        await stores.refreshes.settle(connection_id, next);
        if (!isWaiting(next.outcome))
          await stores.audit.append(
            auditEntry(runtime, actor, "connection.refresh", "connection", connection_id, {
              outcome: next.outcome,
              ...(fetched.kind === "refused" && { reason: fetched.reason }),
            }),
          );
        return next.outcome;
      }),
    );
  }

  function inTenant<T>({ tenant_id }: RefreshLease, work: (stores: TenantStores) => Promise<T>): Promise<T> {
    return storage.inTenant(tenant_id, work);
  }

  async function find(actor: TenantActor, connectionId: Uuid) {
    return storage.inTenant(actor.tenant_id, (stores) => findIn(stores, connectionId));
  }
}

/** @throws CoreError NOT_FOUND for what can be no id of ours */
function knownShape(connectionId: string): Uuid {
  const id = uuidOf(connectionId);
  if (id === null) throw unknownConnection();
  return id;
}

/** What a fetch has to know of a connection. */
interface Known {
  readonly connection: ConnectionRecord;
  /** As of when its stored transactions are. */
  readonly since: Date | null;
  readonly pending: PendingFetch | null;
}

async function knownOf({ connections, refreshes, snapshots }: TenantStores, connectionId: Uuid): Promise<Known | null> {
  const connection = await connections.find(connectionId);
  if (!connection) return null;
  const plan = await refreshes.find(connectionId);
  return {
    connection,
    since: await snapshots.statedAt(connectionId, "transaction"),
    pending: plan?.pending ?? null,
  };
}

/** Nothing has happened yet that anybody looks for in the audit trail, and it may go on like this every few seconds. */
function isWaiting(outcome: RefreshOutcome): boolean {
  return outcome === "postponed" || outcome === "pending" || outcome === "throttled";
}

async function findIn({ connections, refreshes }: TenantStores, connectionId: Uuid) {
  const connection = await connections.find(connectionId);
  if (!connection) throw unknownConnection();
  return { connection, plan: await refreshes.find(connectionId) };
}

function stateOf(plan: RefreshRecord | null, now: Date): RefreshState {
  if (plan === null) return { state: "none", next_at: null, last_attempt_at: null, last_outcome: null };
  const isUnderWay = plan.lease !== null && plan.due_at !== null && plan.due_at > now;
  return {
    state: isUnderWay ? "under_way" : plan.due_at === null ? "relogin_needed" : "planned",
    next_at: isUnderWay ? null : (plan.due_at?.toISOString() ?? null),
    last_attempt_at: plan.attempted_at?.toISOString() ?? null,
    last_outcome: plan.outcome,
  };
}

function unknownConnection(): CoreError {
  return new CoreError("NOT_FOUND", "no such connection_id");
}
