import type { KeyedRequests, RequestClaim } from "@org/core";
import { sql } from "kysely";
import { type RunningClaim, withinClaim } from "../connections/claims.js";
import type { Db, Transactions } from "../transactions.js";

/** {@link KeyedRequests}. */
export function keyedRequests({ asUpkeep }: Pick<Transactions, "asUpkeep">): KeyedRequests {
  /** As the claim is called now: a transaction whose answer was lost may have changed that. */
  const running = new WeakMap<RequestClaim, RunningClaim>();
  const asLookup = <T>(owner: string, work: (db: Db) => Promise<T>) => asUpkeep(work, "lookups", owner);
  const ofClaim = (claim: RequestClaim) => {
    const { claim_id } = running.get(claim) ?? claim;
    return sql`owner = ${claim.owner} and key = ${claim.key} and claim_id = ${claim_id}`;
  };

  return {
    claim: ({ owner, key, request_hash, claim_id }, { now, leased_until, expires_at }) =>
      asLookup(owner, async (db) => {
        const { numAffectedRows } = await sql`
          insert into keyed_requests as held (owner, key, request_hash, claim_id, leased_until, expires_at)
          values (${owner}, ${key}, ${request_hash}, ${claim_id}, ${leased_until}, ${expires_at})
          on conflict (owner, key) do update set
            request_hash = excluded.request_hash, claim_id = excluded.claim_id, leased_until = excluded.leased_until,
            expires_at = excluded.expires_at, made_by = '{}', answer = null
          where held.expires_at <= ${now} or (
            held.leased_until <= ${now} and held.made_by = '{}' and held.answer is null
              and held.request_hash = excluded.request_hash
          )`.execute(db);
        if (Number(numAffectedRows) > 0) return null;
        const held = db.selectFrom("keyed_requests").select(["request_hash", "answer", "leased_until"]);
        const found = await held.where("owner", "=", owner).where("key", "=", key).executeTakeFirstOrThrow();
        return { ...found, isAbandoned: found.leased_until <= now };
      }),

    renew: (claim, leasedUntil) =>
      asLookup(claim.owner, async (db) => {
        await sql`update keyed_requests set leased_until = ${leasedUntil} where ${ofClaim(claim)}`.execute(db);
      }),

    run(claim, work, onDoubt) {
      const own: RunningClaim = { ...claim, transactions: 0, hasChanged: false, isOver: false, onDoubt };
      running.set(claim, own);
      return { result: withinClaim(own, work), hasChanged: () => own.hasChanged };
    },

    answer: (claim, sealed) =>
      asLookup(claim.owner, async (db) => {
        await sql`update keyed_requests set answer = ${sealed} where ${ofClaim(claim)}`.execute(db);
      }),

    release: (claim) =>
      asLookup(claim.owner, async (db) => {
        await sql`delete from keyed_requests where ${ofClaim(claim)} and made_by = '{}'`.execute(db);
      }),
  };
}
