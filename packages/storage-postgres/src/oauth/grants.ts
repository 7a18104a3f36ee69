import { setTimeout as sleep } from "node:timers/promises";
import type {
  EndedGrantFeed,
  Grant,
  GrantStore,
  HeldGrants,
  LimitedApplication,
  Rotation,
  RotationResult,
} from "@org/oauth-server";
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { directionOf, keysetPage } from "../queries/lists.js";
import { StorageError } from "../storage-error.js";
import type { Db, Transactions } from "../transactions.js";
import { type Ended, feedCursor, feedStart, nextCursor } from "./feed-cursor.js";
import type { GrantEndings } from "./grant-endings.js";
import { plainGrants } from "./plain-grants.js";
import { type GrantJson, grantOf } from "./stored-grant.js";

/** Grants and the feed of ended ones. */
export function grantQueries(
  { asAuth, statement }: Pick<Transactions, "asAuth" | "statement">,
  endings: GrantEndings,
): GrantStore & EndedGrantFeed {
  const plain = plainGrants({ statement });

  /**
   * The connection broke while a token was being exchanged: the exchange may have been committed and only its answer lost. A client that then
   * repeats its token would be treated as a thief. So once the database is back, this checks whether the new token is stored. Once this holds
   * the grant's lock, the lost statement has ended, one way or the other.
   */
  async function resolveInDoubt(rotation: Rotation, doubt: StorageError): Promise<RotationResult> {
    for (const wait of IN_DOUBT_WAITS) {
      await sleep(wait);
      try {
        return await asAuth(async (db) => {
          const grant = await selectGrants(db)
            .select("token_hash")
            .where("grant_id", "=", rotation.grant_id)
            .forUpdate()
            .executeTakeFirst();
          if (grant && grant.token_hash === rotation.next_token_hash && grant.ended_at === null) {
            const { token_hash: _, ...kept } = grant;
            return { outcome: "rotated", grant: kept };
          }
          const { rows } = await sql<RotationColumns>`
            select outcome, reason, response, case when (kept).grant_id is not null then to_jsonb(kept) end as kept
            from rotate_refresh_token(${JSON.stringify(rotation)}::jsonb)`.execute(db);
          const { outcome, reason, response, kept } = rows[0] as RotationColumns;
          return rotationOf([outcome, reason, response, kept]);
        });
      } catch (error) {
        if (!(error instanceof StorageError) || error.code !== "unavailable") throw error;
      }
    }
    throw doubt;
  }

  return {
    async issueGrant({ refresh_token_hash, ...grant }, atMost) {
      const row = {
        refresh_expires_at: new Date(grant.created_at.getTime() + grant.refresh_seconds * 1000),
        last_issued_at: grant.created_at,
        token_hash: refresh_token_hash,
        ...grant,
      };
      const isCounted = atMost !== undefined && grant.tenant_id !== null;
      if (!isCounted && (await plain.issue(row)) === "issued") return "issued";
      const values = [JSON.stringify(row)];
      const [answer] = await statement<["issued" | "not_allowed" | "full"]>({
        ...(!isCounted
          ? { name: "issue_grant", text: "select issue_grant($1)", values }
          : {
              name: "issue_grant_within",
              text: "select case when grants_used($2, $3) < $4 then issue_grant($1) else 'full' end",
              values: [...values, grant.tenant_id, grant.created_at, atMost],
            }),
        rowMode: "array",
      });
      return (answer as [never])[0];
    },
    async issueAssertedGrant({ assertion, ...grant }, atMost) {
      const row = {
        ...grant,
        flow: "asserted",
        refresh_expires_at: new Date(grant.created_at.getTime() + grant.refresh_seconds * 1000),
        last_issued_at: grant.created_at,
        // No token has this hash, because such a grant has no refresh token.
        token_hash: "",
      };
      const values = [JSON.stringify(row), JSON.stringify(assertion)];
      const issue = "issue_asserted_grant($1, $2)";
      const [answer] = await statement<["issued" | "not_allowed" | "replayed" | "full"]>({
        ...(atMost === undefined
          ? { name: "issue_asserted_grant", text: `select ${issue}`, values }
          : {
              name: "issue_asserted_grant_within",
              text: `select case when grants_used($3, $4) < $5 then ${issue} else 'full' end`,
              values: [...values, grant.tenant_id, grant.created_at, atMost],
            }),
        rowMode: "array",
      });
      return (answer as [never])[0];
    },
    countLive: (tenantId, at) =>
      asAuth(async (db) => {
        const live = db
          .selectFrom("grants")
          .select(({ fn }) => fn.countAll<string>().as("live"))
          .where("tenant_id", "=", tenantId)
          .where("ended_at", "is", null)
          .where("refresh_expires_at", ">", at);
        return Number((await live.executeTakeFirstOrThrow()).live);
      }),
    async clientRefsOf(grantId) {
      const read = { name: "clients_of_grant", text: "select clients_of_grant($1)", values: [grantId] };
      const [row] = await statement<[string[] | null]>({ ...read, rowMode: "array" }, { isRepeatable: true });
      return row === undefined ? [] : row[0];
    },
    findGrant: (grantId) =>
      asAuth(async (db) => (await selectGrants(db).where("grant_id", "=", grantId).executeTakeFirst()) ?? null),
    async rotateRefreshToken(rotation) {
      try {
        const kept = await plain.rotate(rotation);
        if (kept) return { outcome: "rotated", grant: grantOf(kept) };
        const [answer] = await statement<RotationRow>({
          name: "rotate_refresh_token",
          text: ROTATE,
          values: [JSON.stringify(rotation)],
          rowMode: "array",
        });
        const rotated = rotationOf(answer as RotationRow);
        // A token that comes a second time ends its grant.
        if (rotated.outcome !== "rotated") endings.tell();
        return rotated;
      } catch (error) {
        if (!(error instanceof StorageError) || error.outcome !== "unknown") throw error;
        return resolveInDoubt(rotation, error);
      }
    },
    endGrant: (grantId, at, tenantId) =>
      asAuth(async (db) => {
        const ofTenant = tenantId === undefined ? sql`` : sql`and g.tenant_id is not distinct from ${tenantId}::uuid`;
        return (await endGrants(db, at, sql`g.grant_id = ${grantId} ${ofTenant}`)) > 0;
      }),
    endGrantsOfClient: ({ tenant_id, application_id, client_id, flow, person_id }, at) =>
      asAuth((db) => {
        const ofApplication = application_id === undefined ? sql`` : sql`and g.application_id = ${application_id}`;
        const ofFlow = flow === undefined ? sql`` : sql`and g.flow = ${flow}`;
        const ofPerson = person_id === undefined ? sql`` : sql`and g.person_id is not distinct from ${person_id}::uuid`;
        return endGrants(
          db,
          at,
          sql`g.client_id = ${client_id} and g.tenant_id is not distinct from ${tenant_id}::uuid
              and g.refresh_expires_at > ${at} ${ofApplication} ${ofFlow} ${ofPerson}`,
        );
      }),
    listHolders: ({ tenant_id, application_id, person_id, at, after, limit }) =>
      asAuth(async (db) => {
        // `tenant_id is not distinct from` would not use the index.
        const owner = tenant_id === null ? sql`tenant_id is null` : sql`tenant_id = ${tenant_id}`;
        const ofApplication = application_id === undefined ? sql`` : sql`and application_id = ${application_id}`;
        const ofPerson = person_id === undefined ? sql`` : sql`and person_id = ${person_id}`;
        // Without a cursor, start before all rows.
        const beyond =
          after === undefined
            ? sql``
            : sql`where (application_id, client_id collate "C", flow, coalesce(person_id, ${NOBODY}))
                > (${after.application_id}, ${after.client_id}, ${after.flow}, ${after.person_id ?? NOBODY})`;
        const { rows } = await sql<HeldGrants>`
          with live as materialized (
            select * from grants where ended_at is null and refresh_expires_at > ${at} and ${owner} ${ofApplication} ${ofPerson}
          ), holders as (
            select application_id, client_id, flow, person_id, count(*)::int as grants, min(created_at) as created_at,
              max(last_issued_at) as last_issued_at, max(refresh_expires_at) as refresh_expires_at, bool_and(is_limited) as is_limited
            from live ${beyond}
            group by application_id, client_id, flow, person_id
            order by application_id, client_id collate "C", flow, coalesce(person_id, ${NOBODY})
            limit ${limit}
          )
          select h.application_id, h.client_id, h.flow, h.person_id, h.grants,
            array(select distinct s collate "C" from live l, unnest(l.scopes) s
                  where (l.application_id, l.client_id, l.flow) = (h.application_id, h.client_id, h.flow)
                    and l.person_id is not distinct from h.person_id order by 1) as scopes,
            case when h.is_limited then array(
              select distinct c.client_ref from live l join client_limits c on c.tenant_id = l.tenant_id and c.holder_id = l.grant_id
              where (l.application_id, l.client_id, l.flow) = (h.application_id, h.client_id, h.flow)
                and l.person_id is not distinct from h.person_id order by 1
            ) end as client_refs,
            h.created_at, h.last_issued_at, h.refresh_expires_at
          from holders h order by h.application_id, h.client_id collate "C", h.flow, coalesce(h.person_id, ${NOBODY})`.execute(
          db,
        );
        return rows;
      }),
    listGrants: ({ tenant_id, application_id, person_id, client_id, order = "oldest", at, after, limit }) =>
      asAuth(async (db) => {
        let query = selectGrants(db)
          .select(
            sql<string[] | null>`case when is_limited then clients_in_limit(tenant_id, grant_id) end`.as("client_refs"),
          )
          .where("ended_at", "is", null)
          .where("refresh_expires_at", ">", at);
        if (tenant_id !== undefined)
          query = tenant_id === null ? query.where("tenant_id", "is", null) : query.where("tenant_id", "=", tenant_id);
        if (application_id !== undefined) query = query.where("application_id", "=", application_id);
        if (client_id !== undefined) query = query.where("client_id", "=", client_id);
        if (person_id !== undefined) query = query.where("person_id", "=", person_id);
        return keysetPage(query, {
          by: ["grant_id"],
          direction: directionOf(order),
          after: after ? [after] : null,
          limit,
        });
      }),
    endings: endings.count,
    endedGrants: (cursor, issuedAfter) =>
      asAuth(async (db) => {
        // Only the first row has the applications, however many grants have ended.
        const { rows } = await sql<
          Ended & { grant_id: string | null; last_issued_at: Date; limited: LimitedApplication[] | null }
        >`
          select ${feedCursor} as cursor, g.ended_by, g.grant_id, g.last_issued_at, case when row_number() over (order by g.ended_by) = 1
            then (
              select coalesce(json_agg(json_build_object('application_id', a.application_id, 'client_id', a.client_id)), '[]')
              from applications a where a.limited
            ) end as limited
          from (values (1)) always
          left join grants g on g.ended_by >= ${feedStart(cursor)} and g.last_issued_at > ${issuedAfter}
          order by g.ended_by`.execute(db);
        const ended = rows.flatMap(({ grant_id, last_issued_at }) =>
          grant_id === null ? [] : [{ grant_id, last_issued_at }],
        );
        return { ended, limited: rows[0]?.limited ?? [], cursor: nextCursor(cursor, rows) };
      }, "feeds"),
    reapGrants: ({ at, issuedBefore }, limit) =>
      asAuth(async (db) => {
        const reap = async (isDead: Expression<SqlBool>, most: number) => {
          const dead = db
            .selectFrom("grants")
            .select("grant_id")
            .where("last_issued_at", "<", issuedBefore)
            .where(isDead)
            .limit(most)
            .forUpdate()
            .skipLocked();
          const { numDeletedRows } = await db.deleteFrom("grants").where("grant_id", "in", dead).executeTakeFirst();
          return Number(numDeletedRows);
        };
        // Each of the two uses an index of its own.
        const ended = await reap(sql`ended_by is not null`, limit);
        const day = at.toISOString().slice(0, "yyyy-MM-dd".length);
        const isExpired = sql<SqlBool>`coalesce(expires_on, '-infinity') <= ${day}::date and refresh_expires_at <= ${at}`;
        return ended + (ended < limit ? await reap(isExpired, limit - ended) : 0);
      }),
  };
}

