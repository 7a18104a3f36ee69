import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createKeyring, parseKeyring } from "@org/keyring";
import pg from "pg";
import { goal } from "./measuring/figures.mjs";
import { addConnections } from "./product/connections.mjs";
import { accessToken, installOnPostgres } from "./product/installation.mjs";
import { callRest } from "./product/rest-requests.mjs";
import { startInstitution } from "./servers/limited-institution.mjs";

const POLL_MS = 500;
/** The time limit, for slow machines. */
const MAX_TIME_MS = 40 * 60_000;
/** Connections of the small tenant, and those that somebody asks to refresh while all others are due; at the second institution. */
const SMALL = 10;
const ASKED = 10;
const ASK_EVERY_MS = 4_000;

const perApplication = (calls) => ({ isShared: true, limits: [{ every_ms: 10_000, calls }] });
/** From so many connections on, the limits of applications grow with them, so that a run ends in minutes. */
const SCALED_FROM = 5_000;
const perKey = { isShared: false, limits: [{ every_ms: 1_000, calls: 5 }] };
/** Eight institutions: four that limit the application, as aggregators do, and four that limit each customer's key. */
const smallInstitutions = [
  { ...perApplication(20), calls: 1 },
  { ...perApplication(100), calls: 5 },
  { ...perApplication(40), calls: 2 },
  { ...perApplication(20), calls: 1, answerMs: 500 },
  { ...perKey, calls: 1 },
  { ...perKey, calls: 3 },
  { ...perKey, calls: 5 },
  { ...perKey, calls: 1, answerMs: 500 },
];

function institutionsFor(connections) {
  const scale = Math.max(1, connections / SCALED_FROM);
  return smallInstitutions.map(({ limits, ...one }) => ({
    ...one,
    limits: limits.map(({ every_ms, calls }) => ({
      every_ms,
      calls: one.isShared ? Math.round(calls * scale) : calls,
    })),
  }));
}

/**
 * Connections over eight institutions with rate limits, all due at once: whether servers keep the limits together, how close they come to what the
 * limits allow, whether a large tenant or an institution keeps others waiting, and what waiting costs.
 */
export async function run({ databaseUrl, connections = 10_000, servers: count = null }) {
  const rounds = [];
  for (const servers of count === null ? [2, 4] : [count])
    rounds.push(await refreshAll({ databaseUrl, connections, servers }));
  return reportOf({ connections, rounds });
}

async function refreshAll({ databaseUrl, connections, servers: count }) {
  const institutions = institutionsFor(connections);
  const started = await Promise.all(institutions.map(startInstitution));
  const modules = writeModules(institutions, started);
  const tenants = { large: randomUUID(), small: randomUUID(), asked: randomUUID() };
  const soon = new Date(Date.now() + MAX_TIME_MS);
  let asked = [];
  const product = await installOnPostgres(databaseUrl, async ({ storage, encryptionKeys }) => {
    const keyring = createKeyring(parseKeyring(encryptionKeys));
    const add = (tenantId, index, connections) =>
      addConnections({
        storage,
        keyring,
        tenantId,
        connections,
        connector: `che:${nameOf(index)}`,
        provider: nameOf(index),
        accessOf: () => ({ key: randomUUID() }),
        dueAt: soon,
      });
    for (const [name, tenant_id] of Object.entries(tenants))
      await storage.tenants.create({ tenant_id, name, created_at: new Date() });
    for (const index of institutions.keys())
      await add(tenants.large, index, Math.ceil(connections / institutions.length));
    await add(tenants.small, 1, SMALL);
    asked = await add(tenants.asked, 1, ASKED);
  });
  const database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
  const servers = [];
  try {
    const env = { PROVIDERS: modules.files.join(","), JOBS: "true" };
    for (let made = 0; made < count; made += 1) servers.push(await product.start({ env }));
    const token = await accessToken(servers[0], product.credentials.operator ?? product.credentials);
    const before = await transactionsOf(database);
    const cpu = cpuOf(servers);
    const began = performance.now();
    await database.query(
      "update connection_refreshes set due_at = case when tenant_id = $1 then now() else now() - interval '1 hour' * (1 + random()) end where tenant_id <> $2",
      [tenants.small, tenants.asked],
    );
    const over = new AbortController();
    const answers = ask({ server: servers[0], token, asked, signal: over.signal });
    const way = await untilDone({ database, servers, began, tenants });
    over.abort();
    return {
      servers: count,
      ...way,
      answers: await answers,
      cpu: cpuOf(servers) - cpu,
      transactions: (await transactionsOf(database)) - before,
      outcomes: outcomesIn(product.logFile),
      counted: started.map(({ counts }) => ({ ...counts })),
    };
  } finally {
    for (const server of servers) await server.stop();
    await database.end();
    await product.remove();
    await Promise.all(started.map((institution) => institution.stop()));
    modules.remove();
  }
}

function nameOf(index) {
  return `limited-${index + 1}`;
}

