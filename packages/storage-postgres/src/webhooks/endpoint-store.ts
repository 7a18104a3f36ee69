import type { Uuid } from "@org/core";
import type { DeliveryRecord, DeliveryState, EndpointRecord, EndpointState, EndpointStore, Replay } from "@org/events";
import { type RawBuilder, sql } from "kysely";
import { auditLog } from "../queries/audit.js";
import { anyOf, directionOf, keysetPage, labelList } from "../queries/lists.js";
import { type Db, extendTimeouts, INSTALLATION_KEY, type Transactions } from "../transactions.js";
import { disableEndpoint } from "./disable-endpoint.js";

/** {@link EndpointStore}. */
export function createEndpointStore({
  asTenant,
  asUpkeep,
}: Pick<Transactions, "asTenant" | "asUpkeep">): EndpointStore {
  return {
    list: (tenantId) =>
      asTenant(tenantId, async (db) => {
        const found = endpointsOf(db, tenantId).orderBy("created_at").orderBy("endpoint_id");
        return (await found.execute()).map(recordOf);
      }),

    listOfAll: ({ tenant_id, state_in, after, limit }) =>
      asUpkeep(
        async (db) => {
          let found = db
            .selectFrom("webhook_endpoints")
            .select(["tenant_id", ...endpointColumns])
            .where("removed_at", "is", null);
          if (tenant_id !== null) found = found.where("tenant_id", "=", tenant_id);
          const state = sql<EndpointState>`
          case when not is_enabled then 'disabled' when failing_since is null then 'enabled' else 'failing' end`;
          if (state_in !== null) found = found.where(state, "=", anyOf<EndpointState>(state_in, "text"));
          const by = ["tenant_id", "endpoint_id"] as const;
          const place = after && [after.tenant_id, after.endpoint_id];
          const rows = await keysetPage(found, { by, direction: "asc", after: place, limit });
          return rows.map(({ tenant_id: owner, ...row }) => ({ ...recordOf(row), tenant_id: owner }));
        },
        "lookups",
        INSTALLATION_KEY,
      ),

    tenantOf: (endpointId) =>
      asUpkeep(
        async (db) => {
          const found = db
            .selectFrom("webhook_endpoints")
            .select("tenant_id")
            .where("endpoint_id", "=", endpointId)
            .where("removed_at", "is", null);
          return (await found.executeTakeFirst())?.tenant_id ?? null;
        },
        "lookups",
        INSTALLATION_KEY,
      ),

    find: (tenantId, endpointId) => asTenant(tenantId, (db) => findEndpoint(db, tenantId, endpointId)),

    create: (tenantId, endpoint, most, entry) =>
      asTenant(tenantId, async (db) => {
        // Sequential, so that two cannot both take the last of the room.
        await sql`select pg_advisory_xact_lock(hashtext('webhook_endpoints'), hashtext(${tenantId}))`.execute(db);
        const { rows } = await sql<{ endpoints: number }>`
          select count(*)::integer as endpoints from webhook_endpoints
          where tenant_id = ${tenantId} and removed_at is null`.execute(db);
        if ((rows[0]?.endpoints ?? 0) >= most) return "no_room";
        const { labels, created_at, is_enabled } = endpoint;
        await db
          .insertInto("webhook_endpoints")
          .values({
            ...endpoint,
            tenant_id: tenantId,
            labels: labelList(labels),
            changed_at: created_at,
            ...(!is_enabled && { disabled_reason: "request", disabled_at: created_at }),
          })
          .execute();
        await auditLog(db, tenantId).append(entry);
        return "created";
      }),

    change: (tenantId, endpointId, { is_enabled, labels, ...settings }, now, entry, precondition) =>
      asTenant(tenantId, async (db) => {
        await extendTimeouts(db);
        const before = await lockEndpoint(db, tenantId, endpointId);
        if (!before) return null;
        if (precondition && !precondition(await findEndpoint(db, tenantId, endpointId))) return "overtaken";
        if (is_enabled === false && before.is_enabled) await disableEndpoint(db, tenantId, endpointId, "request", now);
        const enabled = {
          is_enabled: true,
          disabled_reason: null,
          disabled_at: null,
          failing_since: null,
          not_before: null,
        };
        // A sender that is delivering now still has the old address, and stops. The new one has yet to prove itself.
        const isElsewhere = settings.url !== undefined && settings.url !== before.url;
        await ofEndpoint(db.updateTable("webhook_endpoints"), tenantId, endpointId)
          .set({
            ...settings,
            ...(isElsewhere && { lease: null, lease_until: null, is_proven: false }),
            ...(labels && { labels: labelList(labels) }),
            ...(is_enabled === true && !before.is_enabled && enabled),
            changed_at: now,
          })
          .execute();
        await auditLog(db, tenantId).append(entry);
        return findEndpoint(db, tenantId, endpointId);
      }),

    rotate: (tenantId, endpointId, { sealed_secret, previous_until }, entry) =>
      asTenant(tenantId, async (db) => {
        const before = await lockEndpoint(db, tenantId, endpointId);
        if (!before) return false;
        const { at } = entry;
        if (before.earlier_until !== null && before.earlier_until > at) return before.earlier_until;
        const isPreviousLive = before.previous_until !== null && before.previous_until > at;
        await ofEndpoint(db.updateTable("webhook_endpoints"), tenantId, endpointId)
          .set({
            ...(isPreviousLive && {
              sealed_earlier_secret: sql`sealed_previous_secret`,
              earlier_until: before.previous_until,
            }),
            sealed_previous_secret: sql`sealed_secret`,
            previous_until,
            sealed_secret,
            changed_at: at,
          })
          .execute();
        await auditLog(db, tenantId).append(entry);
        return true;
      }),

    remove: (tenantId, endpointId, now, entry) =>
      asTenant(tenantId, async (db) => {
        // The clean-up deletes its deliveries, in batches.
        const { numUpdatedRows } = await ofEndpoint(db.updateTable("webhook_endpoints"), tenantId, endpointId)
          .set({
            removed_at: now,
            is_enabled: false,
            url: "",
            description: null,
            sealed_secret: null,
            sealed_previous_secret: null,
            previous_until: null,
            sealed_earlier_secret: null,
            earlier_until: null,
            due_at: null,
            lease: null,
            lease_until: null,
          })
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await auditLog(db, tenantId).append(entry);
        return true;
      }),

    test: (tenantId, endpointId, event_id, entry) =>
      asTenant(tenantId, async (db) => {
        const endpoint = await lockEndpoint(db, tenantId, endpointId);
        if (!endpoint) return "unknown";
        if (!endpoint.is_enabled) return "disabled";
        const data = JSON.stringify({ endpoint_id: endpointId });
        await sql`
          insert into events (tenant_id, event_id, type, object_id, data)
          values (${tenantId}, ${event_id}, 'webhook.test', ${endpointId}, ${data}::jsonb)`.execute(db);
        await auditLog(db, tenantId).append(entry);
        return "appended";
      }),

    deliveries: (tenantId, query) => asTenant(tenantId, (db) => selectDeliveries(db, tenantId, query)),

    placesOf: (tenantId, eventIds) =>
      asTenant(tenantId, async (db) => {
        const found = await db
          .selectFrom("events")
          .select(["event_id", "sequence"])
          .where("tenant_id", "=", tenantId)
          .where("event_id", "=", anyOf(eventIds, "uuid"))
          .where("sequence", "is not", null)
          .execute();
        return new Map(found.map(({ event_id, sequence }) => [event_id, Number(sequence)]));
      }),

    replay: (tenantId, endpointId, replay, now, entryOf) =>
      asTenant(tenantId, async (db) => {
        await extendTimeouts(db);
        const endpoint = await lockEndpoint(db, tenantId, endpointId);
        if (!endpoint) return "unknown";
        if (!endpoint.is_enabled) return "disabled";
        const replayed = await queueAgain(db, tenantId, endpointId, replay, now);
        await auditLog(db, tenantId).append(entryOf(replayed));
        return replayed;
      }),

    reap: (now, limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<Record<"deliveries" | "endpoints", string>>`
          select deliveries, endpoints from reap_webhooks(${now}, ${limit})`.execute(db);
        return { deliveries: Number(rows[0]?.deliveries ?? 0), endpoints: Number(rows[0]?.endpoints ?? 0) };
      }),
  };
}

