import {
  CONSENT_RENEWAL_MS,
  type ConnectionRecord,
  consentNoticeDue,
  FIRST_POSTPONEMENT_MS,
  LOST_LEASES,
  MAX_POSTPONEMENT_MS,
  type PendingFetch,
  type PlannedConnection,
  type Postponement,
  type Product,
  parseUuid,
  type RefreshQueue,
  type RefreshRecord,
  type RefreshStore,
  type Uuid,
} from "@org/core";
import { type Selectable, sql } from "kysely";
import { atCommit, literalRows } from "../at-commit.js";
import type { Database } from "../schema.js";
import type { Db, Transactions } from "../transactions.js";
import { recordColumns } from "./connections.js";
import { anyOf } from "./lists.js";
import { withPublicationsLocked } from "./publication-lock.js";

/** {@link RefreshStore} of `tenant_id` inside its transaction. */
export function refreshStore(db: Db, tenant_id: string): RefreshStore {
  const planOf = (connectionId: Uuid) =>
    db.selectFrom("connection_refreshes").where("tenant_id", "=", tenant_id).where("connection_id", "=", connectionId);

  return {
    async find(connectionId) {
      const found = await planOf(connectionId).select(planColumns).executeTakeFirst();
      return found ? planIn(found) : null;
    },

    async referenceOf(connectionId) {
      return (await planOf(connectionId).select("reference_hash").executeTakeFirst())?.reference_hash ?? null;
    },

    async plan(connectionId, { pending, ...plan }) {
      const planned = { ...plan, ...columnsOf(pending), lease: null, failures: 0, lost_leases: 0 };
      // Selected from the connections, so that a connection that does not exist gets no plan.
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("connection_refreshes")
        .columns([
          "tenant_id",
          "connection_id",
          "connector_id",
          "due_at",
          "sealed_pending",
          "pending_since",
          "user_hash",
          "reference_hash",
          "consent_expires_at",
        ])
        .expression((from) =>
          from
            .selectFrom("connections")
            .select([
              "tenant_id",
              "connection_id",
              "connector_id",
              sql<Date>`${planned.due_at}::timestamptz`.as("due_at"),
              sql<string | null>`${planned.sealed_pending}::text`.as("sealed_pending"),
              sql<Date | null>`${planned.pending_since}::timestamptz`.as("pending_since"),
              sql<string | null>`${planned.user_hash}::text`.as("user_hash"),
              sql<string | null>`${planned.reference_hash}::text`.as("reference_hash"),
              sql<Date | null>`${planned.consent_expires_at}::timestamptz`.as("consent_expires_at"),
            ])
            .where("tenant_id", "=", tenant_id)
            .where("connection_id", "=", connectionId),
        )
        .onConflict((conflict) => conflict.columns(["tenant_id", "connection_id"]).doUpdateSet(planned))
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    async take(connectionId, { lease, now, until }) {
      const { numUpdatedRows } = await db
        .updateTable("connection_refreshes")
        .set({ lease, due_at: until, attempted_at: now, outcome: null, lost_leases: lostLeases })
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connectionId)
        .where((row) => row.or([row("lease", "is", null), row("due_at", "<=", now)]))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async hold(connectionId, lease) {
      const planned = sql.raw<ConnectionRecord & PlanRow>(
        `${plannedConnection(tenant_id, connectionId)} for update of r`,
      );
      const [held] = await withPublicationsLocked(db, planned);
      return held?.lease === lease ? plannedIn(held) : null;
    },

    async noteConsentEnd(connectionId, now) {
      const found = await planOf(connectionId)
        .select(["consent_expires_at", "consent_told_end", "consent_told_days"])
        .where("due_at", "is not", null)
        .forUpdate()
        .executeTakeFirst();
      const days = found ? consentNoticeDue(found, now) : null;
      if (!found?.consent_expires_at || days === null) return null;
      const end = found.consent_expires_at;
      await db
        .updateTable("connection_refreshes")
        .set({ consent_told_end: end, consent_told_days: days })
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connectionId)
        .execute();
      return { end, days };
    },

    async settle(connection_id, { pending, ...next }) {
      const settled = { ...next, ...columnsOf(pending), lease: null, lost_leases: 0 };
      const changes = Object.keys(settled).map((column) => sql`${sql.ref(column)} = n.${sql.ref(column)}`);
      atCommit(
        db,
        sql`
          update connection_refreshes r set ${sql.join(changes)}
          from ${literalRows("connection_refreshes", [{ tenant_id, connection_id, ...settled }])} n
          where r.tenant_id = n.tenant_id and r.connection_id = n.connection_id`,
      );
    },
  };
}

const planColumns = [
  "due_at",
  "lease",
  "failures",
  "attempted_at",
  "outcome",
  "notified_at",
  "lost_leases",
  "sealed_pending",
  "pending_since",
] as const satisfies readonly (keyof Database["connection_refreshes"])[];

type PlanRow = Pick<Selectable<Database["connection_refreshes"]>, (typeof planColumns)[number]>;

/**
 * Selects a connection and its plan, without parameters.
 * @param more further columns
 */
