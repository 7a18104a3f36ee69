import { createServer } from "node:http";
import { accessToken } from "@org/bench/product/installation.mjs";
import pg from "pg";
import { expectOk } from "./stage.mjs";

/** The receivers run on this machine. */
export const environment = { WEBHOOK_PRIVATE_NETWORKS: "127.0.0.0/8" };

/** Endpoints of one tenant. */
export const ENDPOINTS = 20;

/** Answers every request with 204, after this long; never when it is null. */
export async function receive(onRequest, afterMs = 0) {
  const receiver = createServer((request, response) => {
    onRequest(request);
    request.resume().on("end", () => {
      if (afterMs !== null) setTimeout(() => response.writeHead(204).end(), afterMs);
    });
  });
  await new Promise((listening) => receiver.listen(0, "127.0.0.1", listening));
  receiver.unref();
  return `http://127.0.0.1:${receiver.address().port}/hook`;
}

export async function newEndpoint({ post }, who, url) {
  return JSON.parse(await expectOk(post(who, "/events/v1/create-endpoint", { url }))).endpoint.id;
}

/** Gives the honest tenant an endpoint; `delivery(stage)` resolves when a test event has reached it. */
export function honestEndpoint() {
  let onArrival = () => {};
  return {
    async serve(stage) {
      const url = await receive((request) => onArrival(request.headers["webhook-id"]));
      return newEndpoint(stage, stage.honest, url);
    },
    async delivery(stage) {
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
    },
  };
}

/** The attacker, and a second tenant that does the same. */
export async function withAccomplice(stage) {
  const operate = async (path, body) => JSON.parse(await expectOk(stage.post(stage.operator, path, body)));
  const { tenant } = await operate("/operator/v1/tenants/create", { name: "Accomplice" });
  const { tenant_id } = tenant;
  const made = await operate("/operator/v1/applications/create", { tenant_id, name: "Accomplice" });
  const credentials = { client_id: made.application.client_id, client_secret: made.client_secret };
  const token = await accessToken(stage, credentials);
  return [stage.attacker, { ...credentials, tenant: tenant_id, token }];
}

/** Stores events of a tenant, of which its endpoints get those that come after them. */
export async function storeEvents({ databaseUrl }, tenantId, count) {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    await database.query(
      `insert into events (tenant_id, event_id, type, object_id, data)
      select $1, gen_random_uuid(), 'connection.refreshed', gen_random_uuid(), '{}' from generate_series(1, $2)`,
      [tenantId, count],
    );
  } finally {
    await database.end();
  }
}

/** An attack by two tenants whose endpoints have 200 events each, and answer after `afterMs`; never when it is null. */
export function hangingEndpoints(afterMs) {
  const honest = honestEndpoint();
  return {
    async prepare(stage) {
      return { served: await honest.serve(stage), attackers: await withAccomplice(stage) };
    },
    async attack(stage) {
      let requests = 0;
      const url = await receive(() => {
        requests += 1;
      }, afterMs);
      for (const who of stage.attackers) {
        for (let made = 0; made < ENDPOINTS; made += 1) await newEndpoint(stage, who, url);
        await storeEvents(stage, who.tenant, 200);
      }
      await new Promise((over) => stage.signal.addEventListener("abort", over, { once: true }));
      return { requests };
    },
    honest: honest.delivery,
  };
}