function endpointsOf(db: Db, tenantId: string) {
  return db
    .selectFrom("webhook_endpoints")
    .select(endpointColumns)
    .where("tenant_id", "=", tenantId)
    .where("removed_at", "is", null);
}

async function findEndpoint(db: Db, tenantId: string, endpointId: Uuid): Promise<EndpointRecord | null> {
  const found = await endpointsOf(db, tenantId).where("endpoint_id", "=", endpointId).executeTakeFirst();
  return found ? recordOf(found) : null;
}

interface EndpointRow extends Omit<EndpointRecord, "labels" | "last_failure"> {
  readonly labels: readonly string[];
  readonly last_failed_at: Date | null;
  readonly last_failed_status: number | null;
  readonly last_failed_error: string | null;
}

function recordOf({ labels, last_failed_at: at, last_failed_status: status, ...row }: EndpointRow): EndpointRecord {
  const entries = labels.map((label) => [label.slice(0, label.indexOf("=")), label.slice(label.indexOf("=") + 1)]);
  const { last_failed_error: error, ...rest } = row;
  const last_failure = at !== null && error !== null ? { at, status, error } : null;
  return { ...rest, last_failure, labels: Object.fromEntries(entries) };
}

/** Locks the endpoint before its deliveries change: a worker that releases it waits, and then sees the change. */
async function lockEndpoint(db: Db, tenantId: string, endpointId: Uuid) {
  const found = db
    .selectFrom("webhook_endpoints")
    .select(["is_enabled", "url", "previous_until", "earlier_until"])
    .where("tenant_id", "=", tenantId)
    .where("endpoint_id", "=", endpointId)
    .where("removed_at", "is", null);
  return (await found.forNoKeyUpdate().executeTakeFirst()) ?? null;
}

