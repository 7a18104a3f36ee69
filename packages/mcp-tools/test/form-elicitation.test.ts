import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { beforeEach, describe, expect, it } from "vitest";
import { createMemoryEndedSessions } from "../src/testing/index.js";
import {
  CAPABILITIES,
  call,
  contentOf,
  INITIALIZE,
  messagesOf,
  modern,
  rpc,
  startMcp,
  toolErrorOf,
} from "./mcp-server.js";
import { connectionAgain, ids } from "./world.js";

const TOOL = "svc-delete-credentials";
const args = { credentials_token: ids.beta, confirm: true };
const endedSessions = createMemoryEndedSessions();
const mcp = await startMcp({ endedSessions });
/** Another server with the same data and the same list of recorded answers. */
const replica = await startMcp({ endedSessions, services: mcp.services });

const banks = async () =>
  contentOf(await mcp.send({ body: call("svc-credentials") })).items.map(
    ({ credentials_token }: { credentials_token: string }) => credentials_token,
  );
beforeEach(() => connectionAgain(mcp.storage));

const yes = { action: "accept", content: { confirmed: true } };
const refusals = [
  ["declines", { action: "decline" }, /said no/],
  ["accepts without the box", { action: "accept", content: { confirmed: false } }, /said no/],
  ["accepts an empty form", { action: "accept" }, /said no/],
  ["closes the question", { action: "cancel" }, /without an answer/],
] as const;

describe("[C-4.45] deletion before 2026-07-28 asks the user of a client that can", () => {
  async function begin(capabilities: object, protocolVersion = "2025-11-25"): Promise<Record<string, string>> {
    const { headers } = await mcp.send({ body: rpc("initialize", { ...INITIALIZE, protocolVersion, capabilities }) });
    return { "mcp-session-id": String(headers["mcp-session-id"]) };
  }

  /** Calls the tool and reads its stream up to the question. */
  async function ask(session: Record<string, string>, of: object = args) {
    const response = await fetch(mcp.url, {
      method: "POST",
      headers: {
        authorization: "Bearer alice",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...session,
      },
      body: JSON.stringify(call(TOOL, of, "call-1")),
    });
    const messages = messagesOf(response);
    const question = (await messages.next()).value;
    return { question, answer: async () => ({ json: (await messages.next()).value }) as never };
  }

  it.each(["2025-06-18", "2025-11-25"])("%s: names the bank, waits, and deletes on a yes", async (version) => {
    const session = await begin({ elicitation: {} }, version);
    const { question, answer } = await ask(session);
    expect(question).toMatchObject({
      method: "elicitation/create",
      params: {
        message: expect.stringContaining('"Banque Beta"'),
        requestedSchema: { type: "object", properties: { confirmed: { type: "boolean" } } },
      },
    });
    expect(await banks()).toContain(ids.beta);
    await mcp.send({ headers: session, body: { jsonrpc: "2.0", id: question.id, result: yes } });
    expect(contentOf(await answer())).toMatchObject({ credentials_token: ids.beta });
    expect(await banks()).not.toContain(ids.beta);
  });

  it("[C-4.148] the form names what would be lost, with the last four of each account's number", async () => {
    const session = await begin({ elicitation: {} });
    const { question, answer } = await ask(session, { ...args, credentials_token: ids.alpha });
    expect(question.params.message).toBe(
      'Delete the connection to "Banco Alpha" with all of its holdings and transactions, in the accounts "Main" (number ending in 1332), "Dollars"? This cannot be undone.',
    );
    const result = { action: "decline" };
    await mcp.send({ headers: session, body: { jsonrpc: "2.0", id: question.id, result } });
    expect(toolErrorOf(await answer()).code).toBe("CONFIRMATION_REQUIRED");
  });

  it.each(refusals)("whoever %s keeps everything", async (_, result, message) => {
    const session = await begin({ elicitation: { form: {} } });
    const { question, answer } = await ask(session);
    await mcp.send({ headers: session, body: { jsonrpc: "2.0", id: question.id, result } });
    expect(toolErrorOf(await answer())).toMatchObject({
      code: "CONFIRMATION_REQUIRED",
      message: expect.stringMatching(message),
    });
    expect(await banks()).toContain(ids.beta);
  });

  it.each([
    ["yes", yes, false],
    ["no", { action: "decline" }, true],
  ])("a %s may reach another replica", async (_, result, kept) => {
    const session = await begin({ elicitation: {} });
    const { question, answer } = await ask(session);
    const said = { headers: session, body: { jsonrpc: "2.0", id: question.id, result } };
    expect((await replica.send({ body: said.body, token: "bob" })).status).toBe(202);
    expect((await replica.send(said)).status).toBe(202);
    if (kept) expect(toolErrorOf(await answer()).code).toBe("CONFIRMATION_REQUIRED");
    else contentOf(await answer());
    expect((await banks()).includes(ids.beta)).toBe(kept);
  });

  it.each<[string, object, Record<string, string>?, string?]>([
    ["declared URLs only", { elicitation: { url: {} } }],
    ["declared nothing", {}],
    ["speaks a version without it", { elicitation: {} }, {}, "2025-03-26"],
    ["takes no event stream", { elicitation: {} }, { accept: "application/json" }],
  ])("a client that %s is answered as ever", async (_, capabilities, more = {}, version) => {
    const headers = { ...(await begin(capabilities, version)), ...more };
    const answer = await mcp.send({ headers, body: call(TOOL, args) });
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(contentOf(answer)).toMatchObject({ credentials_token: ids.beta });
  });

  it("a call in a batch, which is answered as one, is answered as ever", async () => {
    const headers = await begin({ elicitation: {} });
    const { json } = await mcp.send({ headers, body: [call(TOOL, args, 1), rpc("ping", undefined, 2)] });
    expect(json[0].result.structuredContent).toMatchObject({ credentials_token: ids.beta });
  });

  it("without confirm=true, or of nothing, nobody is asked", async () => {
    const headers = await begin({ elicitation: {} });
    const send = (more: object) => mcp.send({ headers, body: call(TOOL, { ...args, ...more }) });
    expect(toolErrorOf(await send({ confirm: false })).code).toBe("CONFIRMATION_REQUIRED");
    expect(toolErrorOf(await send({ credentials_token: "none" })).code).toBe("NOT_FOUND");
    expect(toolErrorOf(await send({ confirm: "yes" })).code).toBe("CONFIRMATION_REQUIRED");
    expect(await banks()).toContain(ids.beta);
  });

  it("the official v1 client asks and gets the answer", async () => {
    const client = new LegacyClient({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: { confirmed: true } }));
    const requestInit = { headers: { Authorization: "Bearer alice" } };
    await client.connect(new LegacyTransport(new URL(mcp.url), { requestInit }) as never);
    const { structuredContent } = await client.callTool({ name: TOOL, arguments: args });
    expect(structuredContent).toMatchObject({ credentials_token: ids.beta });
    await client.close();
  });
});

