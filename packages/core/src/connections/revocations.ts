import type { BankProvider } from "@org/provider-kit";
import type { Connectors } from "../catalogue/connectors.js";
import { createPendingWork } from "../pending-work.js";
import type { Runtime, Sleep } from "../ports/runtime.js";
import { createBankPlaces, type PlaceLimits } from "../providers/bank-places.js";
import type { ProviderDirectory } from "../providers/provider-directory.js";
import { sleep } from "../retry.js";
import { accessContext } from "./connection-changes.js";
import type { ConnectionRecord } from "./connection-store.js";
import type { ConnectionStorage } from "./storage.js";

/** Waits before each attempt, in milliseconds. After three minutes of failures the access is left to expire at the institution. */
const WAITS = [0, 5_000, 30_000, 120_000];
const TIMEOUT_MS = 30_000;
/** Maximum number of accesses waiting in memory: those of the largest tenant that is deleted in one go. */
export const MAX_REVOCATIONS = 20_000;
/**
 * Concurrent calls overall, and at one connector; a single tenant gets half of each. A call waiting for its retry holds no place,
 * so that a slow institution does not delay others.
 */
const PLACES: PlaceLimits = { overall: 16, each: 8, waiting: MAX_REVOCATIONS, waitingEach: MAX_REVOCATIONS };

/**
 * The outcome of revoking an access. `kept`: a connection that stays has the same one; `cut_off`: the server stopped; `dropped`: too
 * many were waiting.
 */
export interface RevocationReport {
  readonly tenant_id: string;
  readonly connection_id: string;
  readonly connector_id: string;
  readonly outcome: "revoked" | "kept" | "failed" | "cut_off" | "dropped";
  readonly error: unknown;
}

/** The part of a connection that is needed to revoke its access. */
export type RevocableConnection = Pick<
  ConnectionRecord,
  "connection_id" | "connector_id" | "provider" | "sealed_access"
>;

/**
 * Revokes accesses that no connection has any more at their institutions: those of removed connections, and of logins that became
 * none. Nothing about it is stored here, because there is no connection.
 */
export interface Revocations {
  /**
   * Looks up who can revoke them, while the tenant's settings still exist. Call the returned function once the connections are
   * deleted; it neither waits nor throws.
   * @param staying reads the connections whose accesses must outlive this, since they may be of the same customer; before each attempt
   */
  of(tenantId: string, connections: readonly RevocableConnection[], staying?: Staying): () => void;
  /**
   * Tries once to revoke accesses of connections that were never made. Returns whether all are revoked; whoever keeps them tries again
   * otherwise.
   */
  once(tenantId: string, connections: readonly RevocableConnection[]): Promise<boolean>;
  /** Waits at most `graceMs` for revocations in progress; the rest are cut off. */
  close(graceMs: number): Promise<void>;
}

/** Reads the connections whose access the institution refers to as to one that was removed. @param reference of its plan */
export function sharing(
  storage: Pick<ConnectionStorage, "inTenant">,
  tenantId: string,
  reference: string | null,
): Staying {
  return async () =>
    reference === null ? [] : storage.inTenant(tenantId, ({ connections }) => connections.findReferenced(reference));
}

type Staying = () => Promise<readonly Pick<RevocableConnection, "connection_id" | "sealed_access">[]>;

/** An access and the provider call that revokes it. */
interface Waiting {
  readonly tenant_id: string;
  readonly connection: RevocableConnection;
  readonly sealed_access: string;
  readonly staying: Staying;
  readonly revoke: NonNullable<BankProvider["revoke"]>;
}

export function createRevocations(deps: {
  runtime: Pick<Runtime, "vault">;
  /** Guarded: see `createProviderGuard`. */
  providers: Pick<ProviderDirectory, "for">;
  connectors: Pick<Connectors, "find">;
  onRevocation?: (report: RevocationReport) => void;
  sleep?: Sleep;
}): Revocations {
  const pause = deps.sleep ?? sleep;
  const underWay = createPendingWork(pause);
  const places = createBankPlaces(PLACES);
  let waiting = 0;

  return {
    of(tenantId, connections, staying = async () => []) {
      const found = connections.flatMap((connection): Waiting[] => {
        const { sealed_access } = connection;
        const provider = deps.providers.for({ provider: connection.provider }, tenantId);
        if (sealed_access === null || !provider?.revoke) return [];
        return [{ tenant_id: tenantId, connection, sealed_access, staying, revoke: provider.revoke.bind(provider) }];
      });
      return () => {
        for (const one of found)
          if (waiting < MAX_REVOCATIONS) void underWay.add(returnAccess(one));
          else report(one, "dropped", new Error("too many accesses wait to be revoked"));
      };
    },
    async once(tenantId, connections) {
      const ends = connections.map(async (connection) => {
        const provider = deps.providers.for({ provider: connection.provider }, tenantId);
        if (connection.sealed_access === null || !provider) return false;
        if (!provider.revoke) return true;
        const { sealed_access } = connection;
        const staying = async () => [];
        const one = { tenant_id: tenantId, connection, sealed_access, staying, revoke: provider.revoke.bind(provider) };
        const [outcome, error] = await underWay.add(attempts(one, [0]));
        report(one, outcome, error);
        return outcome === "revoked";
      });
      return (await Promise.all(ends)).every(Boolean);
    },
    close: underWay.close,
  };

  async function returnAccess(one: Waiting): Promise<void> {
    waiting += 1;
    const [outcome, error] = await attempts(one);
    waiting -= 1;
    report(one, outcome, error);
  }

  async function attempts(
    one: Waiting,
    waits: readonly number[] = WAITS,
  ): Promise<[RevocationReport["outcome"], unknown]> {
    let last: unknown = null;
    // Use a signal of its own: Node warns of a leak when hundreds wait on the same one.
    const signal = AbortSignal.any([underWay.signal]);
    for (const wait of waits)
      try {
        if (wait > 0) await pause(wait, signal);
        signal.throwIfAborted();
        const leave = await places.take(one.connection.connector_id, one.tenant_id, signal);
        return [await attempt(one).finally(leave), null];
      } catch (error) {
        last = error;
        if (underWay.signal.aborted) return ["cut_off", error];
      }
    return ["failed", last];
  }

  async function attempt({
    tenant_id,
    connection,
    sealed_access,
    staying,
    revoke,
  }: Waiting): Promise<"revoked" | "kept"> {
    const { connection_id, connector_id } = connection;
    const access = await open(connection_id, sealed_access);
    const kept = await Promise.all(
      (await staying()).flatMap((one) =>
        one.sealed_access === null ? [] : [open(one.connection_id, one.sealed_access)],
      ),
    );
    if (kept.includes(access)) return "kept";
    const row = await deps.connectors.find(connector_id);
    const signal = AbortSignal.any([underWay.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    await revoke({
      connector_id,
      provider_ref: row?.provider_ref ?? null,
      for_tenant: tenant_id,
      access: JSON.parse(access),
      kept_accesses: kept.map((one): unknown => JSON.parse(one)),
      signal,
    });
    return "revoked";
  }

  function open(connectionId: string, sealedAccess: string): Promise<string> {
    return deps.runtime.vault.open(sealedAccess, accessContext(connectionId));
  }

  function report({ tenant_id, connection }: Waiting, outcome: RevocationReport["outcome"], error: unknown): void {
    const { connection_id, connector_id } = connection;
    deps.onRevocation?.({ tenant_id, connection_id, connector_id, outcome, error });
  }
}
