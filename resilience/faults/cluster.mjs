// `CITUS_BIN=/usr/lib/postgresql/15/bin node resilience/faults/cluster.mjs [holdings]`: a Citus cluster of a coordinator and two workers, with two
// tenants on different workers that are constantly read and written. One of them is moved to a node of its own and from node to node; then its worker
// is killed and restarted. The argument adds that many holdings to the moved tenant, none by default; with a million the moves take longer, and
// writes wait longer at their end. Exits with 1 if a statement of the other tenant fails, if a move causes an error, or if acknowledged data are
// lost. CITUS_BIN is the program folder of a PostgreSQL with Citus.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { clusterState, distributeCluster, migrate, openStorage } from "@org/storage-postgres";
import pg from "pg";
import { startBreakablePostgres } from "./postgres-to-break.mjs";

const programs = process.env.CITUS_BIN;
if (!programs) throw new Error("CITUS_BIN is not set: the folder of the programs of a PostgreSQL with Citus");
/** A publication must complete within the time limit of a statement. */
const AT_A_CONNECTION = 25_000;
const [besides = 0] = process.argv.slice(2).map(Number);
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
    // PostgreSQL versions since 2026 decode the log only for listed plugins; older versions do not have this setting.
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
  if (besides > 0) {
    const started = performance.now();
    for (let left = besides; left > 0; left -= AT_A_CONNECTION) {
      const connection_id = await createConnection(pool, moved.tenant_id);
      await publish(storage, moved.tenant_id, connection_id, Math.min(left, AT_A_CONNECTION));
    }
    console.log(`${besides} holdings of the tenant that moves, published in ${secondsSince(started)}`);
  }
  const loads = [startLoad(storage, moved, besides), startLoad(storage, other)];
  const [ofMoved, ofOther] = loads;
  await delay(2_000);

  console.log("\na tenant goes to a shard of its own, and from worker to worker");
  let started = performance.now();
  const { rows } = await pool.query(
    "select isolate_tenant_to_new_shard('holdings', $1::text, 'CASCADE', shard_transfer_mode := 'force_logical') as shard",
    [moved.tenant_id],
  );
  console.log(`      a shard of its own after ${secondsSince(started)}; ${ofMoved.since()}`);
  for (let turn = 0; turn < 2; turn += 1) {
    started = performance.now();
    const from = await portOf(moved);
    const to = workers.find(({ port }) => port !== from).port;
    await pool.query("select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'force_logical')", [
      rows[0].shard,
      from,
      to,
    ]);
    const took = secondsSince(started);
    check("it is on the other worker", (await portOf(moved)) === to, `${from} to ${to} in ${took}; ${ofMoved.since()}`);
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
  const { obstacles } = await clusterState(pool);
  check("doctor is told of the worker", obstacles.join().includes(`${port} does not answer`), obstacles.join("; "));
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
  check("doctor has nothing to say of it", (await clusterState(pool)).obstacles.length === 0);
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
  const tenant_id = randomUUID();
  await pool.query(
    "insert into tenants (tenant_id, name, name_key, created_at) values ($1::uuid, $1::text, $1::text, now())",
    [tenant_id],
  );
  await pool.query("insert into tenant_revisions (tenant_id) values ($1)", [tenant_id]);
  return { tenant_id, connection_id: await createConnection(pool, tenant_id) };
}

async function createConnection(pool, tenant_id) {
  const connection_id = randomUUID();
  const status = {
    pending: false,
    blocked: false,
    errored: { product: { auth: false, portfolio: false, investment: false }, transaction: { investment: false } },
  };
  await pool.query(
    `insert into connections (tenant_id, connection_id, connector_id, bank, bank_key, provider, labels, status, created_at)
    values ($1, $2, 'x', 'Bank', 'bank', 'p', '{}', $3, now())`,
    [tenant_id, connection_id, status],
  );
  return connection_id;
}

/** Publishes in one transaction, as a fetch does. */
function publish({ inTenant }, tenant_id, connection_id, count) {
  const portfolio_id = randomUUID();
  const at = new Date();
  const holdings = Array.from({ length: count }, () => ({
    holding_id: randomUUID(),
    portfolio_id,
    name: "n",
    isin: null,
    amount: "1",
    balance: "1.50",
    currency: "EUR",
    valuation_date: null,
    type: "S",
    subtype: null,
    facts: null,
  }));
  return inTenant(tenant_id, ({ snapshots }) =>
    snapshots.publish({ connection_id, as_of: at, published_at: at, portfolios: null, holdings, transactions: null }),
  );
}

function secondsSince(started) {
  return `${((performance.now() - started) / 1_000).toFixed(1)} s`;
}

/**
 * Publishes and reads without pause. Each publication has as many holdings as its number, plus `besides`. Readers must see the acknowledged number,
 * or that of the publication in progress.
 */
function startLoad(storage, { tenant_id, connection_id }, besides = 0) {
  const errors = [];
  let [isOver, published, attempted, reads, slowest, slowestSince, refused] = [false, 0, 0, 0, 0, 0, 0];
  const query = {
    connection_ids: null,
    revision: null,
    page: 1,
    page_size: 500,
    fields: ["id"],
    with_facts: false,
    include_source_token: false,
    portfolio_id: null,
    currencies: null,
    types: null,
    subtypes: null,
    min_balance: null,
  };
  const timed = async (work) => {
    const start = performance.now();
    try {
      await work();
    } catch (error) {
      errors.push(error.message.slice(0, 120));
      refused += 1;
    }
    slowest = Math.max(slowest, performance.now() - start);
    slowestSince = Math.max(slowestSince, performance.now() - start);
  };
  const read = async () => {
    const known = published;
    const page = await storage.reader.holdings(tenant_id, query);
    const total = page.total - besides;
    if (total < known || total > attempted) throw new Error(`lost: ${total} holdings, of ${known} to ${attempted}`);
    reads += 1;
  };
  const publishMore = async () => {
    attempted += 1;
    const count = attempted;
    await publish(storage, tenant_id, connection_id, count);
    published = count;
  };
  const loop = async (work, pause) => {
    while (!isOver) {
      await timed(work);
      await delay(pause);
    }
  };
  const running = [loop(read, 20), loop(publishMore, 100)];
  return {
    errors,
    count: () => reads + published,
    done: () => `${published} publications, ${reads} reads`,
    said: () => (errors.length === 0 ? "none" : `${errors.length} (${[...new Set(errors)].slice(0, 3).join(" | ")})`),
    slowest: () => Math.round(slowest),
    /** Figures since the previous call. */
    since() {
      const said = `slowest statement ${(slowestSince / 1_000).toFixed(1)} s, ${refused} refused`;
      [slowestSince, refused] = [0, 0];
      return said;
    },
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
