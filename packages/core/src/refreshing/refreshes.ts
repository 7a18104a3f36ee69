import type { AccessRefusal, FetchResult } from "@org/provider-kit";
import { auditEntry } from "../audit-entry.js";
import type { Connectors } from "../catalogue/connectors.js";
import { accessContext } from "../connections/connection-changes.js";
import type { ConnectionRecord } from "../connections/connection-store.js";
import {
  type FetchProgress,
  openProgress,
  sealProgress,
  type UnfinishedHistory,
} from "../connections/pending-fetch.js";
import {
  type Applied,
  applyFetch,
  consentRenewalOf,
  type Fetched,
  identityOf,
  isPreparationOverdue,
  notifiedHashes,
  REFRESH_LEASE_MS,
  refreshStateOf,
  userKeyIn,
} from "../connections/refresh-plan.js";
import type { PendingFetch, Postponement, RefreshLease, RefreshQueue } from "../connections/refresh-store.js";
import type { ConnectionStorage, ConnectionStores } from "../connections/storage.js";
import { differenceSteps } from "../data/publication.js";
import { valuationSteps } from "../data/valuations.js";
import { CoreError } from "../errors.js";
import { createEventLoopYielder, runInSteps, waitOf } from "../event-loop-yielder.js";
import { createPendingWork } from "../pending-work.js";
import { type Actor, systemActor, type TenantActor } from "../ports/actor.js";
import { inLimit, type LimitedActor } from "../ports/client-limit.js";
import type { Runtime, Sleep } from "../ports/runtime.js";
import type { VaultContext } from "../ports/vault.js";
import type { ProviderDirectory } from "../providers/provider-directory.js";
import { GuardError, type OpenBreaker } from "../providers/provider-guard.js";
import { retryWhileUnavailable, sleep } from "../retry.js";
import type { CredentialStatus } from "../schemas/credential-status.js";
import { parseUuid, type Uuid } from "../schemas/identifier.js";
import type { RefreshOutcome, RefreshState } from "../schemas/refresh.js";
import type { TenantAccess } from "../tenants/tenant-access.js";
import { createClaimShares } from "./claim-shares.js";
import { requestedRefresh } from "./requested-refresh.js";

/** Time limit of a refresh's fetch, including retries; well below the lease. */
const FETCH_TIMEOUT_MS = 120_000;
/** How long a caller that requests a refresh waits for its outcome. */
const ANSWER_WITHIN_MS = 20_000;
const MINUTE = 60_000;
/**
 * How long a connection is postponed when the guard refuses its call. Another server may still reach the bank, and this one claims
 * no more connections of the connector.
 */
const REFUSED_MS = 10_000;
/** How long a connection is postponed when its provider is not available. */
const NO_PROVIDER_RETRY_MS = 5 * MINUTE;

/** The answer to a requested refresh. */
export interface RefreshAnswer {
  readonly connection_id: string;
  readonly outcome: RefreshOutcome | "under_way";
  readonly status: CredentialStatus;
  readonly refresh: RefreshState;
}

/** The outcome of one refresh, for logs and metrics. */
export interface RefreshReport {
  readonly tenant_id: string;
  readonly connection_id: string;
  readonly connector_id: string | null;
  readonly outcome: RefreshOutcome;
  readonly refused: AccessRefusal | null;
  /** The connection that already has these data, if the customer has two. */
  readonly existing: string | null;
  /** When the customer's consent expires, set only in its last days, when they are asked to renew it. */
  readonly consent_ends: string | null;
  readonly milliseconds: number;
  readonly error: unknown;
}

/** Refreshes connections, when they are due and on request. */
export interface Refreshes {
  /**
   * Refreshes one connection now, at most every 15 minutes. Returns after at most 20 seconds, with `under_way` if it is still
   * running.
   * @throws CoreError NOT_FOUND, CONFLICT when its data come as files or its customer has to log in again, RATE_LIMITED
   */
  refresh(actor: TenantActor, connectionId: Uuid): Promise<RefreshAnswer>;
  /** Returns the tenant of a connection, for operators. @throws CoreError NOT_FOUND */
  tenantOf(connectionId: string): Promise<string>;
  /** @throws CoreError NOT_FOUND */
  state(actor: TenantActor, connectionId: string): Promise<RefreshState>;
  /** Leases at most `limit` due connections of tenants that are not disabled; the caller must {@link run} each. */
  claim(limit: number): Promise<readonly RefreshLease[]>;
  /** Refreshes a leased connection. Never throws. */
  run(lease: RefreshLease): Promise<RefreshOutcome>;
  /** Waits at most `graceMs` for refreshes in progress; the rest are cut off and due again immediately. */
  close(graceMs: number): Promise<void>;
}

