import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { createLoadBalancer, type LoadBalancer } from "./load-balancer.js";
import { startReplica } from "./replica.js";
import type { ServerProcess } from "./server-process.js";
import { type ConnectedClient, toolClients } from "./tool-clients.js";

describe.skipIf(!testDatabaseUrl)("every client and every tool, over two replicas on one PostgreSQL", () => {
  let server: TestServer;
  let replica: ServerProcess;
  let balancer: LoadBalancer;
  let origins: readonly [string, string];
  const connected = new Map<string, { client: ConnectedClient; credential: string }>();

  beforeAll(async () => {
    server = await startTestServer({ backend: "postgres" });
    const started = await startReplica(server);
    replica = started.process;
    origins = [server.url, started.url];
    balancer = createLoadBalancer(origins);
  }, START_TIMEOUT);
  afterAll(async () => {
    for (const { client } of connected.values()) await client.close();
    await replica?.end("SIGKILL");
    await server?.remove();
  });

  it.each(toolClients)(
    "[S1-4.19] [C-4.2] $name connects a bank, its requests going to both in turn",
    async ({ name, connect }) => {
      const client = await connect(balancer, server.demo.token);
      expect(client.toolNames).toHaveLength(10);
      const found = await client.call("svc-connectors", { name: "PEÑACLARÍN" });
      expect(found.items).toMatchObject([{ connector_id: sandboxBanks.eBanking }]);
      const { connector_id } = found.items[0];
      const { session_id, widget_url } = await client.call("svc-create-connect-session", { connector_id });
      await connectBank(widget_url, { username: `customer of ${name}`, password: "secret" });
      const finished = await untilFinished(client, session_id);
      expect(finished).toMatchObject({ status: "Finished:OK", connector_id });
      const credential = finished.connection_id;
      const listed = await client.call("svc-credentials", { include_status: true, page_size: 500 });
      const [own] = listed.items.filter((item: { credentials_token: string }) => item.credentials_token === credential);
      expect(await client.call("svc-credential-status", { credentials_token: credential })).toMatchObject({
        blocked: own.status.blocked,
        created_at: own.status.created_at,
      });
      expect(await client.call("svc-needs-relogin", { credentials_token: credential })).toEqual({
        needs_relogin: false,
        reasons: [],
      });
      connected.set(name, { client, credential });
    },
  );

  it("both have answered, and one of them is killed", async () => {
    const [first, second] = origins.map((origin) => balancer.answered.get(origin) ?? 0);
    expect(Math.min(first ?? 0, second ?? 0)).toBeGreaterThan(toolClients.length * 3);
    await replica.end("SIGKILL");
  });

  it.each(toolClients)("[S1-4.21] [C-4.2] $name goes on in its session: data, and deletion", async ({ name }) => {
    const known = connected.get(name);
    if (!known) throw new Error("it did not connect");
    const { client, credential } = known;
    const of = { credentials_token: credential };
    const portfolios = await client.call("svc-portfolios", of);
    expect(portfolios.total).toBeGreaterThan(0);
    const investments = await client.call("svc-investments", { ...of, portfolio_id: portfolios.items[0].id });
    expect(investments.total).toBeGreaterThan(0);
    const transactions = await client.call("svc-investment-transactions", { ...of, page_size: 2 });
    expect(transactions.hint).toContain(`snapshot=${transactions.snapshot}`);
    await expect(client.call("svc-delete-credentials", of)).rejects.toMatchObject({ code: "CONFIRMATION_REQUIRED" });
    expect((await client.call("svc-delete-credentials", { ...of, confirm: true })).credentials_token).toBe(credential);
    await expect(client.call("svc-portfolios", of)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("nothing has failed inside", () => {
    expect([...server.faults(), ...replica.log().filter(({ level }) => level === "error")]).toEqual([]);
  });
});

function untilFinished(client: ConnectedClient, session_id: string) {
  return eventually(async () => {
    const session = await client.call("svc-session-status", { session_id });
    return session.status.startsWith("Finished:") && session;
  }, "the session is finished");
}
