import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { startReplica } from "./replica.js";
import type { ServerProcess } from "./server-process.js";

const CONNECTIONS = 24;

describe.skipIf(!testDatabaseUrl)("two replicas with jobs", () => {
  let server: TestServer;
  let replica: ServerProcess;
  beforeAll(async () => {
    server = await startTestServer({ backend: "postgres", environment: { JOBS: "false" } });
    for (let made = 0; made < CONNECTIONS; made += 1) {
      const { widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
      await connectBank(widgetUrl, { username: `customer ${made}`, password: "NO_HISTORY" });
    }
  }, START_TIMEOUT);
  afterAll(async () => {
    await replica?.end("SIGKILL");
    await server?.remove();
  });

  it("[C-1.26] [C-4.2] refresh what is due at once, each connection exactly once between them", {
    timeout: START_TIMEOUT,
  }, async () => {
    await server.installation.withDatabase((pool) => pool.query("update connection_refreshes set due_at = now()"));
    await Promise.all([
      server.start({ JOBS: "true" }),
      startReplica(server).then(({ process }) => {
        replica = process;
      }),
    ]);
    const refreshes = () =>
      server.installation.withDatabase(async (pool) => {
        const { rows } = await pool.query<{ object_id: string; lines: number }>(
          "select object_id, count(*)::integer as lines from audit_log where action = 'connection.refresh' group by 1",
        );
        return rows;
      });
    await eventually(async () => (await refreshes()).length === CONNECTIONS, "all are refreshed");
    expect((await refreshes()).map(({ lines }) => lines)).toEqual(Array(CONNECTIONS).fill(1));
    const refreshLines = () => [...server.process.log(), ...replica.log()].filter(({ msg }) => msg === "refresh");
    // A refresh is logged after its transaction has ended.
    await eventually(() => refreshLines().length >= CONNECTIONS, "all are logged");
    expect(refreshLines().map(({ outcome }) => outcome)).toEqual(Array(CONNECTIONS).fill("refreshed"));
    expect([...server.faults(), ...replica.log().filter(({ level }) => level === "error")]).toEqual([]);
  });
});
