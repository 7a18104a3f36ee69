import { isDeepStrictEqual } from "node:util";
import { goal, median, medianRatio } from "./measuring/figures.mjs";
import { exchange, load, messageIn } from "./measuring/load.mjs";
import { startServer } from "./measuring/server-process.mjs";
import { publishHoldings } from "./product/holdings.mjs";
import { accessToken, addTenant, installOnPostgres } from "./product/installation.mjs";
import { beginSession, callBytes, callJob } from "./product/mcp-requests.mjs";

const HOLDINGS = 10_000;
const CONCURRENCIES = [1, 16, 64];
/** By calls, so that the code is compiled on a slow machine too. */
const WARM_UP = { connections: 16, seconds: 30, maxCalls: 5_000 };

const server = (name) => new URL(`servers/${name}.mjs`, import.meta.url).pathname;

/** `era` is that of the client; those of ours also bring a token, and a session where the era has one. */
const targets = {
  bare: { file: server("bare"), era: "legacy" },
  "bare, through objects": { file: server("bare"), env: { CONTENT: "objects" }, era: "legacy" },
  "ours, sessions": { isOurs: true, era: "legacy" },
  "ours, 2026-07-28": { isOurs: true, era: "modern" },
  "SDK v2": { file: server("sdk-v2"), era: "legacy" },
  "SDK v2, 2026-07-28": { file: server("sdk-v2"), era: "modern" },
  "SDK v1": { file: server("sdk-v1"), era: "legacy" },
};

/**
 * Calls of svc-investments, pages of 20 out of 10,000 holdings on PostgreSQL: our server as it is shipped against a bare
 * node:http with the same statement, and against the official SDK with it. Only ours checks a token and logs.
 *
 * Each round starts every server afresh; then they are loaded in turns, a short while each, so that whatever else the machine
 * does meets all of them alike.
 *
 * Options: `rounds`, `turns` in a round, `seconds` of a turn, `isLarge` to measure a tenant of a million holdings too,
 * `profileFolder` for CPU profiles of our server.
 */
