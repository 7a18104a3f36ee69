import type { Uuid } from "@org/core";
import { type DeliveryOutcome, type DeliveryQueue, type EndpointLease, eventView, type StoredEvent } from "@org/events";
import { sql } from "kysely";
import { appendEvents } from "../events/event-log.js";
import { auditLog } from "../queries/audit.js";
import { anyOf } from "../queries/lists.js";
import { type Db, extendTimeouts, type Transactions } from "../transactions.js";
import { disableEndpoint } from "./disable-endpoint.js";

/** Endpoints that a tenant may have by default: among so many due ones per free place are those of as many tenants. */
const OF_ONE_TENANT = 20;

/** {@link DeliveryQueue}: rows of the endpoint store, across tenants. */
export function createDeliveryQueue({
  asTenant,
  asUpkeep,
}: Pick<Transactions, "asTenant" | "asUpkeep">): DeliveryQueue {
  const underLease = <T>(lease: EndpointLease, work: (db: Db) => Promise<T>) => asTenant(lease.tenant_id, work);

  return {
    claim: ({ lease, now, until, limit, unproven, used, except_tenants }) =>
      asUpkeep(async (db) => {
        const free = sql`
          w.due_at <= ${now} and w.is_enabled and (w.lease is null or w.lease_until <= ${now})
          and not w.tenant_id = ${anyOf(except_tenants, "uuid")}`;
        // Those who hold places are looked up by name and left out of what is due longest, so that they hide no other. Rows that another
        // server is claiming are locked and skipped.
        const { rows } = await sql<EndpointLease & { turn: string }>`
          with kinds (is_proven, used) as (
            values (true, ${JSON.stringify(used.proven)}::jsonb), (false, ${JSON.stringify(used.unproven)}::jsonb)
          ), holding as (
            select is_proven, u.key::uuid as tenant_id from kinds cross join jsonb_each(used) u where u.value::double precision >= 1
          ), waiting as (
            select is_proven, tenant_id from holding
            union
            select kinds.is_proven, longest.tenant_id from kinds cross join lateral (
              select w.tenant_id from webhook_endpoints w
              where w.is_proven = kinds.is_proven and ${free}
                and (w.is_proven, w.tenant_id) not in (select is_proven, tenant_id from holding)
              order by w.due_at limit ${limit * OF_ONE_TENANT}
            ) longest
          ), by_tenant as (
            select kinds.is_proven, waiting.tenant_id, own.endpoint_id, own.due_at,
              own.place + coalesce((kinds.used ->> waiting.tenant_id::text)::double precision, 0) as turn
            from kinds join waiting using (is_proven) cross join lateral (
              select w.endpoint_id, w.due_at,
                row_number() over (order by w.failing_since is not null, w.lease_until nulls first, w.due_at) as place
              from webhook_endpoints w
              where w.is_proven = waiting.is_proven and w.tenant_id = waiting.tenant_id and ${free}
              order by place limit ${limit}
            ) own
          ), by_kind as (
            select by_tenant.*, row_number() over (partition by is_proven order by turn, due_at) as place from by_tenant
          ), turns as (
            -- Before it gets this place, the tenant uses turn - 1 of them, and place - 1 of the free ones are gone.
            select tenant_id, endpoint_id, due_at, turn from by_kind
            where turn - 1 < case when is_proven then ${limit}::integer else ${unproven}::integer end - (place - 1)
          ), claimed as (
            select w.tenant_id, w.endpoint_id, turns.turn
            from turns join webhook_endpoints w on w.tenant_id = turns.tenant_id and w.endpoint_id = turns.endpoint_id
            where ${free}
            order by turns.turn, turns.due_at limit ${limit} for update of w skip locked
          )
          update webhook_endpoints w set lease = ${lease}, lease_until = ${until}
          from claimed c
          where w.tenant_id = c.tenant_id and w.endpoint_id = c.endpoint_id
          returning w.tenant_id, w.endpoint_id, w.lease, w.url, w.failing_since, w.is_proven, c.turn,
            array_remove(array[
              w.sealed_secret,
              case when w.previous_until > ${now} then w.sealed_previous_secret end,
              case when w.earlier_until > ${now} then w.sealed_earlier_secret end
            ], null) as sealed_secrets`.execute(db);
        rows.sort((a, b) => Number(a.turn) - Number(b.turn));
        return rows.map(({ turn: _, ...leased }) => leased);
      }),

    due: (lease, { now, limit }) =>
      underLease(lease, async (db) => {
        const { rows } = await sql<Due>`
          select d.delivery_id, d.attempts, d.sequence, e.event_id, e.type, e.created_at, e.data
          from (
            select d.tenant_id, d.sequence, d.delivery_id, d.attempts, d.due_at
            from webhook_endpoints w
            join webhook_deliveries d on d.tenant_id = w.tenant_id and d.endpoint_id = w.endpoint_id
            where w.tenant_id = ${lease.tenant_id} and w.endpoint_id = ${lease.endpoint_id} and w.lease = ${lease.lease}
              and d.state = 'pending' and d.due_at <= ${now}
            order by d.due_at, d.sequence limit ${limit}
          ) d
          join events e on e.tenant_id = d.tenant_id and e.sequence = d.sequence
          order by d.due_at, d.sequence`.execute(db);
        return rows.map(({ delivery_id, attempts, ...event }) => ({
          delivery_id,
          attempts,
          event: eventView(lease.tenant_id, { ...event, sequence: Number(event.sequence) }),
        }));
      }),

    settle: (lease, { outcomes, failing_since, is_proven }) =>
      underLease(lease, async (db) => {
        const delivered = outcomes.filter(({ state }) => state === "delivered").map(({ at }) => at.getTime());
        const delivered_at = delivered.length === 0 ? null : new Date(Math.max(...delivered));
        const failure = lastFailureOf(outcomes);
        // One statement: it locks the endpoint and checks that the lease still holds before it touches a delivery.
        const { rows } = await sql<{ held: number }>`
          with held as (
            update webhook_endpoints
            set failing_since = ${failing_since}, is_proven = ${is_proven},
              delivered_at = coalesce(${delivered_at}::timestamptz, delivered_at)
              ${failure === null ? sql`` : failedAs(failure)}
            where tenant_id = ${lease.tenant_id} and endpoint_id = ${lease.endpoint_id} and lease = ${lease.lease}
            returning tenant_id, endpoint_id
          ), settled as (
            update webhook_deliveries d
            set state = o.state, attempts = o.attempts, attempted_at = o.at, ms = o.ms, status = o.status, error = o.error,
              answer = o.answer, due_at = o.due_at
            from held, jsonb_to_recordset(${JSON.stringify(outcomes.map(wholeMs))}::jsonb) as o (
              sequence bigint, state text, attempts integer, at timestamptz, ms integer, status integer, error text, answer text,
              due_at timestamptz
            )
            where d.tenant_id = held.tenant_id and d.endpoint_id = held.endpoint_id and d.sequence = o.sequence
              and d.state = 'pending'
          )
          select count(*)::integer as held from held`.execute(db);
        return rows[0]?.held === 1;
      }),

    renew: (lease, until) =>
      underLease(lease, async (db) => {
        const { numUpdatedRows } = await db
          .updateTable("webhook_endpoints")
          .set({ lease_until: until })
          .where("tenant_id", "=", lease.tenant_id)
          .where("endpoint_id", "=", lease.endpoint_id)
          .where("lease", "=", lease.lease)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),

    release: (lease, { now, not_before }) =>
      underLease(lease, async (db) => {
        if (!(await isHeld(db, lease))) return;
        // Searched after the endpoint is locked, so that deliveries queued meanwhile are seen.
        await sql`
          update webhook_endpoints w set lease = null, lease_until = ${now}, not_before = ${not_before}, due_at = (
            select greatest(min(d.due_at), ${not_before}::timestamptz) from webhook_deliveries d
            where d.tenant_id = w.tenant_id and d.endpoint_id = w.endpoint_id and d.state = 'pending'
            having min(d.due_at) is not null
          )
          where w.tenant_id = ${lease.tenant_id} and w.endpoint_id = ${lease.endpoint_id}`.execute(db);
      }),

    withdraw: (lease) =>
      asUpkeep(async (db) => {
        await db
          .updateTable("webhook_endpoints")
          .set({ lease: null, lease_until: null })
          .where("lease", "=", lease)
          .execute();
      }),

    disable: (lease, { reason, now, event, entry }) =>
      underLease(lease, async (db) => {
        await extendTimeouts(db);
        if (!(await isHeld(db, lease))) return false;
        await disableEndpoint(db, lease.tenant_id, lease.endpoint_id, reason, now);
        appendEvents(db, lease.tenant_id, [event]);
        await auditLog(db, lease.tenant_id).append(entry);
        return true;
      }),

    backlog: (now) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<Record<"pending" | "failing" | "disabled", string> & { oldest_due_at: Date | null }>`
          select * from webhook_backlog(${now})`.execute(db);
        const [found] = rows;
        return {
          pending: Number(found?.pending ?? 0),
          oldest_due_at: found?.oldest_due_at ?? null,
          failing: Number(found?.failing ?? 0),
          disabled: Number(found?.disabled ?? 0),
        };
      }),
  };
}