export function createRefreshes(deps: {
  storage: ConnectionStorage;
  runtime: Runtime;
  /** Guarded: see `createProviderGuard`. */
  providers: ProviderDirectory;
  connectors: Pick<Connectors, "find">;
  access: Pick<TenantAccess, "disabled">;
  onRefresh?: (report: RefreshReport) => void;
  /** Called for connections that are postponed because servers die while refreshing them. */
  onPostponed?: (postponement: Postponement) => void;
  /** Called when an institution that was left alone at a limit may be called again: there may be something to claim. */
  onResume?: () => void;
  /** How many of this server's places one connector or one tenant may use; all by default. */
  placesOfEach?: number;
  /** Connectors that this server does not call at the moment; other servers may. */
  openBreakers?: () => readonly OpenBreaker[];
  sleep?: Sleep;
}): Refreshes {
  const { storage, runtime } = deps;
  const { clock } = runtime;
  const pause = deps.sleep ?? sleep;
  const underWay = createPendingWork(pause);
  const shares = createClaimShares({
    clock,
    providers: deps.providers,
    each: deps.placesOfEach ?? Number.MAX_SAFE_INTEGER,
    openBreakers: deps.openBreakers ?? (() => []),
    afterPause: (milliseconds) =>
      void unlessStopped(milliseconds).then(
        () => deps.onResume?.(),
        () => undefined,
      ),
  });
  /** A server that is stopping does not wait for its database: the lease expires on its own. */
  const unlessStopped: Sleep = (milliseconds) => pause(milliseconds, underWay.signal);

  return {
    async refresh(actor, connectionId) {
      const lease = await takeLease(actor, connectionId);
      const outcome = lease === null ? "under_way" : await outcomeWithin(start(lease, actor, true));
      const { connection, plan } = await find(actor, connectionId);
      return {
        connection_id: connectionId,
        outcome,
        status: connection.status,
        refresh: refreshStateOf(plan, clock()),
      };
    },
    async tenantOf(connectionId) {
      const tenantId = await storage.directory.tenantOfConnection(knownShape(connectionId.toLowerCase()));
      if (!tenantId) throw unknownConnection();
      return tenantId;
    },
    state: async (actor, connectionId) => refreshStateOf((await find(actor, knownShape(connectionId))).plan, clock()),
    async claim(limit) {
      const now = clock();
      const { leases, postponed } = await storage.refreshQueue.claim({
        lease: runtime.newId(),
        now,
        until: new Date(now.getTime() + REFRESH_LEASE_MS),
        limit,
        except_tenants: [...(await deps.access.disabled())],
        shares: shares.current(),
      });
      for (const one of postponed) deps.onPostponed?.(one);
      return leases;
    },
    async run(lease) {
      return start(lease, systemActor, false).finally(shares.begin(lease));
    },
    close: underWay.close,
  };

  function start(lease: RefreshLease, actor: Actor, awaited: boolean): Promise<RefreshOutcome> {
    return underWay.add(perform(lease, actor, awaited));
  }

  async function outcomeWithin(run: Promise<RefreshOutcome>): Promise<RefreshOutcome | "under_way"> {
    const over = new AbortController();
    const late = pause(ANSWER_WITHIN_MS, over.signal).then(
      () => "under_way" as const,
      () => "under_way" as const,
    );
    return Promise.race([run, late]).finally(() => over.abort());
  }

  /** Returns null if it is already being refreshed. */
  async function takeLease(actor: TenantActor, connectionId: Uuid): Promise<RefreshLease | null> {
    const now = clock();
    const lease = runtime.newId();
    return storage.inTenant(actor.tenant_id, async (stores) => {
      const { connection, plan } = await findIn(stores, actor, connectionId);
      if (requestedRefresh(plan, now) === "under_way") return null;
      const until = new Date(now.getTime() + REFRESH_LEASE_MS);
      const taken = await stores.refreshes.take(connectionId, { lease, now, until });
      const { connector_id } = connection;
      return taken ? { tenant_id: actor.tenant_id, connection_id: connectionId, connector_id, lease } : null;
    });
  }

  async function perform(lease: RefreshLease, actor: Actor, awaited: boolean): Promise<RefreshOutcome> {
    const started = clock().getTime();
    let connection: ConnectionRecord | null = null;
    let fetched: Fetched | null = null;
    let applied: Pick<Applied, "outcome" | "existing"> = { outcome: "failed" };
    let error: unknown;
    try {
      const known = await retryWhileUnavailable(unlessStopped, () => storage.refreshQueue.known(lease));
      if (known === null) applied = { outcome: "superseded" };
      else {
        connection = known.connection;
        fetched = await fetchFor(lease, known, awaited);
        applied = await settle(lease, actor, fetched);
      }
    } catch (cause) {
      // This includes data that the database refuses. If the database is unavailable, the lease expires on its own.
      error = cause;
      const restart = fetched?.restart ?? null;
      await settle(lease, actor, { kind: "failed", error: cause, restart }).catch(() => undefined);
    }
    deps.onRefresh?.({
      tenant_id: lease.tenant_id,
      connection_id: lease.connection_id,
      connector_id: connection?.connector_id ?? null,
      outcome: applied.outcome,
      existing: applied.existing ?? null,
      refused: fetched?.kind === "refused" ? fetched.reason : null,
      consent_ends: connection && (consentRenewalOf(connection.status, clock())?.expires_at ?? null),
      milliseconds: clock().getTime() - started,
      error: error ?? (fetched && "error" in fetched ? fetched.error : null),
    });
    return applied.outcome;
  }

  /** Fetches from the bank, and turns every outcome into a value. */
  async function fetchFor(lease: RefreshLease, known: Known, awaited: boolean): Promise<Fetched> {
    const { tenant_id: tenantId } = lease;
    const { connection, plan, latest } = known;
    const { connection_id, connector_id } = connection;
    let restart: PendingFetch | null = null;
    try {
      const before = await openProgress(runtime.vault, connection_id, plan.pending);
      if (before.history) restart = await keep({ ...before, state: null });
      const row = await deps.connectors.find(connector_id);
      const provider_ref = row?.provider_ref ?? null;
      const provider = deps.providers.for({ ...row, provider: connection.provider, provider_ref }, tenantId);
      if (!provider) return { kind: "postponed", ...unservedFor(connection) };
      const history = before.history ?? { since: latest.transaction?.as_of ?? null };
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
        awaited,
        since: history.since,
        pending_state: before.state,
        saveAccess: async (renewed) => saveAccess(lease, await seal(renewed, context)),
        signal,
      });
      const fetched = await fetchedOf(result, tenantId, known, before, history);
      return { ...fetched, restart, ...(await changedAccess(result.access, context)) };
    } catch (error) {
      if (underWay.signal.aborted) return { kind: "cut_off", error };
      if (error instanceof GuardError && error.code !== "timed_out")
        return { kind: "postponed", error, until: new Date(clock().getTime() + REFUSED_MS) };
      return { kind: "failed", error, restart };
    }

    async function keep(progress: FetchProgress): Promise<PendingFetch> {
      return { sealed_state: await sealProgress(runtime.vault, connection_id, progress), since: clock() };
    }
  }

  /** The provider is not loaded by this server, has no settings or did not start: that is not a failure of the bank. */
  function unservedFor({ provider }: ConnectionRecord) {
    const error = new Error(`the provider ${provider} is not available: see wealth-connect providers list`);
    return { error, until: new Date(clock().getTime() + NO_PROVIDER_RETRY_MS) };
  }

  /**
   * @param before what this fetch went on from
   * @param history the one that it reads, or would read if it goes on
   */
  async function fetchedOf(
    result: FetchResult,
    tenantId: string,
    { connection: { connection_id, connector_id, provider }, latest, plan: { pending } }: Known,
    before: FetchProgress,
    history: UnfinishedHistory,
  ): Promise<Fetched> {
    const keep = (progress: FetchProgress) => sealProgress(runtime.vault, connection_id, progress);
    const userKey = userKeyIn(result);
    if (result.snapshot) {
      const stated = userKey !== undefined && {
        identity: identityOf(runtime.mac, tenantId, connector_id, userKey),
        user_hash: notifiedHashes(runtime.mac, provider, { user_keys: [userKey] }).user_hashes[0] ?? null,
      };
      const pace = createEventLoopYielder(waitOf(runtime.loop, tenantId));
      const difference = await runInSteps(differenceSteps(connection_id, result.snapshot, clock(), latest), pace);
      const valuations = await runInSteps(valuationSteps(connection_id, result.snapshot, provider, clock()), pace);
      const more = result.more
        ? {
            retry_after: result.more.retry_after,
            sealed_state: await keep({ state: result.more.state, history }),
          }
        : null;
      const continues = before.history !== null;
      return { kind: "data", result, difference, valuations, stated: stated || null, continues, more };
    }
    if (result.refused) return { kind: "refused", reason: result.refused };
    if (result.failed) return { kind: "failed", error: new Error(result.failed.message) };
    if (result.throttled) {
      const { retry_after, shared } = result.throttled;
      if (shared) shares.pause({ connector_id, provider, tenant_id: tenantId }, retry_after);
      return { kind: "throttled", throttled: result.throttled };
    }
    if (pending && isPreparationOverdue(pending, clock()))
      return { kind: "failed", error: new Error("the institution has prepared the same data for 24 hours") };
    const { retry_after, state } = result.pending;
    return { kind: "pending", retry_after, sealed_state: await keep({ state, history: before.history }) };
  }

  async function changedAccess(access: unknown, context: VaultContext): Promise<{ sealed_access?: string }> {
    return access === undefined ? {} : { sealed_access: await seal(access, context) };
  }

  function seal(value: unknown, context: VaultContext): Promise<string> {
    return runtime.vault.seal(JSON.stringify(value), context);
  }

  /** Writes all changes of a refresh in one transaction, if the lease is still valid; a superseded refresh changes nothing. */
  function settle(lease: RefreshLease, actor: Actor, fetched: Fetched): Promise<Pick<Applied, "outcome" | "existing">> {
    const { connection_id } = lease;
    return retryWhileUnavailable(unlessStopped, () =>
      inTenant(lease, async (stores) => {
        const held = await stores.refreshes.hold(connection_id, lease.lease);
        if (held === null) return { outcome: "superseded" };
        const { existing, ...next } = await applyFetch(stores, runtime, held.connection, held.plan, fetched);
        await stores.refreshes.settle(connection_id, next);
        // A history that is read in hundreds of parts is one entry, with its last.
        const isMiddle = fetched.kind === "data" && fetched.continues && fetched.more !== null;
        if (!isWaiting(next.outcome) && !isMiddle)
          await stores.audit.append(
            auditEntry(runtime, actor, "connection.refresh", "connection", connection_id, {
              outcome: next.outcome,
              ...(fetched.kind === "refused" && { reason: fetched.reason }),
              ...(existing !== undefined && { existing }),
            }),
          );
        return { outcome: next.outcome, ...(existing !== undefined && { existing }) };
      }),
    );
  }

  /** Stores a new access in the middle of a refresh, if the lease is still valid. */
  function saveAccess(lease: RefreshLease, sealed_access: string): Promise<void> {
    return retryWhileUnavailable(unlessStopped, () =>
      inTenant(lease, async ({ connections, refreshes }) => {
        const held = await refreshes.hold(lease.connection_id, lease.lease);
        if (held === null) throw new Error("the connection has another access meanwhile");
        await connections.save(lease.connection_id, { status: held.connection.status, sealed_access });
      }),
    );
  }

  function inTenant<T>({ tenant_id }: RefreshLease, work: (stores: ConnectionStores) => Promise<T>): Promise<T> {
    return storage.inTenant(tenant_id, work);
  }

  async function find(actor: TenantActor, connectionId: Uuid) {
    return storage.inTenant(actor.tenant_id, (stores) => findIn(stores, actor, connectionId));
  }
}

/** @throws CoreError NOT_FOUND for what cannot be one of our ids */
function knownShape(connectionId: string): Uuid {
  const id = parseUuid(connectionId);
  if (id === null) throw unknownConnection();
  return id;
}

/** What a fetch needs to know about a connection. */
type Known = NonNullable<Awaited<ReturnType<RefreshQueue["known"]>>>;

/** Such outcomes are not in the audit trail: nothing has happened yet, and they may repeat every few seconds. */
function isWaiting(outcome: RefreshOutcome): boolean {
  return outcome === "postponed" || outcome === "pending" || outcome === "throttled";
}

async function findIn({ connections, refreshes }: ConnectionStores, actor: LimitedActor, connectionId: Uuid) {
  const connection = inLimit(actor, await connections.find(connectionId));
  if (!connection) throw unknownConnection();
  return { connection, plan: await refreshes.find(connectionId) };
}

function unknownConnection(): CoreError {
  return new CoreError("NOT_FOUND", "no such connection_id");
}
