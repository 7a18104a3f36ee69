// `CITUS_BIN=… node scripts/citus.mjs run -- node bench/src/cluster.mjs [turns]`: the cost of store calls on a database distributed over a Citus
// cluster, compared with one PostgreSQL (the coordinator, without Citus in that database). The two alternate in turns; the figure is the lowest of
// the turns' median times. It also measures the processor time per call, which other work on the machine affects less: of this process (the store),
// the coordinator and the workers.
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { distributeCluster, migrate, openStorage } from "@org/storage-postgres";
import pg from "pg";

const TURNS = Number(process.argv[2] ?? 8);
const READS = 200;
const PUBLICATIONS = 12;
const CONNECTIONS = 5;
const HOLDINGS = 200;
const nodes = [process.env.TEST_DATABASE_URL, ...(process.env.TEST_CITUS_WORKERS?.split(",") ?? [])];
if (nodes.length < 2) throw new Error("TEST_CITUS_WORKERS is not set: run it by scripts/citus.mjs");

const systems = { "one PostgreSQL": await prepare("bench_plain", false), Citus: await prepare("bench_citus", true) };
/** Process ids of the servers of coordinator and workers. */
const servers = { coordinator: new Set([await serverOf(nodes[0])]), workers: new Set() };
for (const node of nodes.slice(1)) servers.workers.add(await serverOf(node));
const least = {};
for (let turn = 0; turn < TURNS; turn += 1)
  for (const [system, { storage, tenant }] of Object.entries(systems))
    for (const [call, [times, work]] of Object.entries(callsOf(storage, tenant))) {
      const before = processorMs();
      keepLeast(`${call}|${system}|time`, await medianOf(times, work));
      const used = { store: 0, coordinator: 0, workers: 0 };
      for (const { pid, whose, milliseconds } of processorMs().values())
        used[whose] += (milliseconds - (before.get(pid)?.milliseconds ?? 0)) / times;
      keepLeast(
        `${call}|${system}|processor`,
        Object.values(used).reduce((sum, one) => sum + one, 0),
        used,
      );
    }

console.log("| call | | one PostgreSQL | Citus | ratio |\n|---|---|---|---|---|");
for (const call of Object.keys(callsOf(systems.Citus.storage, systems.Citus.tenant)))
  for (const what of ["time", "processor"]) {
    const [one, citus] = ["one PostgreSQL", "Citus"].map((system) => least[`${call}|${system}|${what}`]);
    const ratio = (citus.value / one.value).toFixed(2);
    console.log(`| ${call} | ${what} | ${one.value.toFixed(2)} ms | ${citus.value.toFixed(2)} ms | ${ratio} |`);
    if (what === "processor") console.log(`| | where | ${inWords(one.parts)} | ${inWords(citus.parts)} | |`);
  }
for (const { close } of Object.values(systems)) await close();

function callsOf({ reader, inTenant }, { tenant_id, connection_ids }) {
  const all = {
    connection_ids: null,
    revision: null,
    page: 1,
    page_size: 50,
    with_facts: false,
    include_source_token: false,
  };
  const fields = ["id", "name", "balance", "currency"];
  const holdings = {
    ...all,
    fields,
    portfolio_id: null,
    currencies: null,
    types: null,
    subtypes: null,
    min_balance: null,
  };
  const transactions = { ...all, fields: ["id", "balance"], holding_id: null, start_date: null, end_date: null };
  return {
    "page of 50 holdings": [READS, () => reader.holdings(tenant_id, holdings)],
    "the same with a filter": [READS, () => reader.holdings(tenant_id, { ...holdings, currencies: ["EUR"] })],
    "page of 50 transactions": [READS, () => reader.transactions(tenant_id, transactions)],
    [`publication of ${HOLDINGS} holdings`]: [PUBLICATIONS, () => publish({ inTenant }, tenant_id, connection_ids[0])],
  };
}

