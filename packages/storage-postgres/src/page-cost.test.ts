import { dataSorts, LOOKED_THROUGH, MAX_LISTED_SOURCES } from "@org/core";
import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { createPostgresTestDatabase, type TestDatabase, testCitusWorkers, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

/** Blocks that the page itself and the index above it may take. */
const BLOCKS = 30;

describe.skipIf(!testDatabaseUrl)("what a page reads on PostgreSQL", () => {
  let database: TestDatabase;
  let storage: ReturnType<typeof createPostgresStorage>;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterAll(() => database?.close());

  it("[C-9.550] a page out of 10,000 rows reads as many blocks as one out of 100, from their middle too", async () => {
    for (const read of ["read_portfolios", "read_holdings"]) {
      const few = await blocksOf(read, await tenantWith(100), 40);
      const many = await blocksOf(read, await tenantWith(10_000), 4_000);
      expect(many - few, read).toBeLessThan(BLOCKS);
    }
  });

  // On a cluster a sorted page is a search.
  it.skipIf(testCitusWorkers.length > 0)(
    "[C-4.94] [C-14.1058] a sorted page over all of a tenant with many connections reads as many blocks of 10,000 rows as of 100, with equal and unknown values too",
    async () => {
      const [few, many] = [await sortedTenant(100), await sortedTenant(10_000)];
      for (const [rows, sorts] of [
        ["portfolios", dataSorts.portfolio],
        ["holdings", dataSorts.investment],
      ] as const)
        for (const sort of sorts) {
          const page = `read_sorted_${rows}($1, null, $2, 20, null, false, now(), '${sort}')`;
          const difference = (await blocksOfRead(page, [many, 20])) - (await blocksOfRead(page, [few, 20]));
          expect(difference, `${rows}: ${sort}`).toBeLessThan(BLOCKS);
        }
    },
  );

  it("[C-4.141] of 10,000 connections a page with accounts reads its own, and those that need attention are found by an index", async () => {
    const [few, many] = [await tenantOf(100), await tenantOf(10_000)];
    const later = samples.later(14 * 24 * 3_600).toISOString();
    const attention = (tenantId: string) => blocksOfList("null, false, $2, false, 0, 50", [tenantId, later]);
    expect((await attention(many)) - (await attention(few))).toBeLessThan(BLOCKS);
    // Counting the connections reads an index only.
    const counting = await blocksOfList("null, false, null, false, 0, 1", [many]);
    const accounts = (tenantId: string) => blocksOfList("null, false, null, true, 50, 50", [tenantId]);
    expect((await accounts(many)) - (await accounts(few))).toBeLessThan(counting + BLOCKS);
  });

  it("[C-8.92] what is missing of a complete period is looked for in that period", async () => {
    const connection = "(select connection_id from connections where tenant_id = $1)";
    const looked = (tenantId: string) =>
      blocksOfRead(`withdraw_missing($1, ${connection}, 99, now(), '[]', '2026-02-02')`, [tenantId]);
    const few = await looked(await tenantWithRows(100));
    expect((await looked(await tenantWithRows(10_000))) - few).toBeLessThan(BLOCKS);
  });

  it("[C-4.170] a late page that names bank and portfolio_id looks these up for its own rows only", async () => {
    const tenantId = await tenantWithRows(1_000);
    const [fields, named] = ["null", "array['bank', 'portfolio_id']"];
    const [accounts, holdings, movements] = ["null, null, null, null", nulls(7), nulls(6)];
    const reads: readonly ((offset: number, fields: string) => string)[] = [
      (offset, fields) =>
        `search_portfolios($1, null, null, ${offset}, 5, ${fields}, false, now(), 'name', '{}', ${accounts})`,
      (offset, fields) =>
        `search_portfolios($1, null, null, ${offset}, 5, ${fields}, false, now(), null, '{}', ${accounts})`,
      (offset, fields) =>
        `search_holdings($1, null, null, ${offset}, 5, ${fields}, false, now(), 'name', '{}', ${holdings})`,
      (offset, fields) =>
        `search_holdings($1, null, null, ${offset}, 5, ${fields}, false, now(), null, '{}', ${holdings})`,
      (offset, fields) =>
        `search_transactions($1, null, null, ${offset}, 5, ${fields}, false, now(), 'balance', '{}', ${movements})`,
      (offset, fields) => `read_transactions($1, null, null, ${offset}, 5, ${fields}, false, now())`,
    ];
    for (const read of reads) {
      const lookUps = async (offset: number) =>
        (await blocksOfRead(read(offset, named), [tenantId])) - (await blocksOfRead(read(offset, fields), [tenantId]));
      expect((await lookUps(990)) - (await lookUps(0)), read(0, named)).toBeLessThan(BLOCKS);
    }
  });

  it("[C-4.171] a page that names portfolio_id looks the portfolios of all its rows up together", async () => {
    const tenantId = await tenantWithRows(1_000);
    const reads: readonly ((fields: string) => string)[] = [
      (fields) => `read_holdings($1, null, null, 0, 500, ${fields}, false, now())`,
      (fields) => `search_holdings($1, null, null, 0, 500, ${fields}, false, now(), 'name', '{}', ${nulls(7)})`,
      (fields) => `read_transactions($1, null, null, 0, 500, ${fields}, false, now())`,
    ];
    for (const read of reads) {
      const blocks = (fields: string) => blocksOfRead(read(fields), [tenantId]);
      // Those of the connection's portfolios, and not some for each row.
      expect((await blocks("array['id', 'portfolio_id']")) - (await blocks("array['id']")), read("null")).toBeLessThan(
        100 + BLOCKS,
      );
    }
  });

  it("[C-14.850] looking up a word reads as many blocks of 10,000 letters that have it as of 1,000", async () => {
    const lookUp = async (word: string, count: number) => {
      const tenant = await samples.newTenant(storage);
      await database.pool.query(
        `insert into letters (tenant_id, letter_id, connector_id, status, ever_connected, labels, contact_info, created_at, updated_at, status_since)
         select $1, gen_random_uuid(), 'fra:bank', 'Signed', false, jsonb_build_object('label', $2::text), '{}', at, at, at
         from generate_series(1, $3::integer) number, lateral (select now() + number * interval '1 second' as at) moment`,
        [tenant.tenant_id, word, count],
      );
      await database.pool.query("vacuum analyze");
      return blocksOfRead(`look_up_letters_of_all(null, $1, ${LOOKED_THROUGH}, 5)`, [`'${word}':*`]);
    };
    const few = await lookUp("rarely", 1_000);
    expect((await lookUp("often", 10_000)) - few).toBeLessThan(BLOCKS);
  });

  it("[C-14.887] looking up a client reads as many blocks of 10,000 that match as of 1,000, and few where none does", async () => {
    const tenantOfClients = async (word: string, count: number) => {
      const tenant = await samples.newTenant(storage);
      await database.pool.query(
        `insert into clients (tenant_id, client_ref, name, search_key, created_at)
         select $1, 'M-' || number, $2, 'm-' || number || chr(10) || $2, now() from generate_series(1, $3::integer) number`,
        [tenant.tenant_id, word, count],
      );
      await database.pool.query("vacuum analyze");
      return tenant.tenant_id;
    };
    const lookUp = (tenantId: string, word: string) =>
      blocksOfRead(`look_up_clients($1, $2, ${LOOKED_THROUGH}, 5)`, [tenantId, `'${word}':*`]);
    const few = await lookUp(await tenantOfClients("rarely", 1_000), "rare");
    const many = await tenantOfClients("often", 10_000);
    expect(few).toBeGreaterThan(0);
    expect((await lookUp(many, "oft")) - few).toBeLessThan(BLOCKS);
    expect((await lookUp(many, "nowhere")) - few).toBeLessThan(BLOCKS);
  });

  it("[C-14.993] looking up a client reads as many blocks when 10,000 of another tenant match as when 1,000 do", async () => {
    const { tenant_id } = await samples.newTenant(storage);
    const withClients = async (word: string, count: number) => {
      const other = await samples.newTenant(storage);
      await database.pool.query(
        `insert into clients (tenant_id, client_ref, name, search_key, created_at)
         select $1, 'M-' || number, $2, 'm-' || number || chr(10) || $2, now() from generate_series(1, $3::integer) number`,
        [other.tenant_id, word, count],
      );
      await database.pool.query("vacuum analyze");
      return blocksOfRead(`look_up_clients($1, $2, ${LOOKED_THROUGH}, 5)`, [tenant_id, `'${word}':*`]);
    };
    const few = await withClients("scarcely", 1_000);
    expect((await withClients("mostly", 10_000)) - few).toBeLessThan(BLOCKS);
  });

  it("[C-14.893] a search of the work queue that finds nothing reads as many blocks of 10,000 overdue letters as of 1,000", async () => {
    const search = async (count: number) => {
      const tenant = await samples.newTenant(storage);
      await database.pool.query(
        `insert into letters (tenant_id, letter_id, connector_id, status, ever_connected, labels, contact_info, created_at, updated_at, status_since)
         select $1, gen_random_uuid(), 'fra:bank', 'Signed', false, '{"desk": "zurich"}', '{}', at, at, at
         from generate_series(1, $2::integer) number, lateral (select now() - number * interval '1 hour' - interval '9 days' as at) moment`,
        [tenant.tenant_id, count],
      );
      await database.pool.query("vacuum analyze");
      const kinds = `array['letter_overdue', 'letter_unmailed', 'letter_blocked', 'feed_silent', 'mail_failed']`;
      return blocksOfRead(
        `work_lines(null, ${kinds}, ${kinds}, '{"Signed": 3}', now(), 10000, null, null, null, 100, $1, $2)`,
        [tenant.tenant_id, JSON.stringify({ words: "nowhere", query: "'nowhere':*", is_snoozed: false })],
      );
    };
    const few = await search(1_000);
    expect(few).toBeGreaterThan(0);
    expect((await search(10_000)) - few).toBeLessThan(BLOCKS);
  });

  function nulls(count: number): string {
    return Array.from({ length: count }, () => "null").join(", ");
  }

  /** A tenant with one connection that has so many accounts, holdings and transactions. */
  async function tenantWithRows(count: number): Promise<string> {
    const tenant = await samples.newTenant(storage);
    const { connection_id } = await tenant.connect();
    const portfolios = Array.from({ length: count }, () => samples.portfolio());
    const holdings = portfolios.map(({ portfolio_id }) => samples.holding({ portfolio_id }));
    const transactions = holdings.map(({ portfolio_id, holding_id }) =>
      samples.transaction({ portfolio_id, holding_id }),
    );
    const [as_of, published_at] = [samples.now, samples.now];
    await tenant.run(({ snapshots }) =>
      snapshots.publish({ connection_id, as_of, published_at, portfolios, holdings, transactions }),
    );
    await database.pool.query("vacuum analyze");
    return tenant.tenant_id;
  }

  /** A tenant with so many connections, each with an account; five need attention. */
  async function tenantOf(count: number): Promise<string> {
    const tenant = await samples.newTenant(storage);
    const status = { ...samples.connection().status, pending: false, consent_expires_at: "2027-01-01T00:00:00.000Z" };
    const soon = { ...status, consent_expires_at: samples.later(3_600).toISOString() };
    const made = Array.from({ length: count }, (_, index) =>
      samples.connection({
        created_at: samples.later(index),
        status: index % (count / 5) === 0 ? (index === 0 ? soon : { ...status, blocked: true }) : status,
      }),
    );
    await tenant.run(async ({ connections, snapshots }) => {
      for (const record of made) await connections.create(record);
      const [as_of, published_at] = [samples.now, samples.now];
      for (const { connection_id } of made.slice(0, 100))
        await snapshots.publish({ connection_id, as_of, published_at, portfolios: [samples.portfolio()] });
    });
    await database.pool.query("vacuum analyze");
    return tenant.tenant_id;
  }

  function blocksOfList(list: string, values: readonly unknown[]): Promise<number> {
    return blocksOfRead(`list_connections($1, ${list}, null)`, values);
  }

  /** A tenant whose totals are kept, as it has many connections; one of them has so many portfolios and holdings, all of one name and day, if any. */
  async function sortedTenant(count: number): Promise<string> {
    const tenant = await samples.newTenant(storage);
    const [as_of, published_at] = [samples.now, samples.now];
    const ids = Array.from({ length: MAX_LISTED_SOURCES + 1 }, () => samples.connection());
    const balances = Array.from({ length: count }, (_, index) => `${index}.00`);
    const portfolios = balances.map((balance) => samples.portfolio({ balance }));
    const holdings = portfolios.map(({ portfolio_id, balance }, index) =>
      samples.holding({ portfolio_id, balance, ...(index % 2 === 0 && { valuation_date: null }) }),
    );
    await tenant.run(async ({ connections, snapshots }) => {
      for (const record of ids) await connections.create(record);
      const [{ connection_id }] = ids as [(typeof ids)[number]];
      await snapshots.publish({ connection_id, as_of, published_at, portfolios, holdings });
    });
    await database.pool.query("vacuum analyze");
    return tenant.tenant_id;
  }

  /** A tenant with one connection that has so many holdings, each in an account of its own. */
  async function tenantWith(count: number): Promise<string> {
    const tenant = await samples.newTenant(storage);
    const { connection_id } = await tenant.connect();
    const portfolios = Array.from({ length: count }, () => samples.portfolio());
    const holdings = portfolios.map(({ portfolio_id }) => samples.holding({ portfolio_id }));
    const [as_of, published_at] = [samples.now, samples.now];
    await tenant.run(({ snapshots }) =>
      snapshots.publish({ connection_id, as_of, published_at, portfolios, holdings }),
    );
    await database.pool.query("vacuum analyze");
    return tenant.tenant_id;
  }

  function blocksOf(read: string, tenantId: string, offset: number): Promise<number> {
    return blocksOfRead(`${read}($1, null, null, $2, 20, null, false, now())`, [tenantId, offset]);
  }

  async function blocksOfRead(read: string, values: readonly unknown[]): Promise<number> {
    const page = `explain (analyze, buffers, format json) select * from ${read}`;
    // The first one also reads the catalogue.
    await database.pool.query(page, [...values]);
    const { rows } = await database.pool.query(page, [...values]);
    return rows[0]["QUERY PLAN"][0].Plan["Shared Hit Blocks"];
  }
});