async function selectDeliveries(
  db: Db,
  tenantId: string,
  { endpoint_id, event_id, state_in, type_in, order, after, limit }: Parameters<EndpointStore["deliveries"]>[1],
): Promise<readonly DeliveryRecord[]> {
  let found = db
    .selectFrom("webhook_deliveries as d")
    .innerJoin("events as e", (join) =>
      join.onRef("e.tenant_id", "=", "d.tenant_id").onRef("e.sequence", "=", "d.sequence"),
    )
    .select([
      "d.delivery_id",
      "e.event_id",
      "d.sequence",
      "e.type",
      "e.created_at",
      "d.state",
      "d.attempts",
      "d.attempted_at",
    ])
    .select(["d.status", "d.ms", "d.error", "d.answer", "d.due_at"])
    .where("d.tenant_id", "=", tenantId)
    .where("d.endpoint_id", "=", endpoint_id);
  if (event_id !== null) found = found.where("e.event_id", "=", event_id);
  if (state_in !== null) found = found.where("d.state", "=", anyOf<DeliveryState>(state_in, "text"));
  const direction = directionOf(order);
  if (after !== null) found = found.where("d.sequence", direction === "desc" ? "<" : ">", String(after));
  const page = found.orderBy("d.sequence", direction).limit(limit);
  // Each type by the index of its events: those of a rare one are found among many others.
  const rows =
    type_in === null
      ? await page.execute()
      : await db
          .selectFrom(sql<{ type: string }>`(select unnest(${[...type_in]}::text[]) as type)`.as("wanted"))
          .innerJoinLateral(page.where(sql<boolean>`e.type = wanted.type`).as("page"), (join) => join.onTrue())
          .selectAll("page")
          .orderBy("page.sequence", direction)
          .limit(limit)
          .execute();
  return rows.map(({ sequence, event_id: id, ...row }) => ({
    ...row,
    event_id: id as Uuid,
    sequence: Number(sequence),
  }));
}