export async function run({ databaseUrl, rounds = 3, turns = 7, seconds = 0.7, isLarge = false, profileFolder }) {
  const product = await installOnPostgres(databaseUrl, ({ storage, credentials }) =>
    publishHoldings(storage, credentials.demo.tenant, HOLDINGS),
  );
  const nodeArguments = profileFolder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`];
  const raw = [];
  try {
    for (let round = 1; round <= rounds; round += 1)
      raw.push(...(await measureRound(round, product, { turns, seconds, nodeArguments })));
  } finally {
    await product.remove();
  }
  const report = {
    title: `tools/call svc-investments: a page of 20 of ${HOLDINGS} holdings, PostgreSQL`,
notes: `Medians of ${rounds} rounds of ${turns} turns of ${seconds} s; a ratio is the median of the ratios within a turn.`,
    tables: CONCURRENCIES.map((connections) => tableOf(raw, connections)),
    goals: goalsOf(raw),
    raw,
  };
  return isLarge ? withLarge(report, await measureLarge({ databaseUrl, turns: rounds * turns, seconds })) : report;
}

/** Starts the target, and answers it with the client that calls it. */
async function start({ file, env, isOurs, era }, product, nodeArguments) {
  if (isOurs) {
    const started = await product.start({ nodeArguments });
    const token = await accessToken(started, product.credentials.demo);
    return { started, client: { era, token, session: await sessionOf(started, era, token) } };
  }
  const peerEnvironment = { ...env, DATABASE_URL: product.databaseUrl, TENANT_ID: product.credentials.demo.tenant };
  const client = { era };
  const options = { file, env: peerEnvironment, logFile: product.logFile, request: callBytes(client) };
  return { started: await startServer(options), client };
}

function sessionOf({ port }, era, token) {
  return era === "legacy" ? beginSession(port, token) : undefined;
}

/** One turn after the other, with all servers running: those that are not loaded are idle. */
async function measureRound(round, product, { turns, seconds, nodeArguments }) {
  const running = [];
  const raw = [];
  try {
    for (const [target, description] of Object.entries(targets))
      running.push({ target, ...(await start(description, product, nodeArguments)) });
    await compareAnswers(running);
    for (const { started, client } of running)
      await load({ port: started.port, ...WARM_UP, job: () => callJob(client) });
    for (const connections of CONCURRENCIES)
      for (let turn = 1; turn <= turns; turn += 1)
        for (const one of turn % 2 === 0 ? running.toReversed() : running)
          raw.push({ target: one.target, connections, round, turn, ...(await measure(one, { connections, seconds })) });
  } finally {
    await Promise.all(running.map(({ started }) => started.stop()));
  }
  return raw;
}

/** All have to answer the same page, or the comparison would be of different work. */
async function compareAnswers(running) {
  let expected;
  for (const { target, started, client } of running) {
    const answer = await exchange(started.port, callBytes(client, { page: 321 }));
    const { structuredContent, content } = messageIn(answer).result;
    expected ??= structuredContent;
    if (!isDeepStrictEqual(structuredContent, expected) || !isDeepStrictEqual(JSON.parse(content[0].text), expected))
      throw new Error(`${target} answers another page: ${answer.body.slice(0, 600)}`);
  }
}

async function measure({ started, client }, { connections, seconds }) {
  const before = started.cpuMicroseconds();
  const { calls, perSecond, p50, p99 } = await load({
    port: started.port,
    connections,
    seconds,
    job: () => callJob(client),
  });
  const cpu = (started.cpuMicroseconds() - before) / calls;
  return { perSecond, p50, p99, cpu, resident: started.residentMegabytes() };
}

function tableOf(raw, connections) {
  const of = (target, field) =>
    median(raw.filter((row) => row.target === target && row.connections === connections).map((row) => row[field]));
  const against = (field, target, other) => medianRatio(raw, field, target, other, { connections });
  return {
    caption: `c = ${connections}`,
    head: ["server", "calls/s", "of bare", "p50 ms", "p99 ms", "CPU µs/call", "CPU of bare", "memory MB"],
    rows: Object.keys(targets).map((name) => [
      name,
      of(name, "perSecond"),
      against("perSecond", name, "bare"),
      of(name, "p50"),
      of(name, "p99"),
      of(name, "cpu"),
      against("cpu", name, "bare"),
      of(name, "resident"),
    ]),
  };
}

function goalsOf(raw) {
  return [
    ["ours, sessions", "SDK v2"],
    ["ours, 2026-07-28", "SDK v2, 2026-07-28"],
  ].flatMap(([ours, sdk]) => [
    ...[16, 64].flatMap((connections) => {
      const against = (field, other) => medianRatio(raw, field, ours, other, { connections });
      return [
        goal(`${ours}: calls/s of bare, c = ${connections}`, against("perSecond", "bare"), { atLeast: 0.75 }),
        goal(`${ours}: calls/s of ${sdk}, c = ${connections}`, against("perSecond", sdk), { atLeast: 3 }),
        goal(`${ours}: CPU of bare, c = ${connections}`, against("cpu", "bare"), { atMost: 1.5 }),
      ];
    }),
    goal(
      `${ours}: p99 of p50, c = 16`,
      median(raw.filter((row) => row.target === ours && row.connections === 16).map((row) => row.p99 / row.p50)),
      { atMost: 3 },
    ),
  ]);
}

/** Page 1 of a tenant with 10 holdings and of one with a million, from one server, in turns. */
async function measureLarge({ databaseUrl, turns, seconds }) {
  const sizes = { few: 10, million: 1_000_000 };
  const clients = {};
  const product = await installOnPostgres(databaseUrl, async ({ storage, server: first, credentials }) => {
    for (const [name, count] of Object.entries(sizes)) {
      clients[name] = await addTenant(first, credentials.operator, name);
      await publishHoldings(storage, clients[name].tenant, count);
    }
  });
  const raw = [];
  const started = await product.start();
  try {
    for (const [name, credentials] of Object.entries(clients)) {
      const token = await accessToken(started, credentials);
      clients[name] = { era: "legacy", token, session: await beginSession(started.port, token) };
    }
    const loadOf = (name, options) =>
      load({ port: started.port, ...options, job: () => callJob(clients[name], { page: 1, pageSize: 10 }) });
    for (const target of Object.keys(sizes)) await loadOf(target, WARM_UP);
    for (const connections of [1, 16])
      for (let turn = 1; turn <= turns; turn += 1)
        for (const target of turn % 2 === 0 ? Object.keys(sizes).reverse() : Object.keys(sizes)) {
          const { perSecond, p50, p99 } = await loadOf(target, { connections, seconds });
          raw.push({ target, connections, round: 1, turn, perSecond, p50, p99 });
        }
  } finally {
    await started.stop();
    await product.remove();
  }
  return raw;
}

function withLarge(report, raw) {
  const of = (target, connections, field) =>
    median(raw.filter((row) => row.target === target && row.connections === connections).map((row) => row[field]));
  const rows = [1, 16].flatMap((connections) =>
    ["few", "million"].map((target) => [
      target === "few" ? "10 holdings" : "1,000,000 holdings",
      connections,
      of(target, connections, "perSecond"),
      of(target, connections, "p50"),
      of(target, connections, "p99"),
    ]),
  );
  const ratio = (connections) => medianRatio(raw, "p50", "million", "few", { connections });
  return {
    ...report,
    tables: [
      ...report.tables,
      { caption: "Page 1 of 10 rows, by size of the tenant", head: ["tenant", "c", "calls/s", "p50 ms", "p99 ms"], rows },
    ],
    goals: [
      ...report.goals,
      ...[1, 16].map((c) => goal(`p50 with 1,000,000 holdings of p50 with 10, c = ${c}`, ratio(c), { atMost: 1.5 })),
    ],
    raw: [...report.raw, ...raw],
  };
}
