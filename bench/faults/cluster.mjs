// `CITUS_BIN=/usr/lib/postgresql/15/bin node bench/faults/cluster.mjs`: a Citus cluster of a coordinator and two workers, on it two tenants
// on different workers that are read and written all the time. One of them is moved to a node of its own and from node to node;
// then its worker is killed and comes back. Ends with 1 when a statement of the other tenant fails, when a move costs anybody an error, or
// when something is lost that was acknowledged. CITUS_BIN is the folder of the programs of a PostgreSQL with Citus.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { distributeCluster, migrate, openStorage } from "@org/storage-postgres";
import pg from "pg";
import { startBreakablePostgres } from "./postgres-to-break.mjs";

const programs = process.env.CITUS_BIN;
if (!programs) throw new Error("CITUS_BIN is not set: the folder of the programs of a PostgreSQL with Citus");
const faults = [];
const check = (what, holds, seen) => {
  console.log(`${holds ? "ok  " : "FAIL"}  ${what}${seen === undefined ? "" : `: ${seen}`}`);
  if (!holds) faults.push(what);
};

const more = ["shared_preload_libraries=citus", "wal_level=logical", "max_prepared_transactions=200"];
const nodes = [];
for (let node = 0; node < 3; node += 1)
  nodes.push(await startBreakablePostgres({ programs, maxConnections: 200, more }));
try {
  await trial();
} finally {
  for (const node of nodes) node.remove();
}
process.exit(faults.length > 0 ? 1 : 0);

async function trial() {
  const [coordinator, ...workers] = nodes;
  const pool = new pg.Pool({ connectionString: coordinator.url, max: 3 });
  pool.on("error", () => undefined);
  await migrate(pool);
  for (const { url } of nodes) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("create extension citus");
    // Since 2026 PostgreSQL decodes its log for the plugins only that it is told of; versions before know no such setting.
    await client.query("alter system set output_plugin_libraries = pgoutput, citus").catch(() => undefined);
    await client.query("select pg_reload_conf()");
    await client.end();
  }
  await pool.query("select citus_set_coordinator_host('127.0.0.1', $1)", [coordinator.port]);
  for (const { port } of workers) await pool.query("select citus_add_node('127.0.0.1', $1)", [port]);
  await distributeCluster(pool);

  const { storage, close } = await openStorage({ databaseUrl: coordinator.url }, () => new Date());
  const portOf = async ({ tenant_id }) =>
    (
      await pool.query(
        "select nodeport from citus_shards where shardid = get_shard_id_for_distribution_column('holdings', $1::uuid)",
        [tenant_id],
      )
    ).rows[0].nodeport;
  const moved = await createTenant(pool);
  let other = await createTenant(pool);
  while ((await portOf(other)) === (await portOf(moved))) other = await createTenant(pool);
  const loads = [moved, other].map((tenant) => startLoad(storage, tenant));
  const [ofMoved, ofOther] = loads;
  await delay(2_000);

  console.log("\na tenant goes to a shard of its own, and from worker to worker");
  const { rows } = await pool.query(
    "select isolate_tenant_to_new_shard('holdings', $1::text, 'CASCADE', shard_transfer_mode := 'force_logical') as shard",
    [moved.tenant_id],
  );
  for (let turn = 0; turn < 2; turn += 1) {
    const from = await portOf(moved);
    const to = workers.find(({ port }) => port !== from).port;
    await pool.query("select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'force_logical')", [
      rows[0].shard,
      from,
      to,
    ]);
    check("it is on the other worker", (await portOf(moved)) === to, `${from} to ${to}`);
  }
  for (const [name, load] of Object.entries({ moved: ofMoved, other: ofOther }))
    check(
      `no statement of the ${name} tenant failed`,
      load.errors.length === 0,
      `${load.done()}, errors ${load.said()}`,
    );

  console.log("\nits worker is killed and comes back");
  const port = await portOf(moved);
  const worker = workers.find((node) => node.port === port);
  check("the other tenant is elsewhere", (await portOf(other)) !== port);
  const before = ofOther.count();
  worker.kill();
  await delay(5_000);
  const during = ofOther.count() - before;
  check("the moved tenant's statements fail", ofMoved.errors.length > 0, ofMoved.said());
  check(
    "the other tenant's go on",
    during > 20 && ofOther.errors.length === 0,
    `${during} in 5 s, slowest ${ofOther.slowest()} ms, errors ${ofOther.said()}`,
  );
  await worker.start();
  await delay(6_000);
  const failures = ofMoved.errors.length;
  const back = ofMoved.count();
  await delay(2_000);
  check("the moved tenant's go on again", ofMoved.count() > back && ofMoved.errors.length === failures);
  for (const load of loads) await load.stop();
  for (const [name, load] of Object.entries({ moved: ofMoved, other: ofOther })) {
    const lost = await load.lost();
    check(`all that the ${name} tenant was told is kept is there`, lost === null, lost ?? load.done());
  }
  const prepared = async () =>
    (await Promise.all(workers.map(({ url }) => countPrepared(url)))).reduce((sum, count) => sum + count, 0);
  await pool.query("select recover_prepared_transactions()");
  check("no transaction is left half done", (await prepared()) === 0);
  await close();
  await pool.end();
}

