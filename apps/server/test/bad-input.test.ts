import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BrokenJson, brokenJson } from "./broken-json.js";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { type Answer, post, send } from "./http-client.js";
import { anyBackend } from "./installation.js";
import { type JsonSchema, type Operation, operationsOf } from "./json-schema.js";
import { waitingLetter } from "./letters.js";
import { toolCall } from "./mcp-clients.js";
import { soundArguments, soundBodies } from "./sound-requests.js";
import { fingerprint } from "./stored-rows.js";

const AT_ONCE = 8;
const LONG = 120_000;

describe("bad input", () => {
  let server: TestServer;
  let before: Readonly<Record<string, string>>;
  let sound: { readonly tools: Readonly<Record<string, object>>; readonly bodies: Readonly<Record<string, object>> };
  let letterId: string;

  beforeAll(async () => {
    // Without the clean-up nothing but requests can change the database.
    server = await startTestServer({ backend: anyBackend, environment: { JOBS: "false" } });
    const { demo } = server;
    const { id, widgetUrl } = await demo.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(widgetUrl, { username: "somebody", password: "a password" });
    const { connection_id } = await demo.tools.call("svc-session-status", { session_id: id });
    sound = { tools: soundArguments(connection_id, id), bodies: await soundBodies(server, demo, connection_id) };
    letterId = await waitingLetter(server, demo, sandboxBanks.datafeed);
    await server.stop();
    before = await server.installation.withDatabase(fingerprint);
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
      brokenJson(inputSchema, sound.tools[name] ?? {}).map((broken) => ({ at: name, ...broken })),
    );
    const missed = await unnamed(cases, async ({ at, json }) => {
      const request = JSON.stringify(toolCall(at, "<args>")).replace('"<args>"', () => json);
      const answer = await server.demo.tools.request(request);
      const error = JSON.parse(answer.body?.result?.content?.[0]?.text ?? "{}").error;
      const refused = answer.status === 200 && ["VALIDATION_ERROR", "NOT_FOUND"].includes(error?.code);
      return { answer, refused, fields: fieldsOf(error) };
    });
    expect(missed).toEqual([]);
    expect(cases.length).toBeGreaterThan(500);
  });

  it("[C-7.22] [S2-7.4] [S2-7.8] every field of every endpoint with a JSON body: 400 or 413 that names it", {
    timeout: LONG,
  }, async () => {
    const operations = await jsonOperations();
    expect(operations.map(({ path }) => path).sort()).toEqual(Object.keys(sound.bodies).sort());
    const cases = operations.flatMap(({ path, schema }) =>
      brokenJson(schema, sound.bodies[path] ?? {}).map((broken) => ({ at: path, ...broken })),
    );
    const missed = await unnamed(cases, async ({ at, json }) => {
      const answer = await callerOf(at).post(at, json);
      return { answer, refused: [400, 413].includes(answer.status), fields: fieldsOf(answer.body?.error) };
    });
    expect(missed).toEqual([]);
    expect(cases.length).toBeGreaterThan(1_000);
  });

  const noJsonObjects: readonly (readonly [string, string | Uint8Array])[] = [
    ["nothing", ""],
    ["a list", "[]"],
    ["null", "null"],
    ["text", '"text"'],
    ["broken JSON", '{"a":'],
    ["two values", "{} {}"],
    ["bytes that are no UTF-8", Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["an object nested 5,000 deep", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
    ["an object nested 100,000 deep", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["200,000 values", `{"a":[${"1,".repeat(200_000)}1]}`],
    ["2 MiB", `{"a":"${"x".repeat(2 * 1024 * 1024)}"}`],
  ];

  it.each(noJsonObjects)(
    "[C-9.14] %s in place of a JSON object is refused at every endpoint and at /mcp",
    async (_, body) => {
      for (const { path } of await jsonOperations()) {
        const { status, text } = await callerOf(path).post(path, body);
        // A letter may be larger than other bodies; what is wrong with this one is then told as such.
        expect([400, 413], `${path}: ${text.slice(0, 200)}`).toContain(status);
      }
      const { status } = await server.demo.tools.request(body);
      expect([400, 413]).toContain(status);
    },
  );

  const envelopes: readonly (readonly [string, unknown])[] = [
    ["arguments that are a list", toolCall("svc-credentials", [])],
    ["arguments that are text", toolCall("svc-credentials", "page")],
    ["arguments that are a number", toolCall("svc-credentials", 1)],
    ["no tool", { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} }],
    ["a tool that is a number", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: 1 } }],
    ["an unknown tool", toolCall("svc-nothing", {})],
    ["a tool named __proto__", toolCall("__proto__", {})],
    ["params that are text", { jsonrpc: "2.0", id: 1, method: "tools/call", params: "svc-credentials" }],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "tools/burn" }],
    ["another JSON-RPC", { jsonrpc: "1.0", id: 1, method: "tools/list" }],
    ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "tools/list" }],
    ["initialize without params", { jsonrpc: "2.0", id: 1, method: "initialize" }],
    [
      "initialize with a version that is a list",
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: [] } },
    ],
  ];

  it.each(envelopes)("[S1-4.1] a JSON-RPC request with %s is answered by an error", async (_, request) => {
    const { status, body, text } = await server.demo.tools.request(request);
    expect(status, text).toBeLessThan(500);
    expect(body?.error?.code ?? body?.result?.isError, text).toBeTruthy();
    expect(text).not.toContain("-32603");
  });

  it("[C-9.27] a catalogue with a bad line is refused with its number", async () => {
    const good = '{"id":"esp:new-bank","name":"New bank","country":"esp"}';
    const bad = [
      "{",
      "[]",
      '{"id":"nocolon","name":"x","country":"esp"}',
      '{"id":"esp:x","name":"a\\u0000","country":"esp"}',
    ];
    for (const line of [
      ...bad,
      '{"id":"esp:x","name":"x","country":"nowhere"}',
      '{"__proto__":1,"id":"esp:x","name":"x","country":"esp"}',
    ]) {
      const headers = { "content-type": "application/x-ndjson" };
      const answer = await server.operator.post("/operator/v1/connectors/import", `${good}\n${line}\n`, { headers });
      expect(answer.status, answer.text).toBe(400);
      expect(
        fieldsOf(answer.body.error).every((field) => field.startsWith("line 2")),
        answer.text,
      ).toBe(true);
    }
  });

  it("[C-7.22] every query parameter of a custodian file", async () => {
    const operation = operationsOf((await document()).body).find(({ path }) => path.endsWith("/ingest"));
    expect([...(operation?.queryParameters ?? [])].sort()).toEqual(["connection_id", "letter_id", "name"]);
    const faults: readonly (readonly [string, string])[] = [
      ["name", `letter_id=${letterId}`],
      ["name", `letter_id=${letterId}&name=`],
      ["name", `letter_id=${letterId}&name=${"x".repeat(256)}`],
      ["name", `letter_id=${letterId}&name=a%00b`],
      ["name", `letter_id=${letterId}&name=a&name=b`],
      ["letter_id", "letter_id=no-uuid&name=a"],
      ["connection_id", "name=a"],
      ["connection_id", "connection_id=&name=a"],
      ["connection_id", `connection_id=${letterId}&letter_id=${letterId}&name=a`],
      ["surprise", `letter_id=${letterId}&name=a&surprise=1`],
    ];
    const headers = { "content-type": "application/octet-stream" };
    for (const [field, query] of faults) {
      const answer = await server.operator.post(`/operator/v1/datafeeds/ingest?${query}`, "OFXHEADER:100", { headers });
      expect([answer.status, fieldsOf(answer.body?.error)], `${query}: ${answer.text}`).toEqual([400, [field]]);
    }
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

  it("after all that nothing has changed in any table, and nothing was a defect", async () => {
    expect(server.faults()).toEqual([]);
    await server.stop();
    expect(await server.installation.withDatabase(fingerprint)).toEqual(before);
  });

  const document = () => send(`${server.url}/openapi.json`);
  const callerOf = (path: string) => (path.startsWith("/operator/") ? server.operator : server.demo);
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

/** Sends every case, some at once; answers those that were not refused, or not by naming the place. */
async function unnamed<T extends BrokenJson & { at: string }>(cases: readonly T[], ask: (one: T) => Promise<Outcome>) {
  const missed: string[] = [];
  const queue = [...cases];
  const work = async () => {
    for (let one = queue.pop(); one; one = queue.pop()) {
      const { answer, refused, fields } = await ask(one);
      if (!refused || !fields.some((field) => names(field, one.field)))
        missed.push(`${one.at} ${one.field} ${one.what}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return missed.sort();
}

/** A list may answer for its items, and a place below for the whole. */
function names(named: string, field: string): boolean {
  return [field, field.replace(/(\[0\])+$/, "")].some(
    (place) => named === place || named.startsWith(`${place}.`) || named.startsWith(`${place}[`),
  );
}

function fieldsOf(error: { details?: readonly { field: string }[]; message?: string } | undefined): string[] {
  return (error?.details ?? []).map(({ field }) => field);
}
