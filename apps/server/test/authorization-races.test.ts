import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { obtainCode } from "./authorize.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { type Answer, post } from "./http-client.js";
import { startReplica } from "./replica.js";
import type { ServerProcess } from "./server-process.js";

const ROUNDS = 5;

/** Real races between two server processes on one PostgreSQL. */
describe.skipIf(!testDatabaseUrl)("[security.md] races at two replicas on PostgreSQL", () => {
  let server: TestServer;
  let replica: ServerProcess;
  let there: string;
  beforeAll(async () => {
    server = await startTestServer({ backend: "postgres" });
    ({ url: there, process: replica } = await startReplica(server));
  }, START_TIMEOUT);
  afterAll(async () => {
    await replica?.end("SIGKILL");
    await server?.remove();
  });

  const token = (url: string, form: Readonly<Record<string, string>> | URLSearchParams) =>
    post(`${url}/token`, new URLSearchParams(form));
  const refresh = (url: string, refresh_token: string) => token(url, { grant_type: "refresh_token", refresh_token });
  /** Sends a request ten times concurrently, alternating between both. */
  const tenTimes = (send: (url: string) => Promise<Answer>) =>
    Promise.all(Array.from({ length: 10 }, (_, index) => send(index % 2 ? there : server.url)));
  const callsTool = async (url: string, access_token: string) => {
    const headers = { accept: "application/json, text/event-stream" };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    return (await post(`${url}/mcp`, call, { token: access_token, headers })).status;
  };
  const eventuallyRefused = async (access_token: string) => {
    await eventually(async () => {
      const statuses = await Promise.all([server.url, there].map((url) => callsTool(url, access_token)));
      return statuses.every((status) => status === 401);
    }, "both refuse the token");
  };

  it("RFC 6749 §4.1.2: of ten redemptions of a code one succeeds, and the others end its grant everywhere", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { redemption } = await obtainCode(server.url, server.demo);
      const answers = await tenTimes((url) => token(url, redemption));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
      const { access_token, refresh_token } = answers.find(({ status }) => status === 200)?.body ?? {};
      expect((await refresh(there, refresh_token)).body.error).toBe("invalid_grant");
      if (round === 0) await eventuallyRefused(access_token);
    }
  });

  it("RFC 6749 §4.1.2: ten attempts of another client, or with another verifier, leave the code to its owner", async () => {
    const { redemption } = await obtainCode(server.url, server.demo);
    const stranger = await obtainCode(server.url, server.demo);
    const stolen = new URLSearchParams(redemption);
    stolen.set("client_id", stranger.clientId);
    const guessed = new URLSearchParams(redemption);
    guessed.set("code_verifier", createHash("sha256").update("guess").digest("base64url"));
    const [attempts, [owner]] = await Promise.all([
      Promise.all([tenTimes((url) => token(url, stolen)), tenTimes((url) => token(url, guessed))]),
      Promise.all([token(there, redemption)]),
    ]);
    expect(attempts.flat().every(({ body }) => body.error === "invalid_grant")).toBe(true);
    expect(owner?.status).toBe(200);
    expect((await refresh(server.url, owner?.body.refresh_token)).status).toBe(200);
  });

  it("[S1-5.7] of ten refreshes of a browser's token one succeeds, and the others end the family", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { redemption } = await obtainCode(server.url, server.demo);
      const { refresh_token } = (await token(server.url, redemption)).body;
      const answers = await tenTimes((url) => refresh(url, refresh_token));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
      const next = answers.find(({ status }) => status === 200)?.body.refresh_token;
      expect((await refresh(there, next)).body.error).toBe("invalid_grant");
    }
  });

  it("RFC 7009: a revocation during a refresh leaves no living token, whoever was first", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { redemption } = await obtainCode(server.url, server.demo);
      const { refresh_token } = (await token(server.url, redemption)).body;
      const [refreshed, revoked] = await Promise.all([
        refresh(server.url, refresh_token),
        post(`${there}/revoke`, new URLSearchParams({ token: refresh_token })),
      ]);
      expect(revoked.status).toBe(200);
      expect([200, 400]).toContain(refreshed.status);
      const last = refreshed.body.refresh_token ?? refresh_token;
      expect((await refresh(there, last)).body.error).toBe("invalid_grant");
      if (refreshed.status === 200 && round === 0) await eventuallyRefused(refreshed.body.access_token);
    }
  });

  it("removing a secret while codes are redeemed with it leaves no living grant", async () => {
    const tenant = await server.createTenant("Secret that goes");
    const holders = await Promise.all(Array.from({ length: 6 }, () => obtainCode(server.url, tenant)));
    const rolled = await server.operate("/operator/v1/applications/roll-secret", { client_id: tenant.clientId });
    const [first] = rolled.application.secrets;
    const [answers] = await Promise.all([
      Promise.all(holders.map(({ redemption }, index) => token(index % 2 ? there : server.url, redemption))),
      server.operate("/operator/v1/applications/remove-secret", {
        client_id: tenant.clientId,
        secret_id: first.secret_id,
      }),
    ]);
    for (const { status, body } of answers) {
      expect([200, 400]).toContain(status);
      if (status === 200) expect((await refresh(there, body.refresh_token)).body.error).toBe("invalid_grant");
    }
  });

  it("signing keys rotate while tokens are issued and used at both, and nobody notices", async () => {
    const tenant = await server.createTenant("Rotation");
    let isRotating = true;
    const rotating = (async () => {
      for (let round = 0; round < 3; round++) {
        await server.operate("/operator/v1/keys/rotate", {});
        await delay(300);
      }
      isRotating = false;
    })();
    while (isRotating) {
      const issued = await tenTimes((url) =>
        token(url, {
          grant_type: "client_credentials",
          client_id: tenant.clientId,
          client_secret: tenant.clientSecret,
        }),
      );
      const used = await Promise.all(
        issued.map(({ body }, index) => callsTool(index % 2 ? server.url : there, body.access_token)),
      );
      expect(used).toEqual(Array(10).fill(200));
    }
    await rotating;
  });

  it("nothing went wrong on the way", () => {
    expect([...server.faults(), ...replica.log().filter(({ level }) => level === "error")]).toEqual([]);
  });
});
