import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { openStorage } from "@org/storage-postgres";
import { goal } from "./measuring/figures.mjs";
import { accessToken, installOnPostgres } from "./product/installation.mjs";
import { callRest } from "./product/rest-requests.mjs";

const POLL_MS = 100;
/** The time limit, for slow machines. */
const MAX_TIME_MS = 5 * 60_000;
/** As many concurrent deliveries as a server makes to one endpoint. */
const MAX_CONCURRENT = 4;
const APPEND = 100;

/**
 * How many events a second one server delivers to a local receiver that accepts them immediately: numbered, fanned out to every endpoint, signed
 * twice, posted, and their outcomes stored. Compared with a plain loop of `node:http` with as many connections and the same body.
 */
export async function run({ databaseUrl, events = 5_000, endpoints = 4, profileFolder }) {
  const receiver = await startReceiver();
  const fill = async ({ server, credentials }) => {
    const token = await accessToken(server, credentials.demo);
    for (let index = 0; index < endpoints; index++)
      await callRest(server, token, "/events/v1/create-endpoint", {
        url: `http://127.0.0.1:${receiver.port}/hooks/${index}`,
      });
  };
  const product = await installOnPostgres(databaseUrl, fill, { WEBHOOK_PRIVATE_NETWORKS: "127.0.0.0/8" });
  try {
    await append(product.databaseUrl, product.credentials.demo.tenant, events);
    const all = events * endpoints;
    const before = (await receiver.counts()).deliveries;
    const server = await product.start({
      env: { JOBS: "true" },
      nodeArguments: profileFolder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`],
    });
    const cpuBefore = server.cpuMicroseconds();
    let [delivered, cpu] = [Number.NaN, Number.NaN];
    try {
      delivered = await untilReceived(receiver, before + all);
      cpu = (server.cpuMicroseconds() - cpuBefore) / 1e6;
    } finally {
      await server.stop();
    }
    const { events: distinct } = await receiver.counts();
    const bare = await bareLoop(receiver, all, endpoints * MAX_CONCURRENT);
    return reportOf({ events, endpoints, distinct, delivered, bare, cpu });
  } finally {
    await product.remove();
    await receiver.stop();
  }
}

async function startReceiver() {
  const worker = new Worker(new URL("./servers/receiver.mjs", import.meta.url));
  const [{ port }] = await once(worker, "message");
  return {
    port,
    async counts() {
      const answer = once(worker, "message");
      worker.postMessage("counts");
      const [counts] = await answer;
      return counts;
    },
    stop: () => worker.terminate(),
  };
}

/** Events as the product writes them, while no server runs. */
async function append(databaseUrl, tenantId, count) {
  const { storage, close } = await openStorage({ databaseUrl }, () => new Date());
  const object_id = tenantId;
  const event = {
    type: "data.changed",
    object_id,
    data: { connection_id: object_id, snapshot_revision: 1, products: ["portfolios", "holdings", "transactions"] },
  };
  for (let made = 0; made < count; made += APPEND)
    await storage.inTenant(tenantId, (stores) =>
      stores.events.append(Array.from({ length: Math.min(APPEND, count - made) }, () => event)),
    );
  await close();
}

/** Seconds from the first delivery to the last. */
async function untilReceived(receiver, count) {
  const begun = performance.now();
  let first = null;
  for (;;) {
    const { deliveries } = await receiver.counts();
    if (first === null && deliveries > 0) first = { at: performance.now(), deliveries };
    if (deliveries >= count) return (performance.now() - first.at) / 1_000;
    if (performance.now() - begun > MAX_TIME_MS) throw new Error(`${deliveries} of ${count} deliveries came in time`);
    await delay(POLL_MS);
  }
}

/** The same number of posts with `node:http` only. */
async function bareLoop({ port }, count, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const body = "x".repeat(400);
  let left = count;
  const post = () =>
    new Promise((resolve, reject) => {
      const headers = { "content-length": body.length, "content-type": "application/json" };
      request({ port, host: "127.0.0.1", method: "POST", agent, headers }, (response) => {
        response.resume();
        response.once("end", resolve);
      })
        .once("error", reject)
        .end(body);
    });
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left > 0) {
        left -= 1;
        await post();
      }
    }),
  );
  agent.destroy();
  return (performance.now() - started) / 1_000;
}

function reportOf({ events, endpoints, distinct, delivered, bare, cpu }) {
  const all = events * endpoints;
  const rows = [
    ["one server", all / delivered, (cpu * 1_000) / all],
    ["bare node:http", all / bare, "–"],
  ];
  return {
    title: `Webhooks: ${events} events to ${endpoints} endpoints, one server`,
    notes: `The server reaches ${(bare / delivered).toFixed(3)} of a bare loop of posts to the same receiver, which has ${endpoints * MAX_CONCURRENT} connections too.`,
    tables: [{ caption: "Deliveries", head: ["who", "deliveries a second", "ms of CPU each"], rows }],
    goals: [
      goal("deliveries a second from one server", all / delivered, { atLeast: 500 }),
      goal("different events that arrived", distinct, { atLeast: events }),
    ],
    raw: [{ events, endpoints, seconds: delivered, bareSeconds: bare, cpuSeconds: cpu }],
  };
}