const ROTATE =
  "select outcome, reason, response, case when (kept).grant_id is not null then to_jsonb(kept) end from rotate_refresh_token($1)";

/** Stands for the person in a holder's cursor, for grants that no person approved. */
const NOBODY = sql.lit("00000000-0000-0000-0000-000000000000");

/** How long an exchange whose commit is in doubt waits between checks, in milliseconds: together, long enough for a database to restart. */
const IN_DOUBT_WAITS = [100, 250, 500, 1_000, 2_000, 4_000];

type RotationRow = [outcome: string, reason: string | null, response: string | null, kept: GrantJson | null];
interface RotationColumns {
  readonly outcome: string;
  readonly reason: string | null;
  readonly response: string | null;
  readonly kept: GrantJson | null;
}

function rotationOf([outcome, reason, response, kept]: RotationRow): RotationResult {
  return {
    outcome,
    ...(reason !== null && { reason }),
    ...(response !== null && { response }),
    grant: kept && grantOf(kept),
  } as RotationResult;
}

/** Ends the live grants that `which` selects; returns how many. */
export async function endGrants(
  db: Db,
  at: Date,
  which: RawBuilder<unknown>,
  reason: GrantEnd = "revoked",
): Promise<number> {
  // Locked in one order, because two endings may meet at the same grants: that of their application and that of their client. A trigger writes
  // each end's event.
  if (reason !== "revoked") await sql`select set_config('wealth_connect.grant_end', ${reason}, true)`.execute(db);
  const { numAffectedRows } = await sql`
    with dying as (select g.grant_id from grants g where g.ended_at is null and (${which}) order by g.grant_id for update)
    update grants g set ended_at = ${at}, ended_by = pg_current_xact_id() from dying where g.grant_id = dying.grant_id
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Why grants end, apart from the reasons that the database sets: a second use of a refresh token or code, and expiry. */
type GrantEnd = "revoked" | "secret_removed" | "trust_withdrawn" | "application_disabled" | "tenant_disabled";

const grantColumns = [
  "grant_id",
  "tenant_id",
  "application_id",
  "client_id",
  "secret_id",
  "person_id",
  "flow",
  "scopes",
  "audience",
  "created_at",
  "refresh_seconds",
  "refresh_expires_at",
  "last_issued_at",
  "ended_at",
  "is_confidential",
  "is_limited",
  "dpop_jkt",
] as const satisfies readonly (keyof Grant)[];

function selectGrants(db: Db) {
  return db.selectFrom("grants").select(grantColumns);
}
