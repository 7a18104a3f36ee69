import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createDatabaseRelay, type DatabaseRelay, testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { type Answer, post, send } from "./http-client.js";
import { submitLetter } from "./letters.js";
import { toolCall } from "./mcp-clients.js";

const LONG = 120_000;

/** Requests of every family that need the database, by name. */
type Requests = Readonly<Record<string, () => Promise<Answer>>>;

describe.skipIf(!testDatabaseUrl)("a server and its PostgreSQL", () => {
  let server: TestServer;
  let line: DatabaseRelay;
  let requests: Requests;
  beforeAll(async () => {
    // Frequent, so that they run into every outage.
    server = await startTestServer({ backend: "postgres", schedule: { cleanUp: 200, serverKeys: 200 } });
    line = await createDatabaseRelay(String(server.installation.environment.DATABASE_URL));
    await server.start({ DATABASE_URL: line.url, METRICS: "true" });
    requests = await everyFamily(server);
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.stop("SIGKILL");
    await line?.close();
    await server?.remove();
  });

  const askAll = async (asked: Requests = requests) =>
    Promise.all(Object.entries(asked).map(async ([name, ask]) => ({ name, answer: await ask() })));
  const statuses = (answers: readonly { name: string; answer: Answer }[]) =>
    Object.fromEntries(answers.map(({ name, answer }) => [name, answer.status]));
  const allSay = (status: number) => Object.fromEntries(Object.keys(requests).map((name) => [name, status]));
  const untilReady = async () => {
    for (const deadline = Date.now() + 60_000; (await send(`${server.url}/readyz`)).status !== 200; await delay(100))
      if (Date.now() > deadline) throw new Error("it did not become ready");
  };
  const awaySeconds = async () =>
    Number(
      /^wealth_connect_database_unavailable_seconds_total (\S+)$/m.exec(
        (await send(`${server.url}/metrics`)).text,
      )?.[1],
    );
  /** Log records about the database's outages. */
  const said = () => server.process.log().filter(({ msg }) => /^the database is (away|back)/.test(msg));

  it("[C-9.38] while the database is away every family answers 503 with Retry-After, and says so once in the log", {
    timeout: LONG,
  }, async () => {
    expect(statuses(await askAll())).toEqual(allSay(200));
    await line.down();
    // Lets caches expire: keys, and ended grants.
    await delay(2_100);
    const answers = await askAll();
    expect(statuses(answers)).toEqual(allSay(503));
    for (const { name, answer } of answers) {
      expect(Number(answer.headers.get("retry-after")), name).toBeGreaterThan(0);
      expect(answer.text, name).not.toMatch(/INTERNAL_ERROR|Internal Error|server_error|ECONN/);
    }
    const bodies = Object.fromEntries(answers.map(({ name, answer }) => [name, answer.body ?? answer.text]));
    expect(bodies).toMatchObject({
      "letters search": { success: false, error: { code: "UNAVAILABLE" }, trace_id: expect.any(String) },
      "session list": { success: false, error: { code: "Unavailable" } },
      investments: { jsonrpc: "2.0", id: null, error: { code: -32_000, data: { retry_after_seconds: 5 } } },
      token: { error: "temporarily_unavailable" },
      "authorize page": expect.stringContaining(`http-equiv="refresh"`),
      "widget page": expect.stringMatching(/http-equiv="refresh" content="\d;url=\/connect\//),
      "widget state": { state: { screen: "notice", notice: "away" } },
      readyz: { status: "unavailable", reason: "the database does not answer" },
    });
    expect((await send(`${server.url}/healthz`)).status).toBe(200);
    const { text: counted } = await send(`${server.url}/metrics`);
    expect(counted).toMatch(/wealth_connect_database_unavailable 1\n[\s\S]*wealth_connect_database_absences_total 1\n/);
    await line.up();
    await untilReady();
    expect(statuses(await askAll())).toEqual(allSay(200));
    expect(said().map(({ level }) => level)).toEqual(["error", "warn"]);
    expect(server.output()).not.toMatch(/request failed|page failed|of the widget failed|clean-up failed|own keys/);
  });

  it("[C-9.38] a short absence is not noticed: requests wait for it", { timeout: LONG }, async () => {
    const { readyz: _, ...others } = requests;
    // On a busy machine the outage may last longer for the server than requests wait.
    for (let tries = 0; tries < 10; tries += 1) {
      const before = await awaySeconds();
      await line.down();
      // A statement sent on a connection that has just died may have been executed: a token request is then answered 503.
      await delay(100);
      const asked = askAll(others);
      await delay(300);
      await line.up();
      const refused = Object.entries(statuses(await asked)).filter(([, status]) => status !== 200);
      await untilReady();
      if ((await awaySeconds()) - before > 1) continue;
      expect(refused).toEqual([]);
      return;
    }
    expect.unreachable("no absence was short");
  });

  it("[C-9.39] no answer is a 500 while connections are ended again and again", { timeout: LONG }, async () => {
    const { withDatabase } = server.installation;
    const seen = new Map<string, number>();
    let isOver = false;
    const ending = withDatabase(async (pool) => {
      for (let round = 0; round < 10; round += 1) {
        await pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'wealth-connect%'",
        );
        await delay(150);
      }
      isOver = true;
    });
    const ask = async () => {
      while (!isOver)
        for (const { answer } of await askAll()) {
          const key = `${answer.status} ${/INTERNAL_ERROR|server_error|Internal/.exec(answer.text) ?? ""}`;
          seen.set(key, (seen.get(key) ?? 0) + 1);
        }
    };
    await Promise.all([ending, ask(), ask()]);
    // Requests that wait for connections may be too many for a moment.
    expect([...seen.keys()].filter((key) => !["200 ", "429 ", "503 "].includes(key))).toEqual([]);
    expect(seen.get("200 ")).toBeGreaterThan(0);
  });

  it("[C-9.39] when packets vanish, requests and /readyz are answered 503, and served once the line is back", {
    timeout: LONG,
  }, async () => {
    await untilReady();
    // What is remembered for seconds.
    await delay(2_100);
    line.swallow();
    const asked = performance.now();
    const slowest: Record<string, number> = {};
    const timed = Object.fromEntries(
      Object.entries(requests).map(([name, ask]) => [
        name,
        () =>
          ask().finally(() => {
            slowest[name] = Math.round(performance.now() - asked);
          }),
      ]),
    );
    expect(statuses(await askAll(timed))).toEqual(allSay(503));
    // A deadline for the whole request, however often it asks the database: 4 s, and what a busy machine adds.
    expect(Object.entries(slowest).filter(([, milliseconds]) => milliseconds > 5_500)).toEqual([]);
    expect((await send(`${server.url}/readyz`)).status).toBe(503);
    expect(statuses(await askAll())).toEqual(allSay(503));
    line.restore();
    await untilReady();
    expect(statuses(await askAll())).toEqual(allSay(200));
  });

  describe("[C-9.84] when the answer to a commit is lost", { timeout: LONG }, () => {
    const operate = (path: string, body: object) => server.operator.post(`/operator/v1/letters/${path}`, body);

    it("the 503 says that the outcome is unknown, and the letter that was moved is answered to the same move", async () => {
      const letter_id = await submitLetter(server.demo, sandboxBanks.datafeed);
      const { version } = (await operate("show", { letter_id })).body.letter;
      const move = { letter_id, to: "SentToCustodian", version };
      void line.loseCommitOf("insert into events");
      const lost = await operate("advance", move);
      expect([lost.status, lost.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(lost.body).toMatchObject({ success: false, error: { code: "UNAVAILABLE", outcome: "unknown" } });
      expect(lost.body.error.message).toBe(
        "database lost while the change was being committed: it may or may not have been made",
      );
      const again = await operate("advance", move);
      expect([again.status, again.body.letter?.status]).toEqual([200, "SentToCustodian"]);
      expect(again.body.letter.history.map(({ event }: { event: string }) => event)).toEqual([
        "sign",
        "send_to_custodian",
      ]);
    });

    it("of many letters the one says so whose move it was", async () => {
      const letter_ids = [];
      for (let count = 0; count < 2; count += 1)
        letter_ids.push(await submitLetter(server.demo, sandboxBanks.datafeed));
      void line.loseCommitOf("insert into events");
      const { status, body } = await operate("move-many", { letter_ids, to: "SentToCustodian" });
      expect(status).toBe(200);
      expect(body.items).toMatchObject([
        { outcome: "refused", error: { code: "UNAVAILABLE", outcome: "unknown" } },
        { outcome: "moved", error: null },
      ]);
    });

    it("connect endpoints and tools that change say so, and what reads does not", async () => {
      const { demo } = server;
      const connector = { connector_id: sandboxBanks.eBanking };
      void line.loseCommitOf(`insert into "sessions"`);
      const created = await demo.post("/connect/v2/sessions/create-session", { configuration: connector });
      expect([created.status, created.body.error]).toMatchObject([503, { code: "Unavailable", outcome: "unknown" }]);
      void line.loseCommitOf(`insert into "sessions"`);
      const called = await demo.tools.request(toolCall("svc-create-connect-session", connector));
      expect(called.status).toBe(503);
      expect(called.body.error).toMatchObject({ code: -32_000, data: { retry_after_seconds: 5, outcome: "unknown" } });
      const id = (await demo.openSession(connector)).id;
      void line.loseCommitOf(`from "sessions"`);
      const read = await demo.tools.request(toolCall("svc-session-status", { session_id: id }));
      expect([read.status, read.body.error.data]).toEqual([503, { retry_after_seconds: 5 }]);
      const letter_id = await submitLetter(demo, sandboxBanks.datafeed);
      void line.loseCommitOf(`from "letters"`);
      const shown = await operate("show", { letter_id });
      expect([shown.status, shown.body.error]).toEqual([
        503,
        { code: "UNAVAILABLE", message: "database temporarily unavailable; retry later" },
      ]);
    });
  });

  describe("[C-7.7] [C-9.84] with an Idempotency-Key", { timeout: 30_000 }, () => {
    const create = (name: string) =>
      server.operator.post(
        "/operator/v1/tenants/create",
        { name },
        { headers: { "idempotency-key": name.replaceAll(" ", "-") } },
      );
    const named = async (name: string) =>
      (await server.operate("/operator/v1/tenants/list", {})).items.filter(
        (tenant: { name: string }) => tenant.name === name,
      );

    it.each(["the answer", "the commit"] as const)(
      "the change is made once where %s is lost on its way",
      async (what) => {
        const lost = line.loseCommitOf(INSERT, what);
        const [first] = await Promise.all([create(`Lost ${what}`), lost]);
        expect(first.status).toBe(200);
        expect((await create(`Lost ${what}`)).body).toEqual(first.body);
        expect(await named(`Lost ${what}`)).toHaveLength(1);
      },
    );

    it.each(["the answer", "the commit"] as const)(
      "a retry gets the answer when the database was away after %s was lost",
      async (what) => {
        const asked = create(`Away after ${what}`);
        await line.loseCommitOf(INSERT, what);
        await line.down();
        const { status, body } = await asked;
        expect([status, body.error]).toMatchObject([503, { code: "UNAVAILABLE", outcome: "unknown" }]);
        await line.up();
        await untilReady();
        const again = await create(`Away after ${what}`);
        expect([again.status, again.body.tenant?.name]).toEqual([200, `Away after ${what}`]);
        expect(await named(`Away after ${what}`)).toEqual([
          expect.objectContaining({ tenant_id: again.body.tenant.tenant_id }),
        ]);
      },
    );
  });

  it("[C-9.40] a locked table stops only what needs it, as docs/reference/database-outages.md says", {
    timeout: LONG,
  }, async () => {
    const needed = documented();
    const seen: Record<string, string[]> = {};
    for (const table of hotTables)
      await server.installation.withDatabase(async (pool) => {
        const holder = await pool.connect();
        await holder.query(`begin; lock table ${table} in access exclusive mode`);
        const refused = (await askAll()).flatMap(({ name, answer }) =>
          answer.status === 200 ? [] : [answer.status === 503 ? name : `${name} ${answer.status}`],
        );
        await holder.query("rollback");
        holder.release();
        seen[table] = refused;
        // Statements that found their table locked are rejected for a moment.
        await delay(600);
      });
    // Cached values are not queried meanwhile.
    const others = Object.entries(seen).map(([table, refused]) => [
      table,
      refused.filter((name) => !needed[table]?.includes(name)),
    ]);
    expect(Object.fromEntries(others)).toEqual(Object.fromEntries(Object.keys(seen).map((table) => [table, []])));
    expect(seen).toMatchObject({ sessions: expect.arrayContaining(["session tool"]), letters: ["letters search"] });
  });

  it("[C-9.41] a tenant whose queue at the database is full is told so; another tenant is served", {
    timeout: LONG,
  }, async () => {
    const [greedy, honest] = [await server.createTenant("Greedy"), await server.createTenant("Honest")];
    await server.installation.withDatabase(async (pool) => {
      const holder = await pool.connect();
      await holder.query("begin; lock table snapshots in access exclusive mode");
      // Four wait at the locked table and two hundred behind them.
      const asked = Array.from({ length: 230 }, () => greedy.tools.call("svc-investments").catch((error) => error));
      const refused: unknown[] = [];
      for (const answer of asked) void answer.then((one) => one.code === "RATE_LIMITED" && refused.push(one));
      // While the table is locked nothing is answered but by a refusal.
      await expect.poll(() => refused.length, { timeout: LONG }).toBeGreaterThanOrEqual(26);
      expect(refused[0]).toMatchObject({
        code: "RATE_LIMITED",
        details: [{ limit: "statements_at_once", value: 4, ends_at: expect.any(String) }],
      });
      expect((await honest.post("/letters/v1/search-letters", { query: {} })).status).toBe(200);
      expect(await honest.tools.call("svc-credentials")).toMatchObject({ items: [] });
      await holder.query("rollback");
      holder.release();
      await Promise.all(asked);
    });
  });

  it("[C-14.991] a tenant that floods its work queue waits for its own share of the database; operators, jobs and other tenants do not wait for it", {
    timeout: LONG,
  }, async () => {
    const [greedy, honest] = [await server.createTenant("Greedy too"), await server.createTenant("Honest too")];
    await server.installation.withDatabase(async (pool) => {
      const holder = await pool.connect();
      await holder.query("begin; lock table work_marks in access exclusive mode");
      const asked = Array.from({ length: 230 }, () => greedy.post("/events/v1/list-work", {}));
      const refused: unknown[] = [];
      for (const answer of asked) void answer.then(({ status, body }) => status === 429 && refused.push(body.error));
      await expect.poll(() => refused.length, { timeout: LONG }).toBeGreaterThanOrEqual(26);
      expect(refused[0]).toMatchObject({
        code: "RATE_LIMITED",
        details: [{ limit: "statements_at_once", value: 4, ends_at: expect.any(String) }],
      });
      const found = await server.operator.post("/operator/v1/letters/search", {});
      expect(found.status, found.text).toBe(200);
      const own = await honest.post("/data/v1/search-connections", {});
      expect(own.status, own.text).toBe(200);
      await holder.query("rollback");
      holder.release();
      await Promise.all(asked);
    });
  });
});

/** Creates a tenant. */
const INSERT = `insert into "tenants"`;

/** The tables in constant use that block the most requests; the page lists all of them. */
const hotTables = ["sessions", "audit_log", "letters", "connections", "snapshots", "catalogue"];

/** The table of docs/reference/database-outages.md: which of the requests below need which table. */
function documented(): Record<string, readonly string[]> {
  const page = readFileSync(new URL("../../../docs/reference/database-outages.md", import.meta.url), "utf8");
  const rows = page.matchAll(/^\| `(\w+)` \| ([a-z].*) \|$/gm);
  return Object.fromEntries([...rows].map(([, table = "", what = ""]) => [table, what.split(", ")]));
}

/** A connected bank, and requests of all kinds that a busy installation gets; each returns 200 if all is well. */
async function everyFamily(server: TestServer): Promise<Requests> {
  const { url } = server;
  const { demo, operator } = { demo: await server.loginAgain(server.demo), operator: server.operator };
  const connected = await demo.openSession({ connector_id: sandboxBanks.eBanking });
  await connectBank(connected.widgetUrl, { username: "somebody", password: "a password" });
  const { id, widgetUrl } = await demo.openSession({ connector_id: sandboxBanks.eBanking });
  const form = (fields: Record<string, string>) =>
    new URLSearchParams({ client_id: demo.clientId, client_secret: demo.clientSecret, ...fields });
  const registration = {
    client_name: "Test",
    redirect_uris: ["http://127.0.0.1/callback"],
    token_endpoint_auth_method: "none",
  };
  const client = (await post(`${url}/register`, registration)).body;
  const { body: issued } = await server.token(demo.clientId, demo.clientSecret);
  const challenge = createHash("sha256").update(randomBytes(32)).digest("base64url");
  const authorization = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: registration.redirect_uris[0] as string,
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource: `${url}/mcp`,
  });
  const modern = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const modernCall = toolCall("svc-portfolios", {});
  const mcpHeaders = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "svc-portfolios" };
  return {
    token: () => server.token(demo.clientId, demo.clientSecret),
    // An invalid token is answered without the database by a server that has the client cached.
    revoke: () => post(`${url}/revoke`, form({ token: issued.refresh_token })),
    "grants list": () => post(`${url}/grants/list`, form({})),
    "authorize page": () => send(`${url}/authorize?${authorization}`),
    "letters search": () => demo.post("/letters/v1/search-letters", { query: {} }),
    "session list": () => demo.post("/connect/v2/sessions/list-sessions", {}),
    "operator: tenants": () => operator.post("/operator/v1/tenants/list", {}),
    investments: () => demo.tools.request(toolCall("svc-investments", {})),
    portfolios: () =>
      post(
        `${url}/mcp`,
        { ...modernCall, params: { ...modernCall.params, _meta: modern } },
        { token: demo.token, headers: { accept: "application/json, text/event-stream", ...mcpHeaders } },
      ),
    "connections tool": () => demo.tools.request(toolCall("svc-credentials", {})),
    "session tool": () => demo.tools.request(toolCall("svc-session-status", { session_id: id })),
    "new session": () =>
      demo.tools.request(toolCall("svc-create-connect-session", { connector_id: sandboxBanks.eBanking })),
    "widget page": () => send(widgetUrl),
    "widget state": () => send(`${widgetUrl}/state`, { headers: { accept: "application/json" } }),
    readyz: () => send(`${url}/readyz`),
  };
}
