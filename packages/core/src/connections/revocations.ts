import type { BankProvider } from "@org/provider-kit";
import type { Connectors } from "../catalogue/connectors.js";
import { createPendingWork } from "../pending-work.js";
import type { Runtime, Sleep } from "../ports/runtime.js";
import { createBankPlaces, type PlaceLimits } from "../providers/bank-places.js";
import type { ProviderDirectory } from "../providers/provider-directory.js";
import { sleep } from "../retry.js";
import { accessContext } from "./connection-changes.js";
import type { ConnectionRecord } from "./connection-store.js";

/** Before each attempt, in milliseconds. What fails for three minutes is left to the institution, where the access runs out. */
const WAITS = [0, 5_000, 30_000, 120_000];
const TIMEOUT_MS = 30_000;
/** Accesses that wait in memory: those of the largest tenant that is deleted at once. */
export const MAX_REVOCATIONS = 20_000;
/**
 * Calls at once, and those of them at one connector; of both a tenant alone has half. Who waits for the next try has none: a slow
 * institution keeps nobody else waiting.
 */
const PLACES: PlaceLimits = { overall: 16, each: 8, waiting: MAX_REVOCATIONS, waitingEach: MAX_REVOCATIONS };

/** What became of the access of a removed connection. `cut_off`: the server stopped; `dropped`: too many waited. */
export interface RevocationReport {
  readonly tenant_id: string;
  readonly connection_id: string;
  readonly connector_id: string;
  readonly outcome: "revoked" | "failed" | "cut_off" | "dropped";
  readonly error: unknown;
}

/** What of a connection is needed to give its access back. */
export type RevocableConnection = Pick<
  ConnectionRecord,
  "connection_id" | "connector_id" | "provider" | "sealed_access"
>;

/** Gives accesses of removed connections back to their institutions. Nothing is stored for it: the connection is gone. */
export interface Revocations {
  /**
   * Finds who can revoke them, while the tenant's settings are still there. What it returns begins once the connections are gone; it
   * neither waits nor throws.
   */
  of(tenantId: string, connections: readonly RevocableConnection[]): () => void;
  /** Waits for what is under way, `graceMs` at most; the rest is cut off. */
  close(graceMs: number): Promise<void>;
}

/** An access and who takes it back. */
interface Waiting {
  readonly tenant_id: string;
  readonly connection: RevocableConnection;
  readonly sealed_access: string;
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
    of(tenantId, connections) {
      const found = connections.flatMap((connection): Waiting[] => {
        const { sealed_access } = connection;
        const provider = deps.providers.for({ provider: connection.provider }, tenantId);
        if (sealed_access === null || !provider?.revoke) return [];
        return [{ tenant_id: tenantId, connection, sealed_access, revoke: provider.revoke.bind(provider) }];
      });
      return () => {
        for (const one of found)
          if (waiting < MAX_REVOCATIONS) void underWay.add(returnAccess(one));
          else report(one, "dropped", new Error("too many accesses wait to be revoked"));
      };
    },
    close: underWay.close,
  };

  async function returnAccess(one: Waiting): Promise<void> {
    waiting += 1;
    const [outcome, error] = await attempts(one);
    waiting -= 1;
    report(one, outcome, error);
  }

  async function attempts(one: Waiting): Promise<[RevocationReport["outcome"], unknown]> {
    let last: unknown = null;
    // One of its own: of hundreds that wait on the same signal Node would warn as of a leak.
    const signal = AbortSignal.any([underWay.signal]);
    for (const wait of WAITS)
      try {
        if (wait > 0) await pause(wait, signal);
        signal.throwIfAborted();
        const leave = await places.take(one.connection.connector_id, one.tenant_id, signal);
        await attempt(one).finally(leave);
        return ["revoked", null];
      } catch (error) {
        last = error;
        if (underWay.signal.aborted) return ["cut_off", error];
      }
    return ["failed", last];
  }

  async function attempt({ tenant_id, connection, sealed_access, revoke }: Waiting): Promise<void> {
    const { connection_id, connector_id } = connection;
    const access: unknown = JSON.parse(await deps.runtime.vault.open(sealed_access, accessContext(connection_id)));
    const row = await deps.connectors.find(connector_id);
    const signal = AbortSignal.any([underWay.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    await revoke({ connector_id, provider_ref: row?.provider_ref ?? null, for_tenant: tenant_id, access, signal });
  }

  function report({ tenant_id, connection }: Waiting, outcome: RevocationReport["outcome"], error: unknown): void {
    const { connection_id, connector_id } = connection;
    deps.onRevocation?.({ tenant_id, connection_id, connector_id, outcome, error });
  }
}
