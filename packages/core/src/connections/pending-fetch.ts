import type { Runtime } from "../ports/runtime.js";
import type { VaultContext } from "../ports/vault.js";
import type { PendingFetch } from "./refresh-store.js";

/** A history that is read in several fetches (`more`): since when, as the first of them was asked; null = from its beginning. */
export interface UnfinishedHistory {
  readonly since: Date | null;
}

/** What the next fetch goes on from. */
export interface FetchProgress {
  /** The provider's own `state`; null = the next fetch begins anew. */
  readonly state: unknown;
  readonly history: UnfinishedHistory | null;
}

type Vault = Runtime["vault"];

/** Seals what the next fetch goes on from, bound to the connection. */
export function sealProgress(vault: Vault, connectionId: string, { state, history }: FetchProgress): Promise<string> {
  const kept = { state, history: history && { since: history.since?.toISOString() ?? null } };
  return vault.seal(JSON.stringify(kept), contextOf(connectionId));
}

/** Opens it again; without one the next fetch begins anew. */
export async function openProgress(
  vault: Vault,
  connectionId: string,
  pending: PendingFetch | null,
): Promise<FetchProgress> {
  if (pending === null) return { state: null, history: null };
  const { state, history } = JSON.parse(await vault.open(pending.sealed_state, contextOf(connectionId))) as {
    state: unknown;
    history: { since: string | null } | null;
  };
  return { state, history: history && { since: history.since === null ? null : new Date(history.since) } };
}

function contextOf(connectionId: string): VaultContext {
  return { purpose: "pending-fetch", row: connectionId };
}
