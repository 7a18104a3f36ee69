import { goal } from "./measuring/figures.mjs";
import { exchange, load, requestBytes } from "./measuring/load.mjs";
import { openLoop } from "./measuring/open-loop.mjs";
import { publishHoldings } from "./product/holdings.mjs";
import { accessToken, addTenant, installOnPostgres } from "./product/installation.mjs";
import { callJob } from "./product/mcp-requests.mjs";

const TENANTS = 8;
const HOLDINGS = 10_000;
const CONNECTIONS = 400;
const FACTORS = [0.5, 1, 2, 5];
/** A page of 20 has 12 kB; a tool's refusal a few hundred bytes. */
const MIN_BYTES = 4_000;
const PROBE_MS = 200;
/** Time for the server to notice a queue: 400 connections that all call together have been admitted by then. */
const ONSET_MS = 1_000;

/**
 * What callers see below, at and far above the server's capacity: calls of svc-investments (a page of 20) by eight tenants arrive at a fixed rate
 * over 400 connections, regardless of earlier ones. Measures how long accepted calls take, what is refused and how quickly, whether `/readyz` and
 * `/healthz` answer, and the server's memory.
 *
 * Options: `seconds` of a step.
 */
export async function run({ databaseUrl, seconds = 8 }) {
  const tenants = [];
  const product = await installOnPostgres(databaseUrl, async ({ storage, server, credentials }) => {
    for (let number = 0; number < TENANTS; number += 1) {
      const tenant = await addTenant(server, credentials.operator, `Tenant ${number}`);
      await publishHoldings(storage, tenant.tenant, HOLDINGS);
      tenants.push(tenant);
    }
  });
  const steps = [];
  let unloaded;
  let capacity;
  try {
    const server = await product.start();
    const { port } = server;
    const tokens = await Promise.all(tenants.map((tenant) => accessToken(server, tenant)));
    const job = (index) => callJob({ token: tokens[index % TENANTS], era: "modern" });
    await load({ port, connections: 16, seconds: 60, maxCalls: 5_000, job });
    unloaded = await load({ port, connections: 1, seconds: seconds / 2, job });
    capacity = await load({ port, connections: 16, seconds, job });
    const jobs = tokens.map((_, index) => job(index));
    let turn = 0;
    const next = () => jobs[++turn % TENANTS].next();
    for (const factor of FACTORS) {
      const perSecond = factor * capacity.perSecond;
      const probes = probe(port);
      const seen = await openLoop({
        port,
        connections: CONNECTIONS,
        perSecond,
        seconds,
        next,
        leastBytes: MIN_BYTES,
        onsetMs: ONSET_MS,
      });
      steps.push({ factor, ...seen, ...(await probes.stop()), megabytes: server.residentMegabytes() });
    }
    await server.stop();
  } finally {
    await product.remove();
  }
  const ofStep = (factor) => steps.find((step) => step.factor === factor);
  const most = ofStep(FACTORS.at(-1));
  return {
    title: "Far above capacity",
    notes:
      `Capacity is what 16 connections get in a closed loop: ${capacity.perSecond.toFixed(0)} calls a second, p50 ${capacity.p50.toFixed(1)} ms, ` +
      `p99 ${capacity.p99.toFixed(1)} ms; one connection alone has p50 ${unloaded.p50.toFixed(1)} ms, p99 ${unloaded.p99.toFixed(1)} ms. ` +
      `Each step takes ${seconds} s over ${CONNECTIONS} connections; eight tenants take turns, latency counts from when a request is sent. What was sent in the first second is counted apart: all connections ask at once, before a queue stands there that could be noticed. A refusal above capacity is held back for a quarter of a second, so that these connections can offer no more than the table says.`,
    tables: [
      {
        caption: "calls",
        head: [
          "of capacity",
          "offered/s",
          "accepted/s",
          "p99 of the first second, ms",
          "p50 ms",
          "p99 ms",
          "p99, of one connection's",
          "refused, by status",
          "p99 of refusals, ms",
          "no answer",
        ],
        rows: steps.map((step) => [
          step.factor,
          step.offered,
          step.latencies.length / seconds,
          quantile(step.onset, 0.99),
          quantile(step.settled, 0.5),
          quantile(step.settled, 0.99),
          quantile(step.settled, 0.99) / unloaded.p99,
          JSON.stringify(step.refused),
          quantile(step.refusals, 0.99),
          step.broken,
        ]),
      },
      {
        caption: "the server",
        head: ["of capacity", "health asked", "not 200", "slowest ms", "resident MB"],
        rows: steps.map(({ factor, asked, failed, slowest, megabytes }) => [factor, asked, failed, slowest, megabytes]),
      },
    ],
    goals: [
      ...[1, 2, 5].map((factor) =>
        goal(
          `p99 of what is accepted at ${factor} × capacity, of 16 connections'`,
          quantile(ofStep(factor).settled, 0.99) / capacity.p99,
          {
            atMost: 4,
          },
        ),
      ),
      goal("accepted at 5 × capacity, of capacity", most.latencies.length / seconds / capacity.perSecond, {
        atLeast: 0.5,
      }),
      goal(
        "refusals without Retry-After, requests without an answer",
        sum(steps, ({ careless, broken }) => careless + broken),
        {
          atMost: 0,
        },
      ),
      goal(
        "/readyz or /healthz not 200",
        sum(steps, ({ failed }) => failed),
        { atMost: 0 },
      ),
      goal("memory at 5 × capacity, of half of it", most.megabytes / ofStep(0.5).megabytes, { atMost: 1.2 }),
    ],
    raw: steps.map(({ latencies, onset, settled, refusals, refused, ...rest }) => ({
      ...rest,
      refused: JSON.stringify(refused),
    })),
  };
}

function sum(rows, of) {
  return rows.reduce((all, row) => all + of(row), 0);
}

/** Polls the server's health while it is under load. */
function probe(port) {
  const asked = [];
  const timer = setInterval(() => {
    for (const path of ["/readyz", "/healthz"]) {
      const started = performance.now();
      const answered = exchange(port, requestBytes("GET", path, {})).then(
        ({ status }) => ({ status, ms: performance.now() - started }),
        () => ({ status: 0, ms: performance.now() - started }),
      );
      asked.push(answered);
    }
  }, PROBE_MS);
  return {
    async stop() {
      clearInterval(timer);
      const answers = await Promise.all(asked);
      return {
        asked: answers.length,
        failed: answers.filter(({ status }) => status !== 200).length,
        slowest: Math.max(...answers.map(({ ms }) => ms)),
      };
    },
  };
}

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