function plannedConnection(tenantId: string, connectionId: Uuid, more = ""): string {
  if (parseUuid(tenantId) === null || parseUuid(connectionId) === null) throw new RangeError("these ids are UUIDs");
  const columns = [...recordColumns.map((column) => `c.${column}`), ...planColumns.map((column) => `r.${column}`)];
  return `
    select ${columns.join(", ")}${more}
    from connections c join connection_refreshes r on r.tenant_id = c.tenant_id and r.connection_id = c.connection_id
    where c.tenant_id = '${tenantId}' and c.connection_id = '${connectionId}'`;
}

/** The current snapshots of the connection `c`. */
const latestSnapshots = `, (
      select coalesce(json_agg(json_build_object('product', s.product, 'as_of', s.as_of, 'digest', s.digest)), '[]')
      from snapshots s
      where s.tenant_id = c.tenant_id and s.connection_id = c.connection_id and s.until_revision is null
    ) as latest`;

interface KnownRow extends ConnectionRecord, PlanRow {
  readonly latest: readonly { readonly product: Product; readonly as_of: string; readonly digest: string | null }[];
}

function plannedIn(row: ConnectionRecord & PlanRow): PlannedConnection {
  const {
    due_at,
    lease,
    failures,
    attempted_at,
    outcome,
    notified_at,
    lost_leases,
    sealed_pending,
    pending_since,
    ...connection
  } = row;
  const plan = {
    due_at,
    lease,
    failures,
    attempted_at,
    outcome,
    notified_at,
    lost_leases,
    sealed_pending,
    pending_since,
  };
  return { connection, plan: planIn(plan) };
}

function planIn(row: PlanRow): RefreshRecord {
  const { sealed_pending, pending_since, ...plan } = row;
  const isPending = sealed_pending !== null && pending_since !== null;
  return { ...plan, pending: isPending ? { sealed_state: sealed_pending, since: pending_since } : null };
}

function columnsOf(pending: PendingFetch | null) {
  return { sealed_pending: pending?.sealed_state ?? null, pending_since: pending?.since ?? null };
}

/** Lost leases, plus the current lease if it has expired and is being taken over. */
const lostLeases = sql<number>`case when lease is null then lost_leases else lost_leases + 1 end`;

/**
 * Rows that a claim considers; those of tenants and connectors already at their share are left out. If there are more, it considers as many
 * again of tenants that the server does not serve and has not served lately, which may all be behind.
 */
const SCAN_LIMIT = 500;
/** Candidate rows per wanted row, since another server may be claiming the first of them. */
const IN_TURN = 4;

