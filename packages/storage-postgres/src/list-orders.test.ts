import { clientOrders, connectionOrders, letterOrders, type Uuid } from "@org/core";
import { samples } from "@org/core/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createSourceStores } from "./feed-sources/source-stores.js";
import { createOAuthStore } from "./oauth/oauth-store.js";
import { createPostgresStorage } from "./postgres-storage.js";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";
import { createEndpointStore } from "./webhooks/endpoint-store.js";

/** Blocks that the page itself and the index above it may take. */
const BLOCKS = 30;
/** Blocks that the event of a delivery may take. */
const EVENT = 4;
const FEW = 200;
const MANY = 10_000;
const PAGE = 20;
const orders = ["newest", "oldest"] as const;

describe.skipIf(!testDatabaseUrl)("what a page of a list in any of its orders reads on PostgreSQL", () => {
  let database: TestDatabase;
  let storage: ReturnType<typeof createPostgresStorage>;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterAll(() => database?.close());

  it("[C-14.1052] [C-14.1069] of connections: as many blocks of 10,000 as of 200, from the first and from the middle", async () => {
    const difference = await differences(insertConnections);
    for (const order of connectionOrders)
      for (const [place, parity] of [
        ["the first", null],
        ["a connection with a consent and data", 0],
        ["one without", 1],
      ] as const)
        await difference(`${order}, behind ${place}`, "search_connections_of_all", (tenant_id, count) => {
          const at = count / 2 + (parity ?? 0);
          const time = parity === 0 && order.includes("_") ? samples.later(at).toISOString() : null;
          return storage.connectionAdmin.list({
            ...{ tenant_id, asked_by: null, connection_id: null, client_ref_in: null, connector_id_in: null },
            ...{ state_in: null, consent_ends_before: null, is_failing: null, order, limit: PAGE },
            after: parity === null ? null : { connection_id: idAt(count, at), at: time },
          });
        });
  });

  it("[C-14.1052] of letters: as many blocks of 10,000 as of 200", async () => {
    const difference = await differences(insertLetters);
    for (const order of letterOrders)
      await difference(order, "search_letters_of_all", (tenant_id, count) =>
        storage.letterAdmin.search({
          ...{ ...samples.letterQuery(), tenant_id, in_status_before: null, words: [], without_mail: null },
          ...{ order, offset: 0, page_size: PAGE, after: { at: samples.later(count / 2), letter_id: idAt(count) } },
        }),
      );
  });

  it("[C-14.1052] of sessions: as many blocks of 10,000 as of 200", async () => {
    const difference = await differences(insertSessions);
    for (const order of orders)
      await difference(order, 'from "sessions"', (tenant_id, count) =>
        storage.inTenant(tenant_id, ({ sessions }) =>
          sessions.list(samples.sessionQuery({ order, limit: PAGE, after: idAt(count) })),
        ),
      );
  });

  it("[C-14.1052] of grants: as many blocks of 10,000 as of 200", async () => {
    const difference = await differences(insertGrants);
    const { grants } = createOAuthStore(createTransactions(database.pool));
    for (const order of orders)
      await difference(order, 'from "grants"', (tenant_id, count) =>
        grants.listGrants({ tenant_id, order, at: samples.now, limit: PAGE, after: idAt(count) }),
      );
  });

  it("[C-14.1053] of clients: as many blocks of 10,000 as of 200, with their total", async () => {
    const difference = await differences(insertClients);
    for (const order of clientOrders)
      for (const statement of ['from "clients"', 'from "tenant_usage"'])
        await difference(`${order}: ${statement}`, statement, (tenant_id, count) =>
          storage.inTenant(tenant_id, async ({ clients }) => {
            const all = { name: null, client_refs: null } as const;
            const { items, total } = await clients.list({ ...all, order, page: 2, page_size: PAGE });
            expect([items.length, total]).toEqual([PAGE, count]);
          }),
        );
  });

  it("[C-14.1055] of files: as many blocks of 10,000 as of 200, of one source and of one state", async () => {
    const difference = await differences(insertFiles);
    const { files } = createSourceStores(createTransactions(database.pool));
    for (const order of orders)
      for (const state of [null, "expired"] as const)
        await difference(`${order}: ${state}`, 'from "feed_source_files"', async (source, count) => {
          const after = { came_at: samples.later(count / 2), file_id: idAt(count) };
          const found = await files.list({ source: state === null ? source : null, state, order, after, limit: PAGE });
          expect(found.length).toBeLessThanOrEqual(PAGE);
        });
  });

  it("[C-14.1056] of deliveries: as many blocks of 10,000 as of 200", async () => {
    const difference = await differences(insertDeliveries);
    const endpoints = createEndpointStore(createTransactions(database.pool));
    const conditions = { event_id: null, state_in: null, type_in: null };
    for (const order of orders)
      await difference(
        order,
        'from "webhook_deliveries"',
        async (tenant_id, count) => {
          const place = { order, after: count / 2, limit: PAGE };
          const found = await endpoints.deliveries(tenant_id, {
            endpoint_id: tenant_id as Uuid,
            ...conditions,
            ...place,
          });
          expect(found).toHaveLength(PAGE);
        },
        BLOCKS + PAGE * EVENT,
      );
  });

  /** A check that a page of a tenant with many rows reads no more blocks than one of a tenant with few. */
  async function differences(insert: (tenantId: string, count: number) => Promise<unknown>) {
    const [few, many] = [await tenantOf(FEW, insert), await tenantOf(MANY, insert)];
    return async (
      what: string,
      part: string,
      read: (tenantId: string, count: number) => Promise<unknown>,
      allowed = BLOCKS,
    ) => {
      const blocks = await blocksOf(part, () => read(many, MANY));
      expect(blocks - (await blocksOf(part, () => read(few, FEW))), what).toBeLessThan(allowed);
    };
  }

  async function tenantOf(count: number, insert: (tenantId: string, count: number) => Promise<unknown>) {
    const { tenant_id } = await samples.newTenant(storage);
    await insert(tenant_id, count);
    await database.pool.query("vacuum analyze");
    return tenant_id;
  }

  /** Blocks that the one statement with `part` in its text reads. */
  async function blocksOf(part: string, read: () => Promise<unknown>): Promise<number> {
    const statements = vi.spyOn(pg.Client.prototype, "query");
    await read();
    const asked = statements.mock.calls
      .map(([text, values]) => textOf(text, values))
      .find(([text]) => text.includes(part));
    statements.mockRestore();
    const [text, values] = asked ?? ["", []];
    const page = `explain (analyze, buffers, format json) ${text}`;
    // The first one also reads the catalogue.
    await database.pool.query(page, [...values]);
    const { rows } = await database.pool.query(page, [...values]);
    return rows[0]["QUERY PLAN"][0].Plan["Shared Hit Blocks"];
  }

  const insertConnections = (tenantId: string, count: number) =>
    database.pool.query(
      `insert into connections (tenant_id, connection_id, connector_id, bank, bank_key, provider, labels, status, created_at)
       select $1, ${id}, 'fra:bank', 'Bank', 'bank', 'sandbox', '{}', $2::jsonb || jsonb_build_object('consent_expires_at', at, 'last_update', at), ${moment}
       from generate_series(1, $4::integer) n,
         lateral (select case when n % 2 = 0 then to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as at) time`,
      [tenantId, JSON.stringify(samples.connection().status), samples.now, count],
    );

  const insertLetters = (tenantId: string, count: number) =>
    database.pool.query(
      `insert into letters (tenant_id, letter_id, connector_id, status, ever_connected, labels, contact_info, created_at, updated_at, status_since)
       select $1, ${id}, 'fra:bank', 'Signed', false, '{}', $2, ${moment}, ${moment}, ${moment} from generate_series(1, $4::integer) n`,
      [tenantId, "{}", samples.now, count],
    );

  const insertClients = (tenantId: string, count: number) =>
    database.pool.query(
      `insert into clients (tenant_id, client_ref, name, search_key, created_at)
       select $1, 'M-' || nr, 'Name ' || nr, 'm-' || nr || chr(10) || 'name ' || nr, $2
       from generate_series(1, $3::integer) n, lateral (select lpad(n::text, 5, '0') as nr) padded`,
      [tenantId, samples.now, count],
    );

  /** Their source is called like the tenant. */
  const insertFiles = async (tenantId: string, count: number) => {
    await database.pool.query(
      `insert into feed_sources (source, kind, sealed_settings, is_enabled, created_at, changed_at) values ($1, 'push', '', true, $2, $2)`,
      [tenantId, samples.now],
    );
    await database.pool.query(
      `insert into feed_source_files (file_id, source, name, size, sha256, state, came_at, settled_at, seen_at)
       select ${id}, $1, 'file', 1, n::text, $2, ${moment}, ${moment}, ${moment} from generate_series(1, $4::integer) n`,
      [tenantId, count === FEW ? "dropped" : "taken", samples.now, count],
    );
  };

  const insertDeliveries = async (tenantId: string, count: number) => {
    await database.pool.query(
      `insert into events (tenant_id, event_id, sequence, type, created_at, object_id, data)
       select $1, ${id}, n, $2, ${moment}, '', '{}' from generate_series(1, $4::integer) n`,
      [tenantId, "grant.ended", samples.now, count],
    );
    await database.pool.query(
      `insert into webhook_deliveries (tenant_id, endpoint_id, sequence, state)
       select $1::uuid, $1::uuid, n, 'delivered' from generate_series(1, $2::integer) n`,
      [tenantId, count],
    );
  };

  const insertSessions = (tenantId: string, count: number) =>
    database.pool.query(
      `insert into sessions (tenant_id, session_id, application_id, status, relogin, labels, language, link_hash, attempts, created_at, updated_at, expires_at, version)
       select $1, ${id}, 'app', $2, false, '{}', 'en', gen_random_uuid(), 0, ${moment}, ${moment}, ${moment}, 0 from generate_series(1, $4::integer) n`,
      [tenantId, "Finished:OK", samples.now, count],
    );

  const insertGrants = (tenantId: string, count: number) =>
    database.pool.query(
      `insert into grants (grant_id, tenant_id, application_id, client_id, secret_id, flow, scopes, audience, created_at, refresh_seconds, refresh_expires_at, last_issued_at, token_hash, is_confidential)
       select ${id}, $1, $2, 'client', $2, 'machine', '{}', '{}', ${moment}, 1, 'infinity', ${moment}, '', true from generate_series(1, $4::integer) n`,
      [tenantId, samples.newId(), samples.now, count],
    );
});

/** Row number `n` of so many: ids rise with time, and differ between the tenants. */
const id = "lpad(to_hex($4::bigint * 100000 + n), 32, '0')::uuid";
const moment = "($3::timestamptz + n * interval '1 second')";

function idAt(count: number, number = count / 2): Uuid {
  return (count * 100_000 + number)
    .toString(16)
    .padStart(32, "0")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") as Uuid;
}

function textOf(query: unknown, values: unknown): [text: string, values: readonly unknown[]] {
  if (typeof query === "string") return [query, (values as readonly unknown[] | undefined) ?? []];
  const asked = query as { readonly text?: string; readonly values?: readonly unknown[] };
  return [asked.text ?? "", asked.values ?? []];
}
