import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createLetterOperations } from "@org/core";
import { openStorage } from "@org/storage-postgres";
import { goal, median, medianRatio } from "./measuring/figures.mjs";
import { installLetters, withClient } from "./product/letters.mjs";

const CONNECTIONS = 16;
const LOOPS = 8;
/** The interval at which the server numbers committed events. */
const NUMBERED_EVERY_MS = 50;
/** Linux counts CPU time in hundredths of a second. */
const TICK_MICROSECONDS = 10_000;
const [WITHOUT, WRITTEN, NUMBERED] = ["without events", "written", "written and numbered"];

const SMALL = 1_000;
const PAGE = 100;
const FREQUENT = ["connection.refreshed", "data.changed", "letter.moved", "session.finished"];
const RARE = "grant.ended";
/** How much more a page of the large log may cost than one of the small log: its indexes are one level deeper. */
const MAX_RATIO = 1.5;

/**
 * The cost of events. First for the change that writes them: core's own service blocks and resolves letters on PostgreSQL, with events, with events
 * that are numbered at the same time as on a server, and with an event log that stores nothing, in turns. Then for reading: pages of two logs, of a
 * thousand and of a million events over 30 days, with every kind of query.
 *
 * Options: `turns`, `seconds` of a turn, `events` of the large log.
 */
export async function run({ databaseUrl, turns = 15, seconds = 1, events = 1_000_000 }) {
  const { databaseUrl: url, tenantId } = await installLetters(databaseUrl, 2_000);
  const opened = await openStorage({ databaseUrl: url, connections: CONNECTIONS }, () => new Date(), {
    perTenant: CONNECTIONS,
  });
  try {
    const written = await measureWriting({ opened, url, tenantId, turns, seconds });
    const logs = [
      [SMALL, randomUUID()],
      [events, randomUUID()],
    ];
    for (const [count, log] of logs) await withClient(url, (client) => fillLog(client, log, count));
    await withClient(url, async (client) => {
      await client.query("set statement_timeout = 0");
      await client.query("vacuum analyze events");
    });
    return reportOf({ written, read: await measureReading(opened, url, logs), turns, seconds, events });
  } finally {
    await opened.close();
  }
}

async function measureWriting({ opened, url, tenantId, turns, seconds }) {
  const { storage, eventStore } = opened;
  const { rows: letters } = await withClient(url, (client) =>
    client.query(
      `insert into object_owners (kind, object_id, tenant_id)
       select 'letter', letter_id, tenant_id from letters where tenant_id = $1 and status = 'Connected' limit $2
       returning object_id as letter_id`,
      [tenantId, LOOPS],
    ),
  );
  const nothing = { append: async () => undefined };
  const silent = {
    ...storage,
    inTenant: (tenant, work) => storage.inTenant(tenant, (stores) => work({ ...stores, events: nothing })),
  };
  const targets = { [WITHOUT]: operationsOn(silent), [WRITTEN]: operationsOn(storage) };
  targets[NUMBERED] = targets[WRITTEN];
  const number = async () => {
    while ((await eventStore.number({ logs: 100, limit: 1_000 })).reduce((sum, one) => sum + one.events, 0) >= 1_000);
  };
  const raw = [];
  for (let turn = 0; turn <= turns; turn += 1) {
    const names = Object.keys(targets);
    // Each target comes first equally often.
    for (const target of names.map((_, index) => names[(index + turn) % names.length])) {
      const isNumbered = target === NUMBERED;
      const found = await load(targets[target], letters, seconds, isNumbered ? number : null, () => backendTicks(url));
      if (!isNumbered) await number();
      // The first turn warms up.
      if (turn > 0) raw.push({ target, round: 1, turn, ...found });
    }
  }
  return raw;
}