function publish({ inTenant }, tenant_id, connection_id) {
  const portfolio_id = randomUUID();
  const common = { portfolio_id, balance: "1.50", currency: "EUR", facts: null };
  const holdings = Array.from({ length: HOLDINGS }, () => ({
    ...common,
    holding_id: randomUUID(),
    name: "Some fund of shares",
    isin: "CH0012005267",
    amount: "1",
    valuation_date: "2026-01-01",
    type: "S",
    subtype: null,
  }));
  const transactions = Array.from({ length: 20 }, () => ({
    ...common,
    transaction_id: randomUUID(),
    holding_id: null,
    operation_date: "2026-01-01",
    description: "Payment",
    amount: "1",
    unit_price: null,
  }));
  const at = new Date();
  return inTenant(tenant_id, ({ snapshots }) =>
    snapshots.publish({ connection_id, as_of: at, published_at: at, portfolios: null, holdings, transactions }),
  );
}

function inWords(parts) {
  return Object.entries(parts)
    .map(([of, milliseconds]) => `${of} ${milliseconds.toFixed(2)}`)
    .join(", ");
}

async function medianOf(times, work) {
  const taken = [];
  for (let time = 0; time < times; time += 1) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)];
}

/** The processor time of this process, and of all processes below the coordinator and the workers. */
function processorMs() {
  const { user, system } = process.cpuUsage();
  const used = new Map([["store", { pid: "store", whose: "store", milliseconds: (user + system) / 1_000 }]]);
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const parent = parentOf(pid);
    const whose = Object.keys(servers).find((name) => servers[name].has(parent));
    const milliseconds = Number(textOf(`/proc/${pid}/schedstat`).split(" ")[0]) / 1_000_000;
    if (whose) used.set(pid, { pid, whose, milliseconds });
  }
  return used;
}

function parentOf(pid) {
  return textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) \S /, "")
    .split(" ")[0];
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function keepLeast(name, value, parts) {
  if (value < (least[name]?.value ?? Number.POSITIVE_INFINITY)) least[name] = { value, parts };
}

async function prepare(database, isSpread) {
  const urls = nodes.map((node) => Object.assign(new URL(node), { pathname: `/${database}` }).href);
  for (const node of isSpread ? nodes : nodes.slice(0, 1)) await once(node, `create database ${database}`);
  const pool = new pg.Pool({ connectionString: urls[0], max: 2 });
  await migrate(pool);
  if (isSpread) {
    for (const url of urls) await once(url, "create extension citus");
    const [coordinator, ...workers] = urls.map((url) => new URL(url));
    await pool.query("select citus_set_coordinator_host($1, $2)", [coordinator.hostname, Number(coordinator.port)]);
    for (const { hostname, port } of workers)
      await pool.query("select citus_add_node($1, $2)", [hostname, Number(port)]);
    await distributeCluster(pool);
  }
  const { storage, close } = await openStorage({ databaseUrl: urls[0] }, () => new Date());
  const tenant = await createTenant(pool);
  for (const connection_id of tenant.connection_ids) await publish(storage, tenant.tenant_id, connection_id);
  await pool.query("analyze");
  await pool.end();
  return { storage, tenant, close };
}

async function serverOf(node) {
  const client = new pg.Client({ connectionString: node });
  await client.connect();
  const { rows } = await client.query("select pg_backend_pid() as pid");
  const server = parentOf(rows[0].pid);
  await client.end();
  return server;
}

async function createTenant(pool) {
  const tenant = { tenant_id: randomUUID(), connection_ids: Array.from({ length: CONNECTIONS }, () => randomUUID()) };
  const { tenant_id } = tenant;
  const status = {
    pending: false,
    blocked: false,
    errored: { product: { auth: false, portfolio: false, investment: false }, transaction: { investment: false } },
  };
  await pool.query(
    "insert into tenants (tenant_id, name, name_key, created_at) values ($1::uuid, $1::text, $1::text, now())",
    [tenant_id],
  );
  await pool.query("insert into tenant_revisions (tenant_id) values ($1)", [tenant_id]);
  for (const connection_id of tenant.connection_ids)
    await pool.query(
      `insert into connections (tenant_id, connection_id, connector_id, bank, bank_key, provider, labels, status, created_at)
      values ($1, $2, 'x', 'Bank', 'bank', 'p', '{}', $3, now())`,
      [tenant_id, connection_id, status],
    );
  return tenant;
}

async function once(url, sql) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}
