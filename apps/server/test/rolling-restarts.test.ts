import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import { eventually } from "./eventually.js";
import { type Api, START_TIMEOUT, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { send } from "./http-client.js";
import { beginTraffic } from "./mixed-traffic.js";
import { clientOf, type ProxyName, proxyPrograms, type ServingProxy, startServingProxy } from "./proxy.js";
import { startReplica } from "./replica.js";
import type { ServerProcess } from "./server-process.js";

/** How often both replicas are restarted; resilience/faults/rolling-restarts.mjs sets more. */
const rounds = Number(process.env.ROLLING_RESTARTS ?? 1);
/** Waits like an orchestrator: longer than the proxies need to find a returning replica. */
const SETTLED_REQUESTS = 20;

/** The time after which haproxy counts both as down: `timeout check` plus the interval between checks. */
const CHECKS_ARE_LATE_MS = 4_500;
const PAUSE_MS = 300;

describe.skipIf(!testDatabaseUrl)("two replicas behind a proxy, with the settings that deploy/ ships", () => {
  const environment: Record<string, string> = { TRUST_PROXY: "1", DRAIN_SECONDS: "2" };
  let server: TestServer;
  /** Two tenants for each proxy, since a second round on the same tenant would behave differently. */
  const tenants = new Map<ProxyName, readonly [TestTenant, TestTenant]>();
  let replica: { url: string; process: ServerProcess };
  let proxyPort: string;
  let proxy: ServingProxy | undefined;
  beforeAll(async () => {
    server = await startTestServer({ backend: "postgres", environment });
    for (const name of ["haproxy", "nginx"] as const)
      tenants.set(name, [await server.createTenant(`${name} one`), await server.createTenant(`${name} two`)]);
    proxyPort = await freePort();
    environment.PUBLIC_URL = `https://localhost:${proxyPort}`;
    await server.start(environment);
    replica = await startReplica(server, { environment });
  }, START_TIMEOUT);
  afterEach(async () => {
    await proxy?.stop();
    proxy = undefined;
  });
  afterAll(async () => {
    await replica?.process.end("SIGKILL");
    await server?.remove();
  });

  const credentialsOf = ({ clientId, clientSecret }: Api) => ({ client_id: clientId, client_secret: clientSecret });

  /** Waits until the proxy has sent a process requests again. */
  const settled = (process: () => ServerProcess) =>
    eventually(
      () =>
        process()
          .log()
          .filter(({ msg, status }) => msg === "request" && status === 200).length > SETTLED_REQUESTS,
      "the proxy sends requests to the replica that was restarted",
    );

  it.skipIf(!proxyPrograms).each<ProxyName>(["haproxy", "nginx"])(
    "[scale.md §2] no request fails behind %s, over HTTP/1.1 and HTTP/2, while one replica after the other is restarted (skipped where it is not installed: node scripts/proxies.mjs)",
    { timeout: START_TIMEOUT + rounds * 60_000 },
    async (name) => {
      proxy = await startServingProxy(name, proxyPort, [server.url, replica.url]);
      const [demo, tenant] = tenants.get(name) ?? [];
      if (!demo || !tenant) throw new Error(`no tenants for ${name}`);
      const traffic = await beginTraffic(proxy, {
        operator: credentialsOf(server.operator),
        demo: credentialsOf(demo),
        tenant: credentialsOf(tenant),
      });
      let longestEnd = { took: 0, parts: "" };
      try {
        for (let round = 0; round < rounds; round += 1) {
          await server.start(environment);
          await settled(() => server.process);
          const asked = performance.now();
          expect(await replica.process.end("SIGTERM")).toEqual({ code: 0, signal: null });
          const took = Math.round(performance.now() - asked);
          const ms = replica.process.log().find(({ msg }) => msg === "stopped")?.ms;
          expect(ms).toMatchObject({ draining: expect.any(Number), connections: expect.any(Number) });
          if (took > longestEnd.took) longestEnd = { took, parts: JSON.stringify(ms) };
          replica = await startReplica(server, { environment: { ...environment, PORT: new URL(replica.url).port } });
          await settled(() => replica.process);
        }
      } finally {
        await traffic.stop();
      }
      expect(traffic.failures.slice(0, 10)).toEqual([]);
      if (process.env.ROLLING_RESTARTS)
        console.log(
          `${name}: ${2 * rounds} restarts, the longest end took ${longestEnd.took} ms (${longestEnd.parts}), ${traffic.summary()}`,
        );
      expect(Object.entries(traffic.done).filter(([, times]) => times === 0)).toEqual([]);
      expect(Math.min(...traffic.requests())).toBeGreaterThan(SETTLED_REQUESTS);
    },
  );

  it.skipIf(!proxyPrograms)(
    "behind haproxy nobody is refused because both replicas are late: what is asked meanwhile is answered when they go on",
    async () => {
      proxy = await startServingProxy("haproxy", proxyPort, [server.url, replica.url]);
      const client = clientOf(proxy, 2);
      const pids = [server.process.pid, replica.process.pid];
      try {
        for (const pid of pids) process.kill(pid, "SIGSTOP");
        await delay(CHECKS_ARE_LATE_MS);
        const asked = client.fetch(`${proxy.url}/.well-known/oauth-authorization-server`);
        await delay(PAUSE_MS);
        for (const pid of pids) process.kill(pid, "SIGCONT");
        expect((await asked).status).toBe(200);
      } finally {
        for (const pid of pids) process.kill(pid, "SIGCONT");
        client.close();
      }
    },
  );

  it("[scale.md §2] SIGTERM: /readyz says 503 at once, requests are served on, what is in flight ends, and its connection with it", async () => {
    const slow = await beginToken(replica.url);
    const ended = replica.process.end("SIGTERM");
    const refused = await eventually(async () => {
      const answer = await send(`${replica.url}/readyz`);
      return answer.status === 503 && answer;
    }, "/readyz says 503");
    expect(refused.body).toEqual({ status: "unavailable", reason: "the server is about to stop" });
    expect((await send(`${replica.url}/.well-known/oauth-authorization-server`)).status).toBe(200);
    await eventually(
      () =>
        send(`${replica.url}/healthz`).then(
          () => false,
          () => true,
        ),
      "nobody can connect any more",
    );
    expect(await slow()).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*Connection: close\r\n/);
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  /** Sends most of a token request; returns a function that sends the rest and resolves to everything that came back. */
  async function beginToken(url: string): Promise<() => Promise<string>> {
    const { clientId, clientSecret } = server.demo;
    const body = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`;
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    const closed = once(socket, "close");
    const head = `POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}`;
    await new Promise<void>((sent) => socket.write(`${head}\r\n\r\n${body.slice(0, 20)}`, () => sent()));
    return async () => {
      socket.write(body.slice(20));
      await closed;
      return received;
    };
  }

  it("a second signal ends it at once, and so does Ctrl-C without waiting for proxies", async () => {
    const patient = { ...environment, DRAIN_SECONDS: "600" };
    const one = await startReplica(server, { environment: patient });
    const exited = one.process.end("SIGTERM");
    await eventually(() => one.process.log().some(({ msg }) => msg === "stopping"), "it drains");
    void one.process.end("SIGTERM");
    expect(await exited).toEqual({ code: 143, signal: null });
    const other = await startReplica(server, { environment: patient });
    expect(await other.process.end("SIGINT")).toEqual({ code: 0, signal: null });
  });
});
