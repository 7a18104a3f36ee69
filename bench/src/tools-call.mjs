import { goal, median, medianRatio } from "./measuring/figures.mjs";
import { load } from "./measuring/load.mjs";
import { startServer } from "./measuring/server-process.mjs";
import { measureSideBySide, tablesOf } from "./measuring/side-by-side.mjs";
import { publishHoldings } from "./product/holdings.mjs";
import { accessToken, addTenant, installOnPostgres, refusesNothing } from "./product/installation.mjs";
import { beginSession, callBytes, callJob, compareAnswers } from "./product/mcp-requests.mjs";

const HOLDINGS = 10_000;
const FEW = "10 holdings";
const MANY = "1,000,000 holdings";

const serverFile = (name) => new URL(`servers/${name}.mjs`, import.meta.url).pathname;

/**
 * Calls of svc-investments, pages of 20 out of 10,000 holdings on PostgreSQL: our server as shipped, compared with plain node:http, the official SDK
 * and fastmcp, all with the same statement. Only ours checks a token and a session, and logs.
 *
 * Options: `rounds`, `turns` in a round, `seconds` of a turn, `isLarge` to also compare a tenant of a million holdings with one of ten,
 * `profileFolder` for CPU profiles of our server.
 */
export async function run({ databaseUrl, rounds = 3, turns = 7, seconds = 0.7, isLarge = false, profileFolder }) {
  const fill = ({ storage, credentials }) => publishHoldings(storage, credentials.demo.tenant, HOLDINGS);
  const product = await installOnPostgres(databaseUrl, fill, refusesNothing);
  let raw;
  try {
    raw = await measureSideBySide(targetsOn(product, profileFolder), {
      rounds,
      turns,
      seconds,
      jobOf: (client) => callJob(client),
      compare: compareAnswers,
    });
  } finally {
    await product.remove();
  }
  const large = isLarge ? await measureLarge({ databaseUrl, turns: rounds * turns, seconds }) : [];
  return {
    title: `tools/call svc-investments: a page of 20 of ${HOLDINGS} holdings, PostgreSQL`,
    notes: `Medians of ${rounds} rounds of ${turns} turns of ${seconds} s; a ratio is the median of the ratios within a turn.`,
    tables: [...tablesOf(raw, "bare"), ...(isLarge ? [largeTable(large)] : [])],
    goals: [...goalsOf(raw), ...(isLarge ? largeGoals(large) : [])],
    raw: [...raw, ...large],
  };
}

/** "sessions" are clients of the older era, which send an `Mcp-Session-Id`. */
function targetsOn(product, profileFolder) {
  const nodeArguments = profileFolder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`];
  const ours = (era) => async () => {
    const server = await product.start({ nodeArguments });
    const token = await accessToken(server, product.credentials.demo);
    const session = era === "legacy" ? await beginSession(server.port, token) : undefined;
    return { server, client: { era, token, session } };
  };
  const peer = (name, era, env) => async () => {
    const options = {
      file: serverFile(name),
      logFile: product.logFile,
      request: callBytes({ era }),
      env: { ...env, DATABASE_URL: product.databaseUrl, TENANT_ID: product.credentials.demo.tenant },
    };
    return { server: await startServer(options), client: { era } };
  };
  return {
    bare: peer("bare", "legacy"),
    "bare, through objects": peer("bare", "legacy", { CONTENT: "objects" }),
    "ours, sessions": ours("legacy"),
    "ours, 2026-07-28": ours("modern"),
    "SDK v2": peer("sdk-v2", "legacy"),
    "SDK v2, 2026-07-28": peer("sdk-v2", "modern"),
    "SDK v1": peer("sdk-v1", "legacy"),
    fastmcp: peer("fastmcp", "legacy"),
  };
}

function goalsOf(raw) {
  const pairs = { "ours, sessions": "SDK v2", "ours, 2026-07-28": "SDK v2, 2026-07-28" };
  return Object.entries(pairs).flatMap(([ours, sdk]) => {
    const tails = raw.filter((row) => row.target === ours && row.connections === 16).map((row) => row.p99 / row.p50);
    return [
      ...[16, 64].flatMap((connections) => {
        const against = (field, other) => medianRatio(raw, field, ours, other, { connections });
        return [
          goal(`${ours}: calls/s of bare, c = ${connections}`, against("perSecond", "bare"), { atLeast: 0.75 }),
          goal(`${ours}: calls/s of ${sdk}, c = ${connections}`, against("perSecond", sdk), { atLeast: 3 }),
          goal(`${ours}: CPU of bare, c = ${connections}`, against("cpu", "bare"), { atMost: 1.5 }),
        ];
      }),
      goal(`${ours}: p99 of p50, c = 16`, median(tails), { atMost: 3 }),
    ];
  });
}

/** Page 1 of a tenant with ten holdings and of one with a million, on one server, in turns. */
async function measureLarge({ databaseUrl, turns, seconds }) {
  const sizes = { [FEW]: 10, [MANY]: 1_000_000 };
  const credentials = {};
  const product = await installOnPostgres(databaseUrl, async (installed) => {
    for (const [name, count] of Object.entries(sizes)) {
      credentials[name] = await addTenant(installed.server, installed.credentials.operator, name);
      await publishHoldings(installed.storage, credentials[name].tenant, count);
    }
  });
  const server = await product.start();
  const raw = [];
  try {
    const clients = {};
    for (const name of Object.keys(sizes)) {
      const token = await accessToken(server, credentials[name]);
      clients[name] = { era: "legacy", token, session: await beginSession(server.port, token) };
    }
    const loadOf = (name, options) =>
      load({ port: server.port, ...options, job: () => callJob(clients[name], { page: 1, pageSize: 10 }) });
    for (const name of Object.keys(sizes)) await loadOf(name, { connections: 16, seconds: 30, maxCalls: 5_000 });
    for (const connections of [1, 16])
      for (let turn = 1; turn <= turns; turn += 1)
        for (const target of turn % 2 === 0 ? Object.keys(sizes).reverse() : Object.keys(sizes)) {
          const { perSecond, p50, p99 } = await loadOf(target, { connections, seconds });
          raw.push({ target, connections, round: 1, turn, perSecond, p50, p99 });
        }
  } finally {
    await server.stop();
    await product.remove();
  }
  return raw;
}

function largeTable(raw) {
  const of = (target, connections, field) =>
    median(raw.filter((row) => row.target === target && row.connections === connections).map((row) => row[field]));
  const fields = ["perSecond", "p50", "p99"];
  return {
    caption: "Page 1 of 10 rows, by size of the tenant",
    head: ["tenant", "c", "calls/s", "p50 ms", "p99 ms"],
    rows: [1, 16].flatMap((c) => [FEW, MANY].map((name) => [name, c, ...fields.map((field) => of(name, c, field))])),
  };
}

function largeGoals(raw) {
  return [1, 16].map((connections) =>
    goal(
      `p50 with ${MANY} of p50 with ${FEW}, c = ${connections}`,
      medianRatio(raw, "p50", MANY, FEW, { connections }),
      {
        atMost: 1.5,
      },
    ),
  );
}
