import type { OrphanedObject, Upkeep, Uuid } from "@org/core";
import { type RawBuilder, sql } from "kysely";
import type { Db, Transactions } from "../transactions.js";

/** Serialises the clean-ups of all replicas: two in parallel would do the same work and wait for each other's rows. */
const LOCK = 7_304_551_904;

/** Rows of one tenant's counts that are left unmerged. */
const COUNT_PARTS = 100;

/** {@link Upkeep}, through functions of the database, because the role that calls them cannot read the tables that they delete from. */
export function upkeep({ asUpkeep }: Transactions): Upkeep {
  const alone = <T>(work: (db: Db) => Promise<T>) =>
    asUpkeep(async (db) => {
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db);
      return work(db);
    });

  return {
    expireSessions: (now, limit) => alone((db) => count(db, sql`expire_sessions(${now}, ${limit})`)),

    silentLetters: (since, limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ tenant_id: string; letter_id: Uuid }>`
          select tenant_id, letter_id from silent_letters(${since}, ${limit})`.execute(db);
        return rows;
      }),

    cutOffLogins: (now, limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ tenant_id: string; session_id: Uuid }>`
          select tenant_id, session_id from cut_off_logins(${now}, ${limit})`.execute(db);
        return rows;
      }),

    unpolledChallenges: (before, now, limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ tenant_id: string; session_id: Uuid }>`
          select tenant_id, session_id from unpolled_challenges(${before}, ${now}, ${limit})`.execute(db);
        return rows;
      }),

    savedAccesses: (now, idleSince, limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ tenant_id: string; session_id: Uuid }>`
          select tenant_id, session_id from saved_accesses(${now}, ${idleSince}, ${limit})`.execute(db);
        return rows;
      }),

    orphanedObjects: (now, limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<OrphanedObject>`
          select tenant_id, object_key from orphaned_objects_due(${now}, ${limit})`.execute(db);
        return rows;
      }),

    forgetObjects: (objects) =>
      asUpkeep(async (db) => {
        const tenants = objects.map(({ tenant_id }) => tenant_id);
        const keys = objects.map(({ object_key }) => object_key);
        await sql`select forget_objects(${tenants}::uuid[], ${keys}::text[])`.execute(db);
      }),

    keepMonths: (today, limit) => alone((db) => count(db, sql`keep_months(${today}, ${limit})`)),

    reap: ({ now, ...before }, limit) =>
      alone(async (db) => ({
        idempotency_keys: await count(db, sql`reap_idempotency_keys(${now}, ${limit})`),
        keyed_requests: await reapKeyedRequests(db, now, limit),
        sessions: await count(db, sql`reap_sessions(${before.finished_sessions_before}, ${limit})`),
        mails: await count(db, sql`reap_mails(${before.settled_mails_before}, ${limit})`),
        ...(await reapSnapshots(db, before.replaced_snapshots_before, limit)),
        valuations: await count(
          db,
          sql`reap_valuations(${before.valuations_before}, ${JSON.stringify(before.tenant_valuations_before ?? {})}, ${limit})`,
        ),
        replaced_valuations: await count(db, sql`reap_replaced_valuations(${before.former_versions_before}, ${limit})`),
        transactions: await count(db, sql`reap_replaced_transactions(${before.former_versions_before}, ${limit})`),
        letter_counts: await count(db, sql`join_letter_counts(${COUNT_PARTS}, ${limit})`),
      })),
  };
}

/** The condition is repeated outside: a key may have been claimed again since. */
async function reapKeyedRequests(db: Db, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from keyed_requests k using (
      select owner, key from keyed_requests where expires_at < ${now} limit ${limit}
    ) old
    where k.owner = old.owner and k.key = old.key and k.expires_at < ${now}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

async function reapSnapshots(db: Db, before: Date, limit: number) {
  const { rows } = await sql<Record<"portfolios" | "holdings" | "snapshots", string>>`
    select portfolios, holdings, snapshots from reap_snapshots(${before}, ${limit})`.execute(db);
  const [gone] = rows;
  return {
    portfolios: Number(gone?.portfolios ?? 0),
    holdings: Number(gone?.holdings ?? 0),
    snapshots: Number(gone?.snapshots ?? 0),
  };
}

/** The number that a clean-up function returns. */
async function count(db: Db, call: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ rows: string }>`select ${call} as rows`.execute(db);
  return Number(rows[0]?.rows ?? 0);
}