/** {@link RefreshQueue}: the rows of {@link refreshStore}, across tenants. */
export function refreshQueue({ asUpkeep, readAsTenant }: Transactions): RefreshQueue {
  return {
    async known({ tenant_id, connection_id }) {
      const planned = plannedConnection(tenant_id, connection_id, latestSnapshots);
      const [found] = await readAsTenant<KnownRow>(tenant_id, planned);
      if (!found) return null;
      const { latest, ...row } = found;
      return {
        ...plannedIn(row),
        latest: Object.fromEntries(
          latest.map(({ product, as_of, digest }) => [product, { as_of: new Date(as_of), digest }]),
        ),
      };
    },

    claim: ({ lease, now, until, limit, except_tenants, shares }) =>
      asUpkeep(async (db) => {
        const { each = limit, closed = [], at_most = {} } = shares ?? {};
        const connectors = countsOf(shares?.held.map(({ connector_id }) => connector_id));
        const tenants = countsOf(shares?.held.map(({ tenant_id }) => tenant_id));
        const left = [...fullOf(tenants, () => each), ...except_tenants];
        const ended = countsOf(shares?.served);
        const served = [...new Set([...Object.keys(tenants), ...Object.keys(ended)])];
        const maxOf = (connector: string) => at_most[connector] ?? each;
        const claimable = (tenants: readonly string[], more = sql``) => sql`
            select tenant_id, connection_id, connector_id, due_at from connection_refreshes d
            where due_at <= ${now} and not tenant_id = ${anyOf(tenants, "uuid")}
              and not connector_id = ${anyOf(fullOf(connectors, maxOf), "text")}
              and not exists (
                select from closed c
                where c.connector_id = d.connector_id and (c.tenant_id is null or c.tenant_id = d.tenant_id)
                  and d.tenant_id <> all (c.except_tenants)) ${more}
            order by due_at limit ${SCAN_LIMIT}`;
        // Skips rows that another worker is claiming, which are locked.
        const { rows } = await sql<Claimed>`
          with closed as (
            select * from jsonb_to_recordset(${JSON.stringify(closed)}::jsonb)
              as c (connector_id text, tenant_id uuid, except_tenants uuid[])
          ), oldest as materialized (
            ${claimable(left)}
          ), due as (
            select * from oldest
            union
            select * from (${claimable([...left, ...served], sql`and (select count(*) from oldest) = ${SCAN_LIMIT}`)}) of_others
          ), of_both as (
            select due.*, row_number() over (partition by tenant_id, connector_id order by due_at)
              + coalesce((${JSON.stringify(connectors)}::jsonb ->> connector_id)::integer, 0) as of_both
            from due
          ), by_tenant as (
            select of_both.*, row_number() over (partition by tenant_id order by of_both, due_at)
              + coalesce((${JSON.stringify(tenants)}::jsonb ->> tenant_id::text)::integer, 0) as of_tenant,
              coalesce((${JSON.stringify(ended)}::jsonb ->> tenant_id::text)::integer, 0) as ended
            from of_both
          ), by_connector as (
            select by_tenant.*, row_number() over (partition by connector_id order by of_tenant + ended, due_at)
              + coalesce((${JSON.stringify(connectors)}::jsonb ->> connector_id)::integer, 0) as of_connector
            from by_tenant where of_tenant <= ${each}::bigint
          ), turns as (
            select tenant_id, connection_id, due_at, greatest(of_connector, of_tenant + ended) as turn from by_connector
            where of_connector <= coalesce((${JSON.stringify(at_most)}::jsonb ->> connector_id)::bigint, ${each}::bigint)
            order by turn, due_at limit ${limit * IN_TURN}
          ), claimed as (
            select r.tenant_id, r.connection_id, turns.due_at, r.lease is not null and r.lost_leases > 0 as is_postponed, ${lostLeases} as lost
            from turns join connection_refreshes r on r.tenant_id = turns.tenant_id and r.connection_id = turns.connection_id
            where r.due_at <= ${now}
            order by turns.turn, turns.due_at limit ${limit} for update of r skip locked
          )
          update connection_refreshes r set
            lost_leases = lost,
            lease = case when is_postponed then null else ${lease}::uuid end,
            due_at = case when is_postponed then ${now}::timestamptz + case
              when lost > ${LOST_LEASES} then ${MAX_POSTPONEMENT_MS} * interval '1 millisecond'
              else ${FIRST_POSTPONEMENT_MS} * interval '1 millisecond' * power(2, lost - 2) end
              else ${until} end,
            attempted_at = case when is_postponed then r.attempted_at else ${now} end,
            outcome = case when is_postponed then 'postponed' end
          from claimed c
          where r.tenant_id = c.tenant_id and r.connection_id = c.connection_id
          returning r.tenant_id, r.connection_id, r.connector_id, r.lost_leases, r.due_at as until, is_postponed, c.due_at`.execute(
          db,
        );
        rows.sort((a, b) => a.due_at.getTime() - b.due_at.getTime());
        return {
          leases: rows.flatMap(({ is_postponed, tenant_id, connection_id, connector_id }) =>
            is_postponed ? [] : [{ tenant_id, connection_id, connector_id, lease }],
          ),
          postponed: rows.flatMap(({ is_postponed, due_at: _, ...row }) => (is_postponed ? [row] : [])),
        };
      }),

    expedite: ({ user_hashes, reference_hashes, tenant_id, except_tenants, now, pause_ms }) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ named: string }>`
          select expedite_refreshes(
            ${user_hashes}::text[], ${reference_hashes}::text[], ${tenant_id}::uuid, ${except_tenants}::uuid[], ${now},
            ${pause_ms} * interval '1 millisecond'
          ) as named`.execute(db);
        return Number(rows[0]?.named ?? 0);
      }),

    endingConsents: (now, limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ tenant_id: string; connection_id: Uuid }>`
          select tenant_id, connection_id from connection_refreshes
          where due_at is not null and consent_expires_at > ${now}
            and consent_expires_at <= ${new Date(now.getTime() + CONSENT_RENEWAL_MS)}
            and (consent_told_end is null or consent_expires_at > consent_told_end + interval '24 hours'
              or (consent_told_days > 1 and consent_expires_at <= ${now}::timestamptz + interval '24 hours'))
          limit ${limit}`.execute(db);
        return rows;
      }),

    backlog: (now) =>
      asUpkeep(async (db) => {
        const consentBefore = new Date(now.getTime() + CONSENT_RENEWAL_MS);
        const { rows } = await sql<
          Record<"due" | "relogin_needed" | "consents_to_renew", string> & { oldest_due_at: Date | null }
        >`
          select count(*) as due, min(due_at) as oldest_due_at,
            (select count(*) from connection_refreshes where due_at is null and outcome is distinct from 'already_exists') as relogin_needed,
            (select count(*) from connection_refreshes where due_at is not null and consent_expires_at < ${consentBefore}) as consents_to_renew
          from connection_refreshes where due_at <= ${now}`.execute(db);
        const [row] = rows;
        return {
          due: Number(row?.due ?? 0),
          oldest_due_at: row?.oldest_due_at ?? null,
          relogin_needed: Number(row?.relogin_needed ?? 0),
          consents_to_renew: Number(row?.consents_to_renew ?? 0),
        };
      }),
  };
}

/** A row of a claim: leased, or postponed. */
interface Claimed extends Postponement {
  readonly is_postponed: boolean;
  /** When it was due. */
  readonly due_at: Date;
}

function countsOf(names: readonly string[] = []): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function fullOf(counts: Record<string, number>, maxOf: (name: string) => number): string[] {
  return Object.entries(counts).flatMap(([name, count]) => (count >= maxOf(name) ? [name] : []));
}
