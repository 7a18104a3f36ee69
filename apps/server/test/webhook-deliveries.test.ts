import { spawnSync } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { send } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { startMailServer, type TestMailServer } from "./mail-server.js";

type Jwk = Readonly<Record<string, string>>;
const WITHIN_A_MINUTE = { timeout: 60_000, interval: 50 };

let server: TestServer;
let mails: TestMailServer;
let receiver: Server;
let origin: string;
const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  mails = await startMailServer();
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const path = request.url ?? "";
    received.push({ path, headers: request.headers, body });
    response.writeHead(path.startsWith("/gone") ? 410 : path === "/down" ? 500 : 200).end("said by the receiver");
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  server = await startTestServer({
    backend: oneBackend("what the stores of webhooks do runs their conformance suite on both"),
    environment: {
      METRICS: "true",
      WEBHOOK_PRIVATE_NETWORKS: "127.0.0.0/8",
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      MAIL_FROM: "wealth@example.com",
      OPERATOR_MAIL: "operator@example.com",
    },
  });
}, START_TIMEOUT);
afterAll(async () => {
  await server?.remove();
  await mails?.close();
  receiver?.closeAllConnections();
  receiver?.close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function call(path: string, body: object): Promise<any> {
  const answer = await server.demo.post(`/events/v1/${path}`, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}
const arrivedAt = async (path: string, count = 1) => {
  await expect
    .poll(() => received.filter((one) => one.path === path).length, WITHIN_A_MINUTE)
    .toBeGreaterThanOrEqual(count);
  return received.filter((one) => one.path === path);
};
const publishedKeys = async () => {
  const answer = await send(`${server.url}/.well-known/webhooks-keys.json`);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
  return answer.body.keys as { jwk: Jwk; public_key: string; since: string | null; until: string | null }[];
};

/** Whether openssl accepts an Ed25519 signature. */
function opensslTakes(jwk: Jwk, content: string, signature: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), "signature-"));
  try {
    const file = (name: string, bytes: string | Buffer) => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    };
    const pem = createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" });
    const { status } = spawnSync("openssl", [
      ...["pkeyutl", "-verify", "-pubin", "-inkey", file("key.pem", pem), "-rawin"],
      ...["-in", file("content", content), "-sigfile", file("signature", Buffer.from(signature, "base64"))],
    ]);
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("deliveries of a running server", () => {
  it("[C-11.60] [C-11.61] [C-11.62] [C-11.65] are taken by npm standardwebhooks (v1) and by openssl (v1a), before and after a rotation; five days of failures disable an endpoint", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { endpoint, secret } = await call("create-endpoint", { url: `${origin}/hooks` });
    await call("test-endpoint", { id: endpoint.id });
    const [first] = await arrivedAt("/hooks");
    if (first === undefined) throw new Error("nothing arrived");
    const headers = first.headers as Record<string, string>;
    expect(new Webhook(secret).verify(first.body, headers)).toMatchObject({
      id: headers["webhook-id"],
      type: "webhook.test",
      tenant_id: server.demo.tenantId,
      data: { endpoint_id: endpoint.id },
    });
    expect(headers).toMatchObject({ "content-type": "application/json" });
    expect(headers["user-agent"]).toMatch(/^wealth-connect\/\d/);
    const contentOf = ({ headers, body }: typeof first) =>
      `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const v1aOf = ({ headers }: typeof first) =>
      String(headers["webhook-signature"])
        .split(" ")
        .flatMap((one) => (one.startsWith("v1a,") ? [one.slice(4)] : []));
    const [key] = await publishedKeys();
    const [signature = ""] = v1aOf(first);
    expect(opensslTakes(key?.jwk ?? {}, contentOf(first), signature)).toBe(true);
    expect(opensslTakes(key?.jwk ?? {}, `${contentOf(first)} `, signature)).toBe(false);

    await server.operate("/operator/v1/keys/rotate-server", { name: "webhook-signature" });
    const [next, former] = await publishedKeys();
    expect([next?.until, former?.until, former?.jwk]).toEqual([null, expect.any(String), key?.jwk]);
    const down = (await call("create-endpoint", { url: `${origin}/down`, types: ["webhook.*"] })).endpoint.id;
    await call("test-endpoint", { id: down });
    const standing = async () => (await call("list-endpoints", {})).items.find(({ id }: { id: string }) => id === down);
    const last_failure = { at: expect.any(String), status: 500, error: "status" };
    await expect
      .poll(standing, WITHIN_A_MINUTE)
      .toMatchObject({ enabled: true, failing_since: expect.any(String), last_failure });
    const shown = (await server.operate("/operator/v1/webhooks/list", { state_in: ["failing"] })).items;
    expect(shown).toMatchObject([{ id: down, last_failure }]);
    await server.stop();
    await server.installation.withDatabase(async (pool) => {
      await pool.query("update server_keys set active_from = active_from - interval '2 minutes'");
      // Five days without an accepted delivery.
      await pool.query(
        "update webhook_endpoints set failing_since = failing_since - interval '5 days', not_before = null, due_at = now() where endpoint_id = $1",
        [down],
      );
      await pool.query("update webhook_deliveries set due_at = now() where endpoint_id = $1", [down]);
    });
    await server.start();
    await expect.poll(standing, WITHIN_A_MINUTE).toMatchObject({ enabled: false, disabled_reason: "failing" });
    const told = await call("list-events", { query: { type_in: ["webhook.endpoint_disabled"] } });
    expect(told.items).toMatchObject([{ data: { endpoint_id: down, reason: "failing" } }]);
    const { items: waiting } = await call("list-deliveries", { query: { endpoint_id: down } });
    expect(waiting).toMatchObject([{ type: "webhook.test", state: "withdrawn", status: 500, next_at: null }]);
    await expect
      .poll(() => mails.arrived.splice(0), WITHIN_A_MINUTE)
      .toMatchObject([{ to: ["operator@example.com"], raw: expect.stringContaining(down) }]);
    await call("test-endpoint", { id: endpoint.id });
    const second = (await arrivedAt("/hooks", 2)).find(
      ({ headers: other }) => other["webhook-id"] !== headers["webhook-id"],
    );
    if (second === undefined) throw new Error("the second one did not arrive");
    const verdicts = v1aOf(second).map((each, index) =>
      opensslTakes([next, former][index]?.jwk ?? {}, contentOf(second), each),
    );
    expect(verdicts).toEqual([true, true]);
    new Webhook(secret).verify(second.body, second.headers as Record<string, string>);
  });

  it("[C-11.65] [C-11.70] 410 disables the endpoint: its tenant has the event, the operator a mail, metrics and doctor say so", async () => {
    const { endpoint } = await call("create-endpoint", {
      url: `${origin}/gone?key=private-part`,
      types: ["webhook.*"],
    });
    await call("test-endpoint", { id: endpoint.id });
    await expect
      .poll(
        async () => (await call("list-endpoints", {})).items.find(({ id }: { id: string }) => id === endpoint.id),
        WITHIN_A_MINUTE,
      )
      .toMatchObject({ enabled: false });
    const { items } = await call("list-events", { query: { type_in: ["webhook.endpoint_disabled"] } });
    expect(items[0]).toMatchObject({ data: { endpoint_id: endpoint.id, reason: "gone" } });
    const trail = await server.operate("/operator/v1/audit/list", { action: "webhook.disable" });
    expect(trail.items).toMatchObject([
      { object_id: endpoint.id, actor: "system", facts: { reason: "gone" } },
      { actor: "system", facts: { reason: "failing" } },
    ]);
    await expect.poll(() => mails.arrived.length, WITHIN_A_MINUTE).toBe(1);
    expect(mails.arrived[0]).toMatchObject({
      to: ["operator@example.com"],
      subject: `Webhook endpoint disabled: ${new URL(origin).host}`,
    });
    expect(mails.arrived[0]?.raw).toContain(endpoint.id);

    const metrics = (await send(`${server.url}/metrics`)).text;
    expect(metrics).toMatch(/wealth_connect_webhook_seconds_count\{outcome="4xx"\} 1/);
    expect(metrics).toMatch(/wealth_connect_webhook_endpoints\{state="disabled"\} 2/);
    expect(metrics).toMatch(/wealth_connect_webhook_deliveries_pending 0/);
    const { items: findings } = await server.operate("/operator/v1/doctor/examine", {});
    expect(JSON.stringify(findings)).toContain("disabled because of 410");
    for (const text of [metrics, server.output(), mails.arrived[0]?.raw ?? "", JSON.stringify(findings)])
      expect(text).not.toContain("private-part");
    // Only the owner may see what a receiver answers; no log has it.
    expect(server.output()).not.toContain("said by the receiver");
  });

  it("[C-11.90] reach their receiver while the endpoints of two other tenants, new ones, never answer", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const { endpoint } = await call("create-endpoint", { url: `${origin}/honest` });
    await call("test-endpoint", { id: endpoint.id });
    await arrivedAt("/honest");
    for (const name of ["silent", "silent too"]) {
      const tenant = await server.createTenant(name);
      for (let made = 0; made < 12; made += 1) {
        const { id } = (await tenant.post("/events/v1/create-endpoint", { url })).body.endpoint;
        await tenant.post("/events/v1/test-endpoint", { id });
      }
    }
    const connections = () => new Promise<number>((found) => silent.getConnections((_, count) => found(count)));
    await expect.poll(connections, WITHIN_A_MINUTE).toBeGreaterThanOrEqual(5);
    const began = Date.now();
    await call("test-endpoint", { id: endpoint.id });
    await arrivedAt("/honest", 2);
    // A receiver that never answers holds its place for 15 seconds.
    expect(Date.now() - began).toBeLessThan(7_000);
    silent.closeAllConnections();
    silent.close();
  });
});
