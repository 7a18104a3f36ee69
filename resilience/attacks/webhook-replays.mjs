import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { expectOk, flood } from "./stage.mjs";

export const title = "replays of 5,000 events to twenty endpoints of one tenant, and test events, 16 at once";

const ENDPOINTS = 20;
const EVENTS = 5_000;
const PARALLEL = 16;

/** The receivers run on this machine. */
export const environment = { WEBHOOK_PRIVATE_NETWORKS: "127.0.0.0/8" };

/** Called with the id of every delivery that reaches the honest tenant's receiver. */
let onArrival = () => {};

export async function prepare(stage) {
  const url = await receive((request) => onArrival(request.headers["webhook-id"]));
  await addEvents(stage);
  return { served: await newEndpoint(stage, stage.honest, url) };
}

export async function attack(stage) {
  let taken = 0;
  const url = await receive(() => {
    taken += 1;
  });
  const endpoints = [];
  for (let made = 0; made < ENDPOINTS; made += 1) endpoints.push(await newEndpoint(stage, stage.attacker, url));
  const outcomes = await flood(stage, PARALLEL, async (index) => {
    const id = endpoints[index % ENDPOINTS];
    const [path, body] = index % 2 ? ["test-endpoint", { id }] : ["replay", { endpoint_id: id }];
    const { status, headers } = await stage.post(stage.attacker, `/events/v1/${path}`, body);
    return `${path} ${status}${status === 429 && !headers["retry-after"] ? " without Retry-After" : ""}`;
  });
  return { ...outcomes, taken };
}

/** Measures the time from an event to its delivery. */
export async function honest(stage) {
  const came = new Set();
  let expected;
  const arrived = new Promise((resolve) => {
    onArrival = (id) => {
      came.add(id);
      if (came.has(expected)) resolve();
    };
  });
  const body = await expectOk(stage.post(stage.honest, "/events/v1/test-endpoint", { id: stage.served }));
  expected = JSON.parse(body).event_id;
  onArrival(null);
  await arrived;
}

/** Answers every request with 204. */
async function receive(onRequest) {
  const receiver = createServer((request, response) => {
    onRequest(request);
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await new Promise((listening) => receiver.listen(0, "127.0.0.1", listening));
  receiver.unref();
  return `http://127.0.0.1:${receiver.address().port}/hook`;
}

async function newEndpoint({ post }, who, url) {
  return JSON.parse(await expectOk(post(who, "/events/v1/create-endpoint", { url }))).endpoint.id;
}

/** Adds a month of stored events for the attacker. */
async function addEvents({ databaseUrl, attacker }) {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    await database.query(
      `insert into events (tenant_id, event_id, type, object_id, data)
      select $1, gen_random_uuid(), 'connection.refreshed', gen_random_uuid(), '{}' from generate_series(1, $2)`,
      [attacker.tenant, EVENTS],
    );
    for (;;) {
      const { rows } = await database.query("select from events where sequence is null limit 1");
      if (rows.length === 0) return;
      await delay(100);
    }
  } finally {
    await database.end();
  }
}