/** Modules for `PROVIDERS`, one for each institution. */
function writeModules(institutions, started) {
  const folder = mkdtempSync(join(tmpdir(), "limited-"));
  const shared = new URL("./product/limited-provider.mjs", import.meta.url).href;
  const files = started.map(({ base_url }, index) => {
    const file = join(folder, `${nameOf(index)}.mjs`);
    const { answerMs: _, ...given } = institutions[index];
    const settings = JSON.stringify({ ...given, name: nameOf(index), base_url });
    writeFileSync(file, `import { limitedProvider } from "${shared}";\nexport default limitedProvider(${settings});\n`);
    return file;
  });
  return { files, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Asks for refreshes one by one, as a person does, while all others are due. */
async function ask({ server, token, asked, signal }) {
  const answers = [];
  for (const connection_id of asked) {
    await delay(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const since = performance.now();
    const outcome = await callRest(server, token, "/operator/v1/connections/refresh", { connection_id }).then(
      (answer) => answer.outcome,
      (error) => String(error).slice(0, 120),
    );
    answers.push({ outcome, milliseconds: performance.now() - since });
  }
  return answers;
}

async function untilDone({ database, servers, began, tenants }) {
  const raw = [];
  /** When the last connection of each connector, and of the small tenant, was refreshed; in milliseconds. */
  const done = {};
  let [peak, sessions] = [0, 0];
  for (;;) {
    const { rows } = await database.query(
      `select case when tenant_id = $1 then 'small' else connector_id end as part, count(*) filter (where outcome is distinct from 'refreshed')::integer as left
       from connection_refreshes where tenant_id <> $2 group by part order by part`,
      [tenants.small, tenants.asked],
    );
    const milliseconds = performance.now() - began;
    for (const { part, left } of rows) if (left === 0) done[part] ??= milliseconds;
    const left = rows.reduce((sum, row) => sum + row.left, 0);
    peak = Math.max(peak, ...servers.map((server) => server.residentMegabytes()));
    const busy = await database.query(
      "select count(*)::integer as n from pg_stat_activity where datname = current_database()",
    );
    sessions = Math.max(sessions, busy.rows[0].n - 1);
    raw.push({ milliseconds, left, ...Object.fromEntries(rows.map((row) => [row.part, row.left])) });
    if (left === 0 || milliseconds > MAX_TIME_MS)
      return {
        milliseconds,
        left,
        done,
        peak,
        sessions,
        raw: raw.filter((_, at) => at % 20 === 0 || at === raw.length - 1),
      };
    await delay(POLL_MS);
  }
}

/** Processor time of all servers so far, in milliseconds. */
function cpuOf(servers) {
  return servers.reduce((sum, server) => sum + server.cpuMicroseconds() / 1_000, 0);
}

async function transactionsOf(database) {
  const { rows } = await database.query(
    "select (xact_commit + xact_rollback)::integer as n from pg_stat_database where datname = current_database()",
  );
  return rows[0].n;
}

/** Refreshes that ended, by connector and outcome, from the log. */
function outcomesIn(file) {
  const counts = new Map();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (!line.includes('"msg":"refresh"')) continue;
    const { connector_id, outcome } = JSON.parse(line);
    const key = `${connector_id} ${outcome}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort());
}

function reportOf({ connections, rounds }) {
  const institutions = institutionsFor(connections);
  const each = Math.ceil(connections / institutions.length);
  return {
    title: `Limits: ${connections} connections over eight institutions with rate limits, due at once`,
    notes:
      "Institutions 1 to 4 limit the application, 5 to 8 each customer's key; 4 and 8 take half a second to answer. A small tenant's ten connections at institution 2 are due an hour after the large tenant's, and ten of a third tenant's are refreshed on request meanwhile, one by one.",
    tables: [
      {
        caption: "Institutions",
        head: [
          "servers",
          "institution",
          "done after, s",
          "the limit allows, s",
          "calls",
          "refused",
          "most in a window",
          "limit",
        ],
        rows: rounds.flatMap((round) =>
          institutions.map(({ limits: [limit], isShared, calls }, index) => [
            round.servers,
            index + 1,
            (round.done[`che:${nameOf(index)}`] ?? Number.NaN) / 1_000,
            isShared ? Math.max(0, (each * calls) / limit.calls - 1) * (limit.every_ms / 1_000) : 0,
            round.counted[index].calls,
            round.counted[index].refused,
            round.counted[index].most,
            limit.calls,
          ]),
        ),
      },
      {
        caption: "Rounds",
        head: [
          "servers",
          "s",
          "left",
          "small tenant done after, s",
          "longest wait of a requested one, s",
          "requested ones refreshed",
          "transactions each",
          "processor each, ms",
          "MB of the largest server",
          "database sessions",
        ],
        rows: rounds.map((round) => [
          round.servers,
          round.milliseconds / 1_000,
          round.left,
          (round.done.small ?? Number.NaN) / 1_000,
          Math.max(...round.answers.map(({ milliseconds }) => milliseconds)) / 1_000,
          `${round.answers.filter(({ outcome }) => outcome === "refreshed").length} of ${round.answers.length}`,
          round.transactions / connections,
          round.cpu / connections,
          round.peak,
          round.sessions,
        ]),
      },
      {
        caption: "Ends of refreshes",
        head: ["servers", "connector and outcome", "refreshes"],
        rows: rounds.flatMap(({ servers, outcomes }) =>
          Object.entries(outcomes).map(([key, count]) => [servers, key, count]),
        ),
      },
    ],
    goals: rounds.flatMap(({ servers, counted, left }) => [
      goal(
        `${servers} servers: calls above a limit`,
        counted.reduce((sum, { refused }) => sum + refused, 0),
        { atMost: 0 },
      ),
      goal(`${servers} servers: connections not refreshed`, left, { atMost: 0 }),
    ]),
    raw: rounds.flatMap(({ servers, answers, raw }) => [...raw, ...answers].map((row) => ({ servers, ...row }))),
  };
}
