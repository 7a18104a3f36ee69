import { createServer } from "node:http";
import { accessToken } from "@org/bench/product/installation.mjs";
import { expectOk, flood } from "./stage.mjs";
import { honestEndpoint, newEndpoint } from "./webhook-receivers.mjs";

export { environment } from "./webhook-receivers.mjs";

export const title =
  "webhook endpoints of forty tenants, three each, that answer every other request, and hang at the rest";

const TENANTS = 40;
const EACH = 3;
/** A delivery may take 15 s. */
const HANGS_MS = 14_000;

const served = honestEndpoint();

export async function prepare(stage) {
  const operate = async (path, body) => JSON.parse(await expectOk(stage.post(stage.operator, path, body)));
  const attackers = [];
  for (let made = 0; made < TENANTS; made += 1) {
    const { tenant_id } = (await operate("/operator/v1/tenants/create", { name: `Attacker ${made}` })).tenant;
    const { application, client_secret } = await operate("/operator/v1/applications/create", { tenant_id, name: "a" });
    attackers.push({ token: await accessToken(stage, { client_id: application.client_id, client_secret }) });
  }
  return { served: await served.serve(stage), attackers };
}

export async function attack(stage) {
  let requests = 0;
  const seen = new Map();
  const receiver = createServer((request, response) => {
    requests += 1;
    const count = (seen.get(request.url) ?? 0) + 1;
    seen.set(request.url, count);
    request.resume().on("end", () => {
      if (count % 2 === 1) response.writeHead(204).end();
      else setTimeout(() => response.writeHead(204).end(), HANGS_MS);
    });
  });
  await new Promise((listening) => receiver.listen(0, "127.0.0.1", listening));
  receiver.unref();
  const endpoints = [];
  for (const who of stage.attackers)
    for (let made = 0; made < EACH; made += 1) {
      const url = `http://127.0.0.1:${receiver.address().port}/${endpoints.length}`;
      endpoints.push({ who, id: await newEndpoint(stage, who, url) });
    }
  const outcomes = await flood(stage, 8, async (index) => {
    const { who, id } = endpoints[index % endpoints.length];
    const { status } = await stage.post(who, "/events/v1/test-endpoint", { id });
    return `test-endpoint ${status}`;
  });
  return { ...outcomes, requests };
}

export const honest = served.delivery;
