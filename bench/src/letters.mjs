import { openStorage } from "@org/storage-postgres";
import pg from "pg";
import { goal, median, medianRatio } from "./measuring/figures.mjs";
import { letterQuery } from "./product/letter-searches.mjs";
import { installLetters, LETTERS, withClient } from "./product/letters.mjs";

const OURS = "ours";
const CUSTOM = "GIN + btree, planned for the values";
const GENERIC = "GIN + btree, prepared once";
const CONCURRENCIES = [1, 8];
const DEEP_SEARCHES = 60;

/**
 * Searches among a million letters on PostgreSQL, each for a page and the exact total, through `Storage` as the server calls it, with its role and
 * row-level security. They are compared with the obvious design, seeded in the same database: labels in a GIN index (jsonb_path_ops) and a btree for
 * the order, with two statements in a transaction like other work of tenants, but without row-level security, with which PostgreSQL could not use the
 * GIN index.
 *
 * Options: `rounds`, `turns` in a round, `seconds` of a turn.
 */
export async function run({ databaseUrl, rounds = 2, turns = 4, seconds = 3 }) {
  const { databaseUrl: url, tenantId } = await installLetters(databaseUrl);
  const samples = await withClient(url, async (client) => {
    await seedPeer(client);
    return mixtureOf(client, tenantId);
  });
  const opened = await openStorage({ databaseUrl: url, connections: 8 }, () => new Date());
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  const targets = {
    [OURS]: (query) => opened.storage.letterFinder.search(tenantId, query),
    [CUSTOM]: (query) => searchPeer(pool, tenantId, query, false),
    [GENERIC]: (query) => searchPeer(pool, tenantId, query, true),
  };
  const raw = [];
  const deep = [];
  try {
    await compare(targets, samples);
    for (let round = 1; round <= rounds; round += 1)
      for (const connections of CONCURRENCIES)
        for (let turn = 1; turn <= turns; turn += 1) {
          const order = Object.keys(targets);
          for (const target of turn % 2 === 0 ? order.toReversed() : order)
            raw.push({
              target,
              connections,
              round,
              turn,
              ...(await load(targets[target], samples, connections, seconds)),
            });
        }
    for (const [target, search] of Object.entries(targets)) deep.push({ target, milliseconds: await deepPage(search) });
  } finally {
    await opened.close();
    await pool.end();
  }
  return reportOf(raw, deep, { rounds, turns, seconds });
}

/** The same letters in one table, with GIN for the labels, and btrees for the order and for lookups. */
async function seedPeer(client) {
  await client.query("set statement_timeout = 0");
  await client.query("set maintenance_work_mem = '512MB'");
  await client.query("create table peer_letters as select * from letters");
  await client.query("alter table peer_letters add primary key (tenant_id, letter_id)");
  await client.query("create index on peer_letters (tenant_id, created_at desc, letter_id desc) include (status)");
  await client.query("create index on peer_letters using gin (labels jsonb_path_ops)");
  await client.query("grant select on peer_letters to wealth_connect_app");
  await client.query("vacuum analyze peer_letters");
}

/** Two statements in a transaction: they are faster than `count(*) over ()`. */
async function searchPeer(pool, tenantId, { labels, status_in, page, page_size }, isPrepared) {
  const conditions = ["tenant_id = $1"];
  const values = [tenantId];
  if (Object.keys(labels).length > 0) conditions.push(`labels @> $${values.push(JSON.stringify(labels))}`);
  if (status_in) conditions.push(`status = any($${values.push(status_in)}::text[])`);
  const where = conditions.join(" and ");
  const ask = (client, text, given) =>
    client.query({
      text,
      values: given,
      ...(isPrepared && { name: `${text.length} ${conditions.length} ${conditions.at(-1)}` }),
    });
  const client = await pool.connect();
  try {
    await client.query(
      `begin; select set_config('role', 'wealth_connect_app', true), set_config('plan_cache_mode', '${isPrepared ? "force_generic_plan" : "auto"}', true)`,
    );
    const { rows: items } = await ask(
      client,
      `select letter_id, connector_id, status, previous_status, ever_connected, labels, contact_info, connection_id, observations,
         created_at, updated_at
       from peer_letters where ${where} order by created_at desc, letter_id desc
       limit $${values.length + 1} offset $${values.length + 2}`,
      [...values, page_size, (page - 1) * page_size],
    );
    const { rows } = await ask(client, `select count(*) as total from peer_letters where ${where}`, values);
    await client.query("commit");
    return { items, total: Number(rows[0].total) };
  } finally {
    client.release();
  }
}