async function queueAgain(db: Db, tenantId: string, endpointId: Uuid, replay: Replay, now: Date) {
  const { since, until, event_ids, types, after, limit } = replay;
  const only: RawBuilder<unknown>[] = [];
  if (since !== null) only.push(sql`and e.created_at >= ${since}`);
  if (until !== null) only.push(sql`and e.created_at < ${until}`);
  if (event_ids !== null) only.push(sql`and e.event_id = ${anyOf(event_ids, "uuid")}`);
  if (types !== null)
    only.push(
      sql`and webhook_asks_for(${types}::text[], '{}', w.endpoint_id, e.type, e.labels, e.endpoint_ids, e.object_id)`,
    );
  const { rows } = await sql<{ queued: number; last: Uuid | null; has_more: boolean }>`
    with wanted as (
      select e.sequence, e.event_id, row_number() over (order by e.sequence) as place
      from webhook_endpoints w join events e on e.tenant_id = w.tenant_id
      where w.tenant_id = ${tenantId} and w.endpoint_id = ${endpointId} and e.sequence > ${after} and e.type <> 'webhook.test'
        and webhook_asks_for(w.types, w.labels, w.endpoint_id, e.type, e.labels, e.endpoint_ids, e.object_id)
        ${sql.join(only, sql` `)}
      order by e.sequence limit ${limit + 1}
    ), queued as (
      insert into webhook_deliveries as d (tenant_id, endpoint_id, sequence, state, due_at)
      select ${tenantId}::uuid, ${endpointId}::uuid, sequence, 'pending', ${now} from wanted where place <= ${limit}
      on conflict (tenant_id, endpoint_id, sequence)
        do update set state = 'pending', attempts = 0, due_at = excluded.due_at where d.state <> 'pending'
      returning d.sequence
    ), due as (
      update webhook_endpoints w set due_at = greatest(${now}::timestamptz, w.not_before)
      where w.tenant_id = ${tenantId} and w.endpoint_id = ${endpointId} and exists (select from queued)
        and (w.due_at is null or w.due_at > greatest(${now}::timestamptz, w.not_before))
    )
    select (select count(*)::integer from queued) as queued, exists (select from wanted where place > ${limit}) as has_more,
      (select event_id from wanted where place = ${limit}) as last`.execute(db);
  const [{ queued, last, has_more } = { queued: 0, last: null, has_more: false }] = rows;
  return { queued, next_after: has_more ? last : null };
}

interface Narrowed<Query> {
  where(column: "tenant_id" | "endpoint_id", operator: "=", value: string): Query;
  where(column: "removed_at", operator: "is", value: null): Query;
}

/** Restricts a query to an endpoint that was not removed. */
function ofEndpoint<Query extends Narrowed<Query>>(query: Query, tenantId: string, endpointId: Uuid): Query {
  return query.where("tenant_id", "=", tenantId).where("endpoint_id", "=", endpointId).where("removed_at", "is", null);
}

const endpointColumns = [
  ...([
    "endpoint_id",
    "url",
    "types",
    "labels",
    "description",
    "is_enabled",
    "disabled_reason",
    "disabled_at",
  ] as const),
  ...(["failing_since", "delivered_at", "last_failed_at", "last_failed_status", "last_failed_error"] as const),
  ...(["previous_until", "created_at", "changed_at"] as const),
] as const satisfies readonly (keyof EndpointRow)[];