function operationsOn(storage) {
  const unused = async () => {
    throw new Error("nothing here asks for that");
  };
  return createLetterOperations({
    storage,
    runtime: { clock: () => new Date(), newId: randomUUID, newSecret: randomUUID, vault: {}, mac: () => "" },
    connectors: { find: async () => null },
    checks: { scanner: null },
    template: unused,
    sendsMail: false,
  });
}

/** A closed loop per letter, which is blocked and resolved in turn. */
async function load(operations, letters, seconds, number, ticks) {
  const operator = { application_id: "bench", tenant_id: null };
  let changes = 0;
  const ticksBefore = await ticks();
  const cpu = process.cpuUsage();
  const started = performance.now();
  const isOver = () => performance.now() - started >= seconds * 1_000;
  const loop = async ({ letter_id }) => {
    while (!isOver()) {
      await operations.block(operator, letter_id, undefined);
      await operations.resolve(operator, letter_id, undefined);
      changes += 2;
    }
  };
  const numbering = async () => {
    while (number !== null && !isOver()) {
      await new Promise((resolve) => setTimeout(resolve, NUMBERED_EVERY_MS));
      await number();
    }
  };
  await Promise.all([numbering(), ...letters.map(loop)]);
  const { user, system } = process.cpuUsage(cpu);
  const elapsed = (performance.now() - started) / 1_000;
  const database = ((await ticks()) - ticksBefore) * TICK_MICROSECONDS;
  return { perSecond: changes / elapsed, cpu: (user + system) / changes, database: database / changes };
}

/** User and system time of PostgreSQL's backends for this database. */
async function backendTicks(url) {
  const { rows } = await withClient(url, (client) =>
    client.query(
      "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()",
    ),
  );
  return rows.reduce((sum, { pid }) => {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return sum + Number(fields[11]) + Number(fields[12]);
  }, 0);
}

/** Numbered events of 30 days, in order of time: four frequent types and 150 events of a rare one; 20 events per object. */
async function fillLog(client, log, count) {
  await client.query("set statement_timeout = 0");
  await client.query(
    `insert into events (tenant_id, sequence, type, created_at, object_id, data)
     select $1, n, case when n % ($2 / 150) = 3 then $4 else ($3::text[])[1 + n % 4] end,
       now() - interval '30 days' * (1 - n / $2::float8), md5((n % ($2 / 20))::text),
       jsonb_build_object('connection_id', gen_random_uuid(), 'status', 'ready', 'source', 'refresh', 'letter_id', null)
     from generate_series(1, $2::bigint) n`,
    [log, count, FREQUENT, RARE],
  );
  await client.query("insert into event_counters (tenant_id, last_sequence) values ($1, $2)", [log, count]);
}

const ago = (days) => new Date(Date.now() - days * 86_400_000);
/** Each function makes a query from an event, an object and a number between 0 and 1. */
const queries = {
  "newest first": () => ({ order: "desc" }),
  "oldest first": () => ({}),
  "a later page, newest first": ({ sequence }) => ({ order: "desc", place: sequence }),
  after: ({ event_id }) => ({ after: event_id }),
  "before, newest first": ({ event_id }) => ({ before: event_id, order: "desc" }),
  "a frequent type": () => ({ type_in: [FREQUENT[0]], order: "desc" }),
  "a rare type": () => ({ type_in: [RARE], order: "desc" }),
  "a rare and a frequent type after an event": ({ event_id }) => ({ type_in: [RARE, FREQUENT[1]], after: event_id }),
  "an object": ({ object_id }) => ({ object_id, order: "desc" }),
  "an object and a type": ({ object_id }) => ({ object_id, type_in: [FREQUENT[2]] }),
  "created_at from": (_, share) => ({ from: ago(30 * share) }),
  "created_at until, newest first": (_, share) => ({ until: ago(30 * share), order: "desc" }),
  "five days, oldest first": (_, share) => ({ from: ago(5 + 25 * share), until: ago(25 * share) }),
  "a type until, newest first": (_, share) => ({ type_in: [FREQUENT[3]], until: ago(30 * share), order: "desc" }),
};
const EVERYTHING = { type_in: null, object_id: null, from: null, until: null, after: null, before: null, place: null };
const TIMES = 60;