function lastFailureOf(outcomes: readonly DeliveryOutcome[]): DeliveryOutcome | null {
  return outcomes.filter(({ error }) => error !== null).reduce(later, null);
}

/** The later of two outcomes; if they began at the same time, the second. */
function later(one: DeliveryOutcome | null, other: DeliveryOutcome): DeliveryOutcome {
  return one !== null && one.at > other.at ? one : other;
}

function failedAs({ at, status, error }: DeliveryOutcome) {
  return sql`, last_failed_at = ${at}, last_failed_status = ${status}, last_failed_error = ${error}`;
}

function wholeMs(outcome: DeliveryOutcome): DeliveryOutcome {
  return { ...outcome, ms: Math.round(outcome.ms) };
}

interface Due extends Omit<StoredEvent, "sequence" | "object_id"> {
  readonly delivery_id: Uuid;
  readonly attempts: number;
  readonly sequence: string;
}

/** Locks the endpoint; false when the lease is lost. */
async function isHeld(db: Db, { tenant_id, endpoint_id, lease }: EndpointLease): Promise<boolean> {
  const found = db
    .selectFrom("webhook_endpoints")
    .select("endpoint_id")
    .where("tenant_id", "=", tenant_id)
    .where("endpoint_id", "=", endpoint_id)
    .where("lease", "=", lease);
  return (await found.forNoKeyUpdate().executeTakeFirst()) !== undefined;
}
