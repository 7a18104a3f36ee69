import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { backends } from "./installation.js";
import { submitLetter } from "./letters.js";
import { toolCall } from "./mcp-clients.js";

/** What a call may cost, by its name. */
type Cost = Record<"promises" | "timers" | "statements", number>;
const budget: Readonly<Record<string, Cost>> = JSON.parse(
  readFileSync(new URL("call-budget.json", import.meta.url), "utf8"),
);

/** The stack of each promise, timer or statement, innermost call first. */
type Stacks = readonly (readonly string[])[];
type Counted = Record<keyof Cost, Stacks>;

/** Calls before the counted ones: after these the server has cached what it caches. */
const WARM_CALLS = 3;
/** Calls that are counted: what the server does besides, such as reading its keys again, falls into few of them. */
const COUNTED_CALLS = 12;
/** Calls are this far apart, so that each counts the timer of the log, which collects records for 10 ms. */
const APART_MS = 30;
const HOUR_MS = 3_600_000;
const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A call as its client sends it, in one piece. */
interface Call {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

describe.runIf(backends.includes("postgres"))("[C-9.460] what a call costs on PostgreSQL", () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let server: TestServer;
  let tenant: TestTenant;
  let session: string;

  beforeAll(async () => {
    server = await startTestServer({
      backend: "postgres",
      environment: { JOBS: "false" },
      schedule: { auditTrail: HOUR_MS, clock: HOUR_MS, limits: HOUR_MS, eventNews: HOUR_MS, providers: HOUR_MS },
    });
    await server.start({ CALL_COUNTS_SOCKET: socketPath() }, [
      "--enable-source-maps",
      "--import",
      new URL("call-counts.mjs", import.meta.url).href,
    ]);
    tenant = server.demo;
    const { widgetUrl } = await tenant.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(widgetUrl, { username: "somebody", password: "a password" });
    await submitLetter(tenant, sandboxBanks.datafeed, { labels: { desk: "7" } });
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const { headers } = await send(mcpCall("2025-11-25", { jsonrpc: "2.0", id: 1, method: "initialize", params }));
    session = String(headers["mcp-session-id"]);
  }, START_TIMEOUT);
  afterAll(async () => {
    agent.destroy();
    await server?.remove();
  });

  const clientInfo = { name: "counting", version: "1" };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  };

  /** The calls of the budget, by its names. */
  const calls: Readonly<Record<string, () => Call>> = {
    "svc-investments, 2025-11-25 with a session": () => legacyTool("svc-investments", { page_size: 20 }),
    "svc-investments, 2026-07-28": () => modernTool("svc-investments", { page_size: 20 }),
    "svc-portfolios, 2025-11-25 with a session": () => legacyTool("svc-portfolios"),
    "svc-portfolios, 2026-07-28": () => modernTool("svc-portfolios"),
    "svc-investment-transactions, 2026-07-28": () => modernTool("svc-investment-transactions"),
    "svc-credentials, 2026-07-28": () => modernTool("svc-credentials", { include_status: true }),
    "svc-connectors, 2026-07-28": () => modernTool("svc-connectors", { name: "banco" }),
    "data read by REST": () => restCall("/data/v1/list-investments", { page_size: 20 }),
    "letter search": () => restCall("/letters/v1/search-letters", { query: { labels: { desk: "7" } } }),
    "filter preview": () =>
      restCall("/connect/v2/connectors/preview-connector-filter", {
        connector_filter: { rules: [{ action: "exclude", field: "countries", value: "esp" }] },
      }),
  };

  it("names the calls that are counted", () => expect(Object.keys(budget)).toEqual(Object.keys(calls)));

  it.each(Object.keys(calls))("%s", async (name) => {
    const call = calls[name] as () => Call;
    for (let warm = 0; warm < WARM_CALLS; warm += 1) await send(call());
    const least = await leastOf(() => send(call()));
    for (const [what, stacks] of Object.entries(least) as [keyof Cost, Stacks][])
      expect(stacks.length, `${what} of ${name}, from\n${placesIn(stacks)}\n`).toBeLessThanOrEqual(
        budget[name]?.[what] ?? 0,
      );
  });

  function socketPath(): string {
    return join(server.installation.dataDir, "counts.sock");
  }

  /** What the server has counted since it was asked before. */
  async function takeCounted(): Promise<Counted> {
    return JSON.parse(await text(connect(socketPath())));
  }

  function legacyTool(name: string, args: object = {}): Call {
    return mcpCall("2025-11-25", toolCall(name, args), { "mcp-session-id": session });
  }

  function modernTool(name: string, args: object = {}): Call {
    const { params, ...message } = toolCall(name, args);
    const headers = { "mcp-method": "tools/call", "mcp-name": name };
    return mcpCall("2026-07-28", { ...message, params: { ...params, _meta } }, headers);
  }

  function mcpCall(version: string, message: object, headers: Call["headers"] = {}): Call {
    const accept = "application/json, text/event-stream";
    return jsonCall("/mcp", message, { accept, "mcp-protocol-version": version, ...headers });
  }

  function restCall(path: string, body: object): Call {
    return jsonCall(path, body, {});
  }

  function jsonCall(path: string, body: object, headers: Call["headers"]): Call {
    const common = { "content-type": "application/json", authorization: `Bearer ${tenant.token}` };
    return { path, headers: { ...common, ...headers }, body: JSON.stringify(body) };
  }

  /** The least of each that any of several calls costs. */
  async function leastOf(call: () => Promise<unknown>): Promise<Counted> {
    let least: Counted | undefined;
    for (let time = 0; time < COUNTED_CALLS; time += 1) {
      await delay(APART_MS);
      await takeCounted();
      await call();
      const counted = await takeCounted();
      least = { ...counted, ...least };
      for (const what of Object.keys(counted) as (keyof Cost)[])
        if (counted[what].length < least[what].length) least[what] = counted[what];
    }
    return least as Counted;
  }

  /** Sends a call over the same connection as the others. */
  function send({ path, headers, body }: Call): Promise<{ headers: NodeJS.Dict<string | string[]>; body: string }> {
    return new Promise((resolve, reject) => {
      const length = { "content-length": String(Buffer.byteLength(body)) };
      const sent = request(server.url + path, { method: "POST", agent, headers: { ...headers, ...length } });
      sent.once("error", reject).once("response", (response) => {
        text(response).then((answer) => {
          if (response.statusCode === 200) resolve({ headers: response.headers, body: answer });
          else reject(new Error(`${path}: ${response.statusCode} ${answer}`));
        }, reject);
      });
      sent.end(body);
    });
  }
});

/** The line of the server's own code that made each, in the order of the call. */
function placesIn(stacks: Stacks): string {
  const isOwn = (frame: string) => frame.includes(root) && !frame.includes("/node_modules/");
  return stacks.map((frames) => `  ${(frames.find(isOwn) ?? frames.join(" < ")).replace(root, "")}`).join("\n");
}