async function measureReading({ eventStore }, url, logs) {
  const found = new Map();
  const keep = (name, count, milliseconds) => {
    const key = JSON.stringify([name, count]);
    found.set(key, [...(found.get(key) ?? []), milliseconds]);
  };
  await withClient(url, async (client) => {
    for (let time = 0; time < TIMES; time += 1)
      for (const [name, queryOf] of Object.entries(queries))
        for (const [count, log] of logs) {
          const share = Math.random();
          const { rows } = await client.query(
            "select event_id, object_id, sequence from events where tenant_id = $1 and sequence = $2",
            [log, 1 + Math.floor(share * count)],
          );
          const query = { ...EVERYTHING, order: "asc", limit: PAGE + 1, ...queryOf(rows[0], share) };
          const asked = performance.now();
          const { events } = await eventStore.page(log, query);
          keep(name, count, performance.now() - asked);
          if (events.some(({ sequence }) => sequence < 1)) throw new Error("not the page that was asked for");
        }
    for (let time = 0; time < TIMES; time += 1)
      for (const [count, log] of logs) {
        await client.query(
          "insert into events (tenant_id, type, object_id, data) select $1, 'webhook.test', 'o', '{}' from generate_series(1, $2)",
          [log, PAGE],
        );
        const asked = performance.now();
        await eventStore.number({ logs: 10, limit: 1_000 });
        keep(NUMBERING, count, performance.now() - asked);
      }
  });
  return [...Object.keys(queries), NUMBERING].map((name) => ({
    name,
    ...Object.fromEntries(
      logs.map(([count], nth) => [nth === 0 ? "small" : "large", median(found.get(JSON.stringify([name, count])))]),
    ),
  }));
}
const NUMBERING = `numbering ${PAGE} events`;

function reportOf({ written, read, turns, seconds, events }) {
  const of = (target, field) => median(written.filter((row) => row.target === target).map((row) => row[field]));
  const against = (target, field) => medianRatio(written, field, target, WITHOUT);
  const worst = read.toSorted((a, b) => b.large / b.small - a.large / a.small)[0];
  return {
    title: `Events: what they cost a change, and pages of ${events.toLocaleString("en")} of them`,
    notes:
      `Letters are blocked and resolved in ${LOOPS} loops of one process, ${turns} turns of ${seconds} s of each kind; ratios are medians of those within a turn. ` +
      `Pages are of ${PAGE} events, at places by chance, through the store with its transaction and row-level security; medians of ${TIMES}.`,
    tables: [
      {
        caption: "A letter blocked or resolved",
        head: [
          "events",
          "changes/s",
          "of those without",
          "CPU µs of ours",
          "of those without",
          "CPU µs of PostgreSQL",
          "of those without",
        ],
        rows: [WITHOUT, WRITTEN, NUMBERED].map((target) => [
          target,
          ...["perSecond", "cpu", "database"].flatMap((field) => [of(target, field), against(target, field)]),
        ]),
      },
      {
        caption: "Pages of a log",
        head: ["query", `ms of ${SMALL.toLocaleString("en")} events`, `ms of ${events.toLocaleString("en")}`, "ratio"],
        rows: read.map(({ name, small, large }) => [name, small, large, large / small]),
      },
    ],
    goals: [
      goal("changes/s with their events written, of those without", against(WRITTEN, "perSecond"), { atLeast: 0.95 }),
      goal("changes/s with events written and numbered, of those without", against(NUMBERED, "perSecond"), {
        atLeast: 0.95,
      }),
      goal(
        `the page that grows most (${worst.name}): ms in the large log of those in the small`,
        worst.large / worst.small,
        { atMost: MAX_RATIO },
      ),
    ],
    raw: written,
  };
}
