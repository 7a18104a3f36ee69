import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mirror } from "../../../examples/connection-mirror/src/mirror.js";
import { freePort } from "../../../packages/http/test/free-port.js";
import { buildExample } from "./build-example.js";
import { connectBank } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";

const DATABASE = oneBackend(
  "the mirror speaks to the API; what is in the log in either database the stores' suites hold",
);

describe("the mirror of connections", () => {
  let server: TestServer;
  let built: string;
  let file: string;
  let environment: Record<string, string>;
  let mirror: ChildProcess | undefined;
  const connections: string[] = [];
  beforeAll(async () => {
    built = await buildExample("connection-mirror", ["src/main.ts"]);
    file = join(built, "mirror.json");
    server = await startTestServer({
      backend: DATABASE,
      environment: { WEBHOOK_PRIVATE_NETWORKS: "127.0.0.0/8" },
      schedule: { events: 50, webhooks: 50 },
    });
    const port = await freePort();
    const { body } = await server.demo.post("/events/v1/create-endpoint", {
      url: `http://127.0.0.1:${port}/`,
      types: ["connection.*"],
    });
    environment = {
      PATH: process.env.PATH ?? "",
      SERVER: server.url,
      CLIENT_ID: server.demo.clientId,
      CLIENT_SECRET: server.demo.clientSecret,
      WEBHOOK_SECRET: body.secret,
      MIRROR_FILE: file,
      PORT: port,
    };
    await connect("first");
    await connect("second");
  }, START_TIMEOUT);
  afterAll(async () => {
    mirror?.kill("SIGKILL");
    rmSync(built, { recursive: true, force: true });
    await server?.remove();
  });

  it("[C-11.88] is killed while connections come and go, and ends with the server's state, without polling", {
    timeout: START_TIMEOUT,
  }, async () => {
    await startMirror();
    expect(mirrored()).toEqual(await truth());
    await connect("third");
    await eventually(async () => sameAs(await truth()), "the third connection is told");

    mirror?.kill("SIGKILL");
    await remove(connections[0]);
    await connect("fourth");
    await startMirror();
    await eventually(async () => sameAs(await truth()), "what happened meanwhile is read");
    await remove(connections[1]);
    await connect("fifth");
    await eventually(async () => sameAs(await truth()), "what happens after that is told");
    expect(Object.values(mirrored())).toEqual(["ready", "ready", "ready"]);
    expect(server.faults()).toEqual([]);
    // The newest event once, and the log at each start.
    const listed = server.process.log().filter(({ route }) => route === "/events/v1/list-events");
    expect(listed).toHaveLength(3);
  });

  async function connect(username: string): Promise<void> {
    const { id, widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(widgetUrl, { username, password: "ordinary" });
    connections.push((await server.demo.tools.call("svc-session-status", { session_id: id })).connection_id);
  }

  async function remove(credentials_token = ""): Promise<void> {
    const { status, text } = await server.demo.post("/data/v1/delete-connection", { credentials_token, confirm: true });
    if (status !== 200) throw new Error(text);
  }

  /** The server's state of every connection; all of these are ready. */
  async function truth(): Promise<Record<string, string>> {
    const { body } = await server.demo.post("/data/v1/list-connections", { ready_only: true });
    return Object.fromEntries(
      body.items.map((item: { credentials_token: string }) => [item.credentials_token, "ready"]),
    );
  }

  function mirrored(): Record<string, string> {
    const { connections: known } = JSON.parse(readFileSync(file, "utf8")) as Mirror;
    const present = Object.entries(known).filter(([, { status }]) => status !== "removed");
    return Object.fromEntries(present.map(([id, { status }]) => [id, status]));
  }

  function sameAs(expected: Record<string, string>): boolean {
    return JSON.stringify(Object.entries(mirrored()).sort()) === JSON.stringify(Object.entries(expected).sort());
  }

  async function startMirror(): Promise<void> {
    const child = spawn(process.execPath, [join(built, "main.js")], {
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    mirror = child;
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    await eventually(() => {
      if (child.exitCode !== null) throw new Error(output);
      return output.includes("up to date") && existsSync(file);
    }, "the mirror is up to date");
  }
});
