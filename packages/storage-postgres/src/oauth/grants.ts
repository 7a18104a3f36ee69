import { uuidOf } from "@org/core";
import type { EndedGrantFeed, Grant, GrantStore, GuessBucket, RotationResult } from "@org/oauth-server";
import { type RawBuilder, sql } from "kysely";
import { pageOf } from "../queries/lists.js";
import type { Db, Transactions } from "../transactions.js";
import { feedCursor, feedStart } from "./feed-cursor.js";

/** Grants and the feed of ended ones. */
export function grantQueries({
  asAuth,
  statement,
}: Pick<Transactions, "asAuth" | "statement">): GrantStore & EndedGrantFeed {
  return {
    async issueGrant({ refresh_token_hash, ...grant }, unlessLimited = []) {
      const row = {
        ...grant,
        refresh_expires_at: new Date(grant.created_at.getTime() + grant.refresh_seconds * 1000),
        last_issued_at: grant.created_at,
        token_hash: refresh_token_hash,
      };
      const [answer] = await statement<["issued" | "not_allowed" | "limited"]>({
        name: "issue_grant",
        text: "select issue_grant($1, $2, $3, $4)",
        values: [JSON.stringify(row), ...columnsOf(unlessLimited)],
        rowMode: "array",
      });
      return (answer as [never])[0];
    },
    findGrant: (grantId) =>
      asAuth(async (db) => {
        if (uuidOf(grantId) === null) return null;
        return (await selectGrants(db).where("grant_id", "=", grantId).executeTakeFirst()) ?? null;
      }),
    async rotateRefreshToken({ unless_limited = [], ...rotation }) {
      if (uuidOf(rotation.grant_id) === null) return { outcome: "refused", reason: "unknown", grant: null };
      const [answer] = await statement<
        [outcome: string, reason: string | null, response: string | null, kept: GrantJson | null]
      >({
        name: "rotate_refresh_token",
        text: "select outcome, reason, response, case when (kept).grant_id is not null then to_jsonb(kept) end from rotate_refresh_token($1, $2, $3, $4)",
        values: [JSON.stringify(rotation), ...columnsOf(unless_limited)],
        rowMode: "array",
      });
      const [outcome, reason, response, kept] = answer as NonNullable<typeof answer>;
      return {
        outcome,
        ...(reason !== null && { reason }),
        ...(response !== null && { response }),
        grant: kept && grantOf(kept),
      } as RotationResult;
    },
    endGrant: (grantId, at, tenantId) =>
      asAuth(async (db) => {
        if (uuidOf(grantId) === null) return false;
        const ofTenant = tenantId === undefined ? sql`` : sql`and g.tenant_id is not distinct from ${tenantId}::uuid`;
        return (await endGrants(db, at, sql`g.grant_id = ${grantId} ${ofTenant}`)) > 0;
      }),
    listGrants: ({ tenant_id, application_id, at, after, limit }) =>
      asAuth(async (db) => {
        let query = selectGrants(db).where("ended_at", "is", null).where("refresh_expires_at", ">", at);
        if (tenant_id !== undefined)
          query = tenant_id === null ? query.where("tenant_id", "is", null) : query.where("tenant_id", "=", tenant_id);
        if (application_id !== undefined) query = query.where("application_id", "=", application_id);
        const place = after === undefined ? null : uuidOf(after);
        return pageOf(query, { by: ["grant_id"], direction: "asc", after: place && [place], limit });
      }),
    endedGrants: (cursor, issuedAfter) =>
      asAuth(async (db) => {
        const { rows } = await sql<{ cursor: string; grant_id: string | null; last_issued_at: Date }>`
          select ${feedCursor} as cursor, g.grant_id, g.last_issued_at
          from (values (1)) always
          left join grants g on g.ended_by >= ${feedStart(cursor)} and g.last_issued_at > ${issuedAfter}
          order by g.ended_by`.execute(db);
        const ended = rows.flatMap(({ grant_id, last_issued_at }) =>
          grant_id === null ? [] : [{ grant_id, last_issued_at }],
        );
        return { ended, cursor: rows[0]?.cursor as string };
      }),
    reapGrants: ({ at, issuedBefore }, limit) =>
      asAuth(async (db) => {
        const dead = db
          .selectFrom("grants")
          .select("grant_id")
          .where("last_issued_at", "<", issuedBefore)
          .where((test) => test.or([test("ended_at", "is not", null), test("refresh_expires_at", "<=", at)]))
          .limit(limit)
          .forUpdate()
          .skipLocked();
        return Number((await db.deleteFrom("grants").where("grant_id", "in", dead).executeTakeFirst()).numDeletedRows);
      }),
  };
}

/** Ends the live grants that `which` picks; returns how many. */
export async function endGrants(db: Db, at: Date, which: RawBuilder<unknown>): Promise<number> {
  // Locked in one order, for two endings may meet at the same grants: of their application, and of their client.
  const { numAffectedRows } = await sql`
    with dying as (select g.grant_id from grants g where g.ended_at is null and (${which}) order by g.grant_id for update)
    update grants g set ended_at = ${at}, ended_by = pg_current_xact_id() from dying where g.grant_id = dying.grant_id
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}

const grantColumns = [
  "grant_id",
  "tenant_id",
  "application_id",
  "client_id",
  "secret_id",
  "flow",
  "scopes",
  "audience",
  "created_at",
  "refresh_seconds",
  "refresh_expires_at",
  "last_issued_at",
  "ended_at",
] as const satisfies readonly (keyof Grant)[];

function selectGrants(db: Db) {
  return db.selectFrom("grants").select(grantColumns);
}

/** A row of grants as JSON, where times are text. */
export type GrantJson = {
  readonly [Column in keyof Grant]: Grant[Column] extends Date
    ? string
    : Date extends Grant[Column]
      ? string | null
      : Grant[Column];
};

export function grantOf(row: GrantJson): Grant {
  return {
    grant_id: row.grant_id,
    tenant_id: row.tenant_id,
    application_id: row.application_id,
    client_id: row.client_id,
    secret_id: row.secret_id,
    flow: row.flow,
    scopes: row.scopes,
    audience: row.audience,
    created_at: new Date(row.created_at),
    refresh_seconds: row.refresh_seconds,
    refresh_expires_at: new Date(row.refresh_expires_at),
    last_issued_at: new Date(row.last_issued_at),
    ended_at: row.ended_at === null ? null : new Date(row.ended_at),
  };
}

/** Buckets as the parallel arrays that full_until() takes. */
export function columnsOf(buckets: readonly GuessBucket[]): [string[], string[], number[]] {
  return [
    buckets.map((bucket) => bucket.client_id),
    buckets.map((bucket) => bucket.address_prefix),
    buckets.map((bucket) => bucket.limit),
  ];
}