/** Of ten searches, six are for a client's letters, two for a desk's (21,000), two for a status (200,000); one in five asks for a later page. */
async function mixtureOf(client, tenantId) {
  const { rows } = await client.query(
    "select labels ->> 'client' as client from letters where tenant_id = $1 and mod(hashtext(letter_id::text), 700) = 1",
    [tenantId],
  );
  const clients = rows.map((row) => row.client);
  const queries = [];
  for (let index = 0; index < 500; index += 1) {
    const kind = index % 10;
    if (kind < 6) queries.push({ labels: { client: clients[index % clients.length] } });
    else if (kind < 8)
      queries.push({ labels: { desk: `desk-${index % 38}` }, page: kind === 7 ? 1 + (index % 100) : 1 });
    else queries.push({ status_in: ["Connected"], page: kind === 9 ? 1 + (index % 100) : 1 });
  }
  return queries.map(letterQuery);
}

async function compare(targets, samples) {
  for (const query of samples.slice(0, 20)) {
    const answers = await Promise.all(Object.values(targets).map((search) => search(query)));
    const [first, ...others] = answers.map(({ items, total }) =>
      JSON.stringify([total, items.map((item) => item.letter_id)]),
    );
    if (others.some((other) => other !== first))
      throw new Error(`the designs answer differently: ${JSON.stringify(query)}`);
  }
}

/** A closed loop of `connections` concurrent searches; latencies in milliseconds. */
async function load(search, samples, connections, seconds) {
  const latencies = [];
  const started = performance.now();
  let next = 0;
  const loop = async () => {
    while (performance.now() - started < seconds * 1000) {
      const query = samples[next++ % samples.length];
      const asked = performance.now();
      await search(query);
      latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const elapsed = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  const quantile = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  return { searches: latencies.length, perSecond: latencies.length / elapsed, p50: quantile(0.5), p99: quantile(0.99) };
}

async function deepPage(search) {
  const times = [];
  for (let time = 0; time < DEEP_SEARCHES; time += 1) {
    const query = letterQuery({ labels: { desk: `desk-${time % 38}` }, page: 500 });
    const asked = performance.now();
    await search(query);
    times.push(performance.now() - asked);
  }
  return median(times);
}

function reportOf(raw, deep, { rounds, turns, seconds }) {
  const of = (target, connections, field) =>
    median(raw.filter((row) => row.target === target && row.connections === connections).map((row) => row[field]));
  const targets = [OURS, CUSTOM, GENERIC];
  const better = Math.min(
    ...[CUSTOM, GENERIC].map((peer) => medianRatio(raw, "perSecond", OURS, peer, { connections: 1 })),
  );
  return {
    title: `Letter search: ${LETTERS.toLocaleString("en")} letters, 800,000 of one tenant`,
    notes:
      `Medians of ${rounds} rounds of ${turns} turns of ${seconds} s, taken in alternating order. Each search answers a page of 20 and the exact total. ` +
      "Of ten searches six are for a client's label (6 letters), two for a desk's (21,000), two by status (200,000); one in five is for a later page, up to 100. " +
      "The other design runs without row-level security, with which it could not use its GIN index.",
    tables: [
      ...CONCURRENCIES.map((connections) => ({
        caption: `Mixed load, c = ${connections}`,
        head: ["design", "searches/s", "ours against it", "p50 ms", "p99 ms"],
        rows: targets.map((target) => [
          target,
          of(target, connections, "perSecond"),
          medianRatio(raw, "perSecond", OURS, target, { connections }),
          of(target, connections, "p50"),
          of(target, connections, "p99"),
        ]),
      })),
      {
        caption: `Page 500 of a label with 21,000 letters, and the total: median of ${DEEP_SEARCHES}`,
        head: ["design", "ms"],
        rows: deep.map(({ target, milliseconds }) => [target, milliseconds]),
      },
    ],
    goals: [
      goal("p50 of the mixed load, c = 1, ms", of(OURS, 1, "p50"), { atMost: 0.8 }),
      goal("p99 of the mixed load, c = 1, ms", of(OURS, 1, "p99"), { atMost: 7 }),
      goal("searches/s against the better of the other designs, c = 1", better, { atLeast: 5 }),
      goal("page 500 of a label with its total, ms", deep[0].milliseconds, { atMost: 8 }),
      goal("p99 of the mixed load, c = 8, ms", of(OURS, 8, "p99"), { atMost: 100 }),
    ],
    raw,
  };
}