async function createTenant(pool) {
  const tenant = { tenant_id: randomUUID(), connection_id: randomUUID() };
  const { tenant_id, connection_id } = tenant;
  await pool.query(
    "insert into tenants (tenant_id, name, name_key, created_at) values ($1::uuid, $1::text, $1::text, now())",
    [tenant_id],
  );
  await pool.query("insert into tenant_revisions (tenant_id) values ($1)", [tenant_id]);
  const status = {
    ...{ pending: false, blocked: false },
    errored: { product: { auth: false, portfolio: false, investment: false }, transaction: { investment: false } },
  };
  await pool.query(
    `insert into connections (tenant_id, connection_id, connector_id, bank, bank_key, provider, labels, status, created_at)
    values ($1, $2, 'x', 'Bank', 'bank', 'p', '{}', $3, now())`,
    [tenant_id, connection_id, status],
  );
  return tenant;
}

/** Publishes and reads without a pause: each publication has as many holdings as its number, and readers never see fewer than were acknowledged. */
function startLoad(storage, { tenant_id, connection_id }) {
  const errors = [];
  let [isOver, published, attempted, reads, slowest] = [false, 0, 0, 0, 0];
  const query = {
    ...{
      connection_ids: null,
      revision: null,
      page: 1,
      page_size: 500,
      fields: ["id"],
      with_facts: false,
      include_source_token: false,
    },
    ...{ portfolio_id: null, currencies: null, types: null, subtypes: null, min_balance: null },
  };
  const timed = async (work) => {
    const start = performance.now();
    try {
      await work();
    } catch (error) {
      errors.push(error.message.slice(0, 120));
    }
    slowest = Math.max(slowest, performance.now() - start);
  };
  const read = async () => {
    const known = published;
    const page = await storage.reader.holdings(tenant_id, query);
    if (page.total < known) throw new Error(`lost: ${page.total} of ${known} holdings`);
    reads += 1;
  };
  const publish = async () => {
    attempted += 1;
    const count = attempted;
    const portfolio_id = randomUUID();
    const at = new Date();
    const holdings = Array.from({ length: count }, () => ({
      ...{
        holding_id: randomUUID(),
        portfolio_id,
        name: "n",
        isin: null,
        amount: "1",
        balance: "1.50",
        currency: "EUR",
      },
      ...{ valuation_date: null, type: "S", subtype: null, facts: null },
    }));
    await storage.inTenant(tenant_id, ({ snapshots }) =>
      snapshots.publish({ connection_id, as_of: at, published_at: at, portfolios: null, holdings, transactions: null }),
    );
    published = count;
  };
  const loop = async (work, pause) => {
    while (!isOver) {
      await timed(work);
      await delay(pause);
    }
  };
  const running = [loop(read, 20), loop(publish, 100)];
  return {
    errors,
    count: () => reads + published,
    done: () => `${published} publications, ${reads} reads`,
    said: () => (errors.length === 0 ? "none" : `${errors.length} (${[...new Set(errors)].slice(0, 3).join(" | ")})`),
    slowest: () => Math.round(slowest),
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
    async lost() {
      try {
        await read();
        return errors.find((message) => message.startsWith("lost")) ?? null;
      } catch (error) {
        return error.message;
      }
    },
  };
}

async function countPrepared(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select count(*)::integer as count from pg_prepared_xacts");
  await client.end();
  return rows[0].count;
}
