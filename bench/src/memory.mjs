import { goal } from "./measuring/figures.mjs";
import { load } from "./measuring/load.mjs";
import { publishHoldings } from "./product/holdings.mjs";
import { accessToken, installOnPostgres } from "./product/installation.mjs";
import { beginSession, callJob } from "./product/mcp-requests.mjs";

const HOLDINGS = 10_000;
const CHECKPOINTS = 10;
const WARM_UP_SESSIONS = 1_000;
const SESSIONS = 3_000;
/** The time limit of each part, for slow machines. */
const PART_SECONDS = 300;

/**
 * Whether the server's memory grows: resident memory while it answers `calls` calls of svc-investments (c = 16, PostgreSQL, a session), and the live
 * heap, after a full collection, that 3,000 abandoned sessions leave.
 */
export async function run({ databaseUrl, calls = 20_000 }) {
  const product = await installOnPostgres(databaseUrl, ({ storage, credentials }) =>
    publishHoldings(storage, credentials.demo.tenant, HOLDINGS),
  );
  try {
    const byCalls = await measureCalls(product, calls);
    const sessions = await measureSessions(product);
    return reportOf(calls, byCalls, sessions);
  } finally {
    await product.remove();
  }
}

async function measureCalls(product, calls) {
  const server = await product.start({ hasProbe: true });
  const raw = [];
  try {
    const token = await accessToken(server, product.credentials.demo);
    const client = { era: "legacy", token, session: await beginSession(server.port, token) };
    const part = {
      port: server.port,
      connections: 16,
      seconds: PART_SECONDS / CHECKPOINTS,
      job: () => callJob(client),
    };
    let done = 0;
    for (let checkpoint = 1; checkpoint <= CHECKPOINTS; checkpoint += 1) {
      done += (await load({ ...part, maxCalls: Math.ceil(calls / CHECKPOINTS) })).calls;
      raw.push({ calls: done, residentMegabytes: server.residentMegabytes() });
    }
    raw.at(-1).liveHeapMegabytes = await server.liveHeapMegabytes();
  } finally {
    await server.stop();
  }
  return raw;
}

async function measureSessions(product) {
  const server = await product.start({ hasProbe: true });
  try {
    const token = await accessToken(server, product.credentials.demo);
    await abandonSessions(server, token, WARM_UP_SESSIONS);
    const before = await server.liveHeapMegabytes();
    const sessions = await abandonSessions(server, token, SESSIONS);
    const after = await server.liveHeapMegabytes();
    return { sessions, liveHeapMegabytes: after - before, perThousand: ((after - before) / sessions) * 1_000 };
  } finally {
    await server.stop();
  }
}

/** Starts sessions, eight concurrently, and abandons them; returns how many. */
async function abandonSessions({ port }, token, count) {
  const end = performance.now() + PART_SECONDS * 1_000;
  let begun = 0;
  const one = async () => {
    while (begun < count && performance.now() < end) {
      begun += 1;
      await beginSession(port, token);
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  return begun;
}

function reportOf(calls, byCalls, sessions) {
  const last = byCalls.at(-1);
  const half = byCalls[CHECKPOINTS / 2 - 1];
  return {
    title: `Memory: ${calls} calls, and ${sessions.sessions} abandoned sessions`,
    notes: `Made ${last.calls} calls. "Flat" compares resident memory at the end with that at half time.`,
    tables: [
      {
        caption: "Resident memory by calls made",
        head: ["calls", "MB"],
        rows: byCalls.map((row) => [row.calls, row.residentMegabytes]),
      },
      {
        caption: "Live heap",
        head: ["after", "MB"],
        rows: [
          [`${last.calls} calls, in all`, last.liveHeapMegabytes],
          [`${sessions.sessions} abandoned sessions, growth`, sessions.liveHeapMegabytes],
        ],
      },
    ],
    goals: [
      goal(`resident after ${last.calls} calls, MB`, last.residentMegabytes, { atMost: 180 }),
      goal("flat: resident at the end of half time", last.residentMegabytes / half.residentMegabytes, { atMost: 1.1 }),
      goal("live heap per 1,000 abandoned sessions, MB", sessions.perThousand, { atMost: 1 }),
    ],
    raw: [...byCalls, sessions],
  };
}
