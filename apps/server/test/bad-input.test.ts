import { createBrowser } from "@org/pages/testing";
import {
  type BrokenJson,
  brokenJson,
  type JsonSchema,
  namesPlace,
  type Operation,
  operationsOf,
  sampleBodies,
} from "@org/rest-api/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  badCatalogues,
  badFileQueries,
  badLogins,
  badRpcRequests,
  badTokenForms,
  noJsonObjects,
} from "./bad-requests.js";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { type Answer, post, send } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { waitingLetter } from "./letters.js";
import { toolCall } from "./mcp-clients.js";
import { soundArguments, soundThings } from "./sound-requests.js";
import { fingerprint } from "./stored-rows.js";

const MAX_CONCURRENT = 8;
const LONG = 120_000;
/** From this size in bytes, sending a body takes noticeable time. */
const LARGE = 65_536;

describe("bad input", () => {
  let server: TestServer;
  let before: Readonly<Record<string, string>>;
  let begun: Date;
  let sound: { readonly tools: Readonly<Record<string, object>>; readonly bodies: Readonly<Record<string, object>> };
  let letterId: string;
  /** An application of the tenant that may only manage its grants. */
  let grantManager: TestTenant;
  /** A session whose customer has reached the login. */
  let widgetUrl: string;
  const browser = createBrowser();

  beforeAll(async () => {
    // Without the clean-up, only requests can change the database.
    server = await startTestServer({
      backend: oneBackend(
        "bad input is refused before anything is stored; the tables it must not reach are the same on both",
      ),
      environment: { JOBS: "false" },
    });
    const { demo } = server;
    const { id, ...session } = await demo.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(session.widgetUrl, { username: "somebody", password: "a password" });
    const { connection_id } = await demo.tools.call("svc-session-status", { session_id: id });
    sound = { tools: soundArguments(connection_id, id), bodies: await bodiesOf(connection_id) };
    const managing = { tenant_id: demo.tenantId, name: "Administration", scopes: ["grants:manage"] };
    const { application, client_secret } = await server.operate("/operator/v1/applications/create", managing);
    grantManager = await server.loginAgain({ ...demo, clientId: application.client_id, clientSecret: client_secret });
    letterId = await waitingLetter(server, demo, sandboxBanks.datafeed);
    widgetUrl = (await demo.openSession({ connector_id: sandboxBanks.psd2 })).widgetUrl;
    await browser.open(widgetUrl);
    await browser.submit("continue");
    // Listing events numbers them first, which changes the database.
    for (const [caller, path] of [
      [demo, "/events/v1/list-events"],
      [server.operator, "/operator/v1/list-events"],
    ] as const)
      await caller.post(path, {});
    await server.stop();
    before = await server.installation.withDatabase(fingerprint);
    begun = new Date();
    await server.start();
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  it("[S1-7.2] [C-4.7] [C-4.9] [C-4.26] every parameter of every tool: a tool error that names it", {
    timeout: LONG,
  }, async () => {
    const { body } = await server.demo.tools.request({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const tools: { name: string; inputSchema: JsonSchema }[] = body.result.tools;
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(sound.tools));
    const cases = tools.flatMap(({ name, inputSchema }) =>
      brokenJson(inputSchema, sound.tools[name] ?? {})
        // Null or "" for an optional field counts as leaving it out [C-4.60].
        .filter(
          ({ what, field, json }) =>
            !(what === "as null" || json.includes(`"${field}":""`)) ||
            inputSchema.required?.includes(field) ||
            field.includes("."),
        )
        .map((broken) => ({ at: name, ...broken })),
    );
    const refusals = ["VALIDATION_ERROR", "NOT_FOUND", "CONFIRMATION_REQUIRED"];
    const missed = await unnamed(cases, async ({ at, json }) => {
      const request = JSON.stringify(toolCall(at, "<args>")).replace('"<args>"', () => json);
      const answer = await server.demo.tools.request(request);
      const error = JSON.parse(answer.body?.result?.content?.[0]?.text ?? "{}").error;
      // For an unknown id, the message names the object.
      const absent = /^no such (\w+)/.exec(error?.message ?? "")?.[1];
      const fields = absent === undefined ? fieldsOf(error) : [absent];
      return { answer, refused: answer.status === 200 && refusals.includes(error?.code), fields };
    });
    expect(missed).toEqual([]);
    expect(cases.length).toBeGreaterThan(500);
  });

  it("[C-7.22] [S2-7.4] [S2-7.8] a field of every endpoint with a JSON body: 400 or 413 that names it", {
    timeout: LONG,
  }, async () => {
    const operations = await jsonOperations();
    // One for each endpoint; the REST package tries every field and kind of fault.
    const cases = operations.flatMap(({ path, schema }) =>
      brokenJson(schema, sound.bodies[path] ?? {})
        .slice(0, 1)
        .map((one) => ({ at: path, ...one })),
    );
    const missed = await unnamed(cases, async ({ at, json }) => {
      const answer = await callerOf(at).post(at, json);
      return { answer, refused: [400, 413].includes(answer.status), fields: fieldsOf(answer.body?.error) };
    });
    expect(missed).toEqual([]);
    expect(cases.length).toBeGreaterThan(100);
  });

  it.each(noJsonObjects)(
    "[C-9.14] %s in place of a JSON object is refused at every endpoint and at /mcp",
    async (_, body) => {
      // One parser reads all of them; a large body is tried only once in each family.
      const operations = await jsonOperations();
      const families = new Map(operations.map(({ path }) => [path.split("/", 3).join("/"), path]));
      for (const path of body.length > LARGE ? families.values() : operations.map((operation) => operation.path)) {
        const { status, text } = await callerOf(path).post(path, body);
        // A letter may be larger than other bodies; this one is then refused for its content.
        expect([400, 413], `${path}: ${text.slice(0, 200)}`).toContain(status);
      }
      const { status } = await server.demo.tools.request(body);
      expect([400, 413]).toContain(status);
    },
  );

  it.each(badRpcRequests)("[S1-4.1] a JSON-RPC request with %s is answered by an error", async (_, request) => {
    const { status, body, text } = await server.demo.tools.request(request);
    expect(status, text).toBeLessThan(500);
    expect(body?.error?.code ?? body?.result?.isError, text).toBeTruthy();
    expect(text).not.toContain("-32603");
  });

  it("[C-9.27] a catalogue with a bad line is refused with its number", async () => {
    const headers = { "content-type": "application/x-ndjson" };
    for (const catalogue of badCatalogues) {
      const { status, text, body } = await server.operator.post("/operator/v1/connectors/import", catalogue, {
        headers,
      });
      expect(status, text).toBe(400);
      for (const field of fieldsOf(body.error)) expect(field, text).toMatch(/^line 2\b/);
    }
  });

  it("[C-7.22] every query parameter of a custodian file", async () => {
    const operation = operationsOf((await document()).body).find(({ path }) => path.endsWith("/ingest"));
    expect([...(operation?.queryParameters ?? [])].sort()).toEqual(["connection_id", "letter_id", "name"]);
    const headers = { "content-type": "application/octet-stream" };
    for (const [field, query] of badFileQueries(letterId)) {
      const answer = await server.operator.post(`/operator/v1/datafeeds/ingest?${query}`, "OFXHEADER:100", { headers });
      expect([answer.status, fieldsOf(answer.body?.error)], `${query}: ${answer.text}`).toEqual([400, [field]]);
    }
  });

  it.each(badTokenForms)("[S1-4.2] a token request with %s is refused as such", async (_, form, error) => {
    const { clientId, clientSecret } = server.demo;
    const more = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
    const refused = await post(`${server.url}/token`, new URLSearchParams(`${form}&${more}`));
    expect([refused.status, refused.body]).toMatchObject([400, { error }]);
  });

  it("[S1-4.2] a token request that is no form is refused", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect((await post(`${server.url}/token`, { grant_type: "client_credentials" })).status).toBe(400);
    expect((await post(`${server.url}/token`, "", { headers: form })).status).toBe(400);
    expect((await post(`${server.url}/token`, "x".repeat(2 * 1024 * 1024), { headers: form })).status).toBe(413);
    expect((await post(`${server.url}/revoke`, "", { headers: form })).status).toBe(400);
    expect((await send(`${server.url}/token`)).status).toBe(405);
  });

  it.each(badLogins)("[C-9.19] a bank customer who types %s is told so", async (_, typed, status) => {
    await browser.open(widgetUrl);
    expect((await browser.submit("credentials", typed)).status).toBe(status);
    expect((await browser.open(widgetUrl)).text).toContain("Log in to");
  });

  it("[C-5.10] a form of the widget without its cookie or its token, or from another site, is refused", async () => {
    const form = new URLSearchParams({ username: "somebody", password: "x" });
    for (const step of ["continue", "bank", "change-bank", "credentials", "answer", "cancel"]) {
      expect((await post(`${widgetUrl}/${step}`, form)).status, step).toBe(403);
      expect((await post(`${widgetUrl}/${step}`, {})).status, step).toBe(403);
      expect((await post(`${widgetUrl}/${step}`, form, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(
        403,
      );
    }
    expect((await post(`${widgetUrl}/nothing`, form)).status).toBe(405);
  });

  it("a wrong method, media type or path is refused as such", async () => {
    for (const { path } of operationsOf((await document()).body)) {
      const { token } = callerOf(path);
      const headers = { authorization: `Bearer ${token}` };
      expect((await send(server.url + path, { headers })).status, path).toBe(405);
      expect(
        (await post(server.url + path, "a=1", { token, headers: { "content-type": "text/plain" } })).status,
        path,
      ).toBe(415);
      expect((await post(`${server.url + path}/more`, {}, { token })).status, path).toBe(404);
    }
  });

  it("after all that nothing has changed in any table but for refusals in the audit trail and the counts of guesses, and nothing was a defect", async () => {
    expect(server.faults()).toEqual([]);
    await server.stop();
    const [after, actions] = await server.installation.withDatabase(async (pool) => [
      await fingerprint(pool),
      (await pool.query<{ action: string }>("select distinct action from audit_log where at > $1", [begun])).rows,
    ]);
    const { audit_log, audit_chain, audit_sealing, guess_counts } = before;
    expect({ ...after, audit_log, audit_chain, audit_sealing, guess_counts }).toEqual(before);
    // The valid parts of a faulty request may cause reads.
    expect(actions.map(({ action }) => action).filter((action) => action !== "data.read")).toEqual(["grant.refused"]);
  });

  const document = () => send(`${server.url}/openapi.json`);
  const callerOf = (path: string) => {
    if (path.startsWith("/operator/")) return server.operator;
    return path.endsWith("-grant") || path.endsWith("-grants") ? grantManager : server.demo;
  };
  async function bodiesOf(credential: string) {
    const paths = (await jsonOperations()).map(({ path }) => path);
    return sampleBodies(paths, await soundThings(server, server.demo, credential));
  }
  async function jsonOperations(): Promise<Operation[]> {
    return operationsOf((await document()).body).filter(({ mediaType }) => mediaType === "application/json");
  }
});

interface Outcome {
  readonly answer: Answer;
  readonly refused: boolean;
  /** Places that the refusal names. */
  readonly fields: readonly string[];
}

/** Sends every case, several concurrently; returns those that were not refused, or whose refusal did not name the place. */
async function unnamed<T extends BrokenJson & { at: string }>(cases: readonly T[], ask: (one: T) => Promise<Outcome>) {
  const missed: string[] = [];
  const queue = [...cases];
  const work = async () => {
    for (let one = queue.pop(); one; one = queue.pop()) {
      const { answer, refused, fields } = await ask(one);
      if (!refused || !fields.some((field) => namesPlace(field, one.field)))
        missed.push(`${one.at} ${one.field} ${one.what}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
  return missed.sort();
}

function fieldsOf(error: { details?: readonly { field: string }[]; message?: string } | undefined): string[] {
  return (error?.details ?? []).map(({ field }) => field);
}