describe("[C-4.45] deletion in 2026-07-28 asks the user of a client that can", () => {
  const able = { [CAPABILITIES]: { elicitation: { form: {} } } };
  const ask = (more: object = {}, token = "alice") =>
    mcp.send({ ...modern("tools/call", { name: TOOL, arguments: args, _meta: able, ...more }), token });

  it.each([{ form: {} }, {}])("in a first round, and deletes in the second (%j)", async (elicitation) => {
    const _meta = { [CAPABILITIES]: { elicitation } };
    const { resultType, inputRequests, requestState } = (await ask({ _meta })).json.result;
    expect(resultType).toBe("input_required");
    expect(Object.values(inputRequests)).toMatchObject([{ method: "elicitation/create" }]);
    expect(await banks()).toContain(ids.beta);
    const [key = ""] = Object.keys(inputRequests);
    expect(contentOf(await ask({ _meta, requestState, inputResponses: { [key]: yes } }))).toMatchObject({
      credentials_token: ids.beta,
    });
    expect(await banks()).not.toContain(ids.beta);
  });

  it.each(refusals)("whoever %s keeps everything", async (_, response, message) => {
    const { requestState } = (await ask()).json.result;
    const answer = await ask({ requestState, inputResponses: { confirm: response } });
    expect(toolErrorOf(answer)).toMatchObject({
      code: "CONFIRMATION_REQUIRED",
      message: expect.stringMatching(message),
    });
    expect(await banks()).toContain(ids.beta);
  });

  it("a yes is good for the connection that was asked about, and for nobody else", async () => {
    const { requestState } = (await ask()).json.result;
    const inputResponses = { confirm: yes };
    const other = { arguments: { ...args, credentials_token: ids.alpha }, requestState, inputResponses };
    expect((await ask(other)).json.result.resultType).toBe("input_required");
    expect((await ask({ inputResponses })).json.result.resultType).toBe("input_required");
    expect((await ask({ requestState, inputResponses }, "bob")).json.error).toMatchObject({ code: -32602 });
    expect(await banks()).toEqual(expect.arrayContaining([ids.alpha, ids.beta]));
  });

  it("a client that did not declare forms is answered as ever", async () => {
    expect(contentOf(await ask({ _meta: { [CAPABILITIES]: { elicitation: { url: {} } } } }))).toMatchObject({
      credentials_token: ids.beta,
    });
  });

  it("the official v2 client asks and gets the answer", async () => {
    const client = new ModernClient(
      { name: "test", version: "1" },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } },
    );
    client.setRequestHandler("elicitation/create", async () => ({ action: "decline" }));
    await client.connect(
      new ModernTransport(new URL(mcp.url), { requestInit: { headers: { Authorization: "Bearer alice" } } }),
    );
    const { isError, content } = await client.callTool({ name: TOOL, arguments: args });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining("said no")]);
    expect(await banks()).toContain(ids.beta);
    await client.close();
  });
});
