import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestClaim, Uuid } from "@org/core";
import { type Kysely, sql } from "kysely";
import type { Database } from "../schema.js";

/** The claim of a keyed request, as its transactions see it. */
export interface RunningClaim extends Omit<RequestClaim, "claim_id"> {
  /** Another when what was on its way under the former one must not count any more. */
  claim_id: Uuid;
  /** Number of the last of its transactions. */
  transactions: number;
  hasChanged: boolean;
  isOver: boolean;
  readonly onDoubt: () => void;
}

const running = new AsyncLocalStorage<RunningClaim>();
let count = 0;

/** Runs work whose transactions are of a claim. On Node 20 what is kept here makes every promise dearer, so only while there is one. */
export async function withinClaim<T>(claim: RunningClaim, work: () => Promise<T>): Promise<T> {
  count += 1;
  try {
    return await running.run(claim, work);
  } finally {
    claim.isOver = true;
    count -= 1;
    if (count === 0) running.disable();
  }
}

/** The claim that the current work is of; what it leaves running is of nobody's. */
export function currentClaim(): RunningClaim | undefined {
  const claim = count === 0 ? undefined : running.getStore();
  return claim?.isOver ? undefined : claim;
}

/** Runs work that is of no claim. */
export function outsideClaim<T>(work: () => T): T {
  return running.exit(work);
}

/** Number of the next transaction of a claim. */
export function nextTransaction(claim: RunningClaim): number {
  claim.transactions += 1;
  return claim.transactions;
}

/**
 * Notes in a transaction whose number it is; false when it has changed nothing. Whoever has lost the claim to a retry changes nothing any
 * more: that is a collision.
 */
export async function markTransaction(
  db: Kysely<Database>,
  claim: RunningClaim,
  transaction: number,
): Promise<boolean> {
  const { owner, key, claim_id } = claim;
  const { rows } = await sql<{ has_changed: boolean }>`
    select mark_keyed_request(${owner}, ${key}, ${claim_id}, ${transaction}) as has_changed`.execute(db);
  return rows[0]?.has_changed === true;
}

/**
 * Whether a transaction of a claim was committed; null when the claim is somebody else's by now. If not, it cannot be any more: whatever of
 * it is still on its way belongs to a claim that is none.
 */
export async function wasCommitted(
  db: Kysely<Database>,
  claim: RunningClaim,
  transaction: number,
): Promise<boolean | null> {
  const { owner, key, claim_id } = claim;
  const { rows } = await sql<{ claim_id: Uuid; is_made: boolean }>`
    update keyed_requests set claim_id = case when ${transaction} = any(made_by) then claim_id else gen_random_uuid() end
    where owner = ${owner} and key = ${key} and claim_id = ${claim_id}
    returning claim_id, ${transaction} = any(made_by) as is_made`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  claim.claim_id = row.claim_id;
  return row.is_made;
}
