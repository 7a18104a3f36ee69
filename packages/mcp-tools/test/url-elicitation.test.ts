import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { CAPABILITIES, call, contentOf, INITIALIZE, modern, rpc, startMcp } from "./mcp-server.js";

const mcp = await startMcp();
const TOOL = "svc-create-connect-session";
const args = { connector_id: "esp:alpha" };

async function begin(capabilities: object, protocolVersion = "2025-11-25"): Promise<Record<string, string>> {
  const { headers } = await mcp.send({ body: rpc("initialize", { ...INITIALIZE, protocolVersion, capabilities }) });
  return { "mcp-session-id": String(headers["mcp-session-id"]) };
}

/** Returns the messages of an event stream. */
function eventsIn(text: string) {
  const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)));
}

describe("widget_url before 2026-07-28", () => {
  it("is shown by a client that declared it, ahead of the answer, which holds it too", async () => {
    const headers = await begin({ elicitation: { url: {} } });
    const answer = await mcp.send({ headers, body: call(TOOL, args, "call-1") });
    expect(answer.headers["content-type"]).toBe("text/event-stream");
    expect(answer.headers["cache-control"]).toBe("no-store");
    const [question, result] = eventsIn(answer.text);
    const { session_id, widget_url } = result.result.structuredContent;
    expect(question).toMatchObject({
      method: "elicitation/create",
      params: { mode: "url", url: widget_url, elicitationId: session_id, message: expect.stringMatching(/\S/) },
    });
    expect(question.id).not.toBe("call-1");
    expect(result.id).toBe("call-1");
  });

  it("what the client says to it is accepted, here or at another replica", async () => {
    const headers = await begin({ elicitation: { url: {} } });
    const [question] = eventsIn((await mcp.send({ headers, body: call(TOOL, args) })).text);
    const said = { jsonrpc: "2.0", id: question.id, result: { action: "accept" } };
    for (const server of [mcp, await startMcp()]) expect((await server.send({ headers, body: said })).status).toBe(202);
  });

  it("two questions never have the same id", async () => {
    const headers = await begin({ elicitation: { url: {} } });
    const answers = await Promise.all([1, 2].map((id) => mcp.send({ headers, body: call(TOOL, args, id) })));
    const [first, second] = answers.map(({ text }) => eventsIn(text)[0].id);
    expect(first).not.toBe(second);
  });

  it.each<[string, object, Record<string, string>?, string?]>([
    ["declared forms only", { elicitation: {} }],
    ["declared nothing", {}],
    ["speaks a version without it", { elicitation: { url: {} } }, {}, "2025-06-18"],
    ["takes no event stream", { elicitation: { url: {} } }, { accept: "application/json" }],
  ])("a client that %s gets the plain answer", async (_, capabilities, more = {}, version) => {
    const headers = { ...(await begin(capabilities, version)), ...more };
    const answer = await mcp.send({ headers, body: call(TOOL, args) });
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(contentOf(answer).widget_url).toContain("/connect/");
  });

  it("a call in a batch, which is answered as one, gets the plain answer", async () => {
    const headers = await begin({ elicitation: { url: {} } });
    const { json } = await mcp.send({ headers, body: [call(TOOL, args, 1), rpc("ping", undefined, 2)] });
    expect(json[0].result.structuredContent.widget_url).toContain("/connect/");
    expect(json).toHaveLength(2);
  });

  it("a refused call asks nothing", async () => {
    const headers = await begin({ elicitation: { url: {} } });
    const events = eventsIn((await mcp.send({ headers, body: call(TOOL, {}) })).text);
    expect(events).toMatchObject([{ result: { isError: true } }]);
  });

  it("other tools answer directly", async () => {
    const headers = await begin({ elicitation: { url: {} } });
    const answer = await mcp.send({ headers, body: call("svc-connectors") });
    expect(answer.headers["content-type"]).toBe("application/json");
  });

  it("the official v1 client shows it and gets the answer", async () => {
    const client = new LegacyClient({ name: "test", version: "1" }, { capabilities: { elicitation: { url: {} } } });
    const shown: unknown[] = [];
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      shown.push("url" in params && params.url);
      return { action: "accept" };
    });
    const requestInit = { headers: { Authorization: "Bearer alice" } };
    await client.connect(new LegacyTransport(new URL(mcp.url), { requestInit }) as never);
    const { structuredContent } = await client.callTool({ name: TOOL, arguments: args });
    await expect.poll(() => shown).toEqual([(structuredContent as { widget_url: string }).widget_url]);
    await client.close();
  });
});

describe("widget_url in 2026-07-28", () => {
  const able = { [CAPABILITIES]: { elicitation: { url: {} } } };
  const ask = (more: object = {}, token = "alice") =>
    mcp.send({ ...modern("tools/call", { name: TOOL, arguments: args, _meta: able, ...more }), token });

  it.each(["accept", "decline", "cancel"])(
    "is asked for in a first round and answered in a second, on %s too",
    async (action) => {
      const { resultType, inputRequests, requestState } = (await ask()).json.result;
      expect(resultType).toBe("input_required");
      const [[key, question]] = Object.entries<{ method: string; params: { mode: string; url: string } }>(
        inputRequests,
      ) as [[string, { method: string; params: { mode: string; url: string } }]];
      expect(question).toMatchObject({ method: "elicitation/create", params: { mode: "url" } });
      const second = contentOf(await ask({ requestState, inputResponses: { [key]: { action } } }));
      expect(second).toEqual({
        session_id: expect.any(String),
        widget_url: question.params.url,
        expires_at: expect.any(String),
        user_action: action,
      });
      const status = await mcp.send({ body: call("svc-session-status", { session_id: second.session_id }) });
      expect(contentOf(status).widget_url).toBe(question.params.url);
    },
  );

  it("opens one session for both rounds, on whichever replica", async () => {
    const replica = await startMcp();
    const { inputRequests, requestState } = (await ask()).json.result;
    const [key = ""] = Object.keys(inputRequests);
    const params = {
      name: TOOL,
      arguments: args,
      _meta: able,
      requestState,
      inputResponses: { [key]: { action: "accept" } },
    };
    const answer = contentOf(await replica.send(modern("tools/call", params)));
    expect(answer.widget_url).toBe(inputRequests[key].params.url);
  });

  it("asks again when the answer is missing or no answer", async () => {
    const { requestState } = (await ask()).json.result;
    for (const inputResponses of [{}, { other: { action: "accept" } }, { open_url: 5 }])
      expect((await ask({ requestState, inputResponses })).json.result).toMatchObject({ resultType: "input_required" });
  });

  it("state that is damaged, somebody else's or expired: -32602", async () => {
    const { requestState } = (await ask()).json.result;
    const inputResponses = { open_url: { action: "accept" } };
    const parts = String(requestState).split(".");
    const forged = [...parts.slice(0, 3), Buffer.from('{"json":"{}"}').toString("base64url"), parts[4]].join(".");
    for (const answer of [
      await ask({ requestState: `${requestState}x`, inputResponses }),
      await ask({ requestState: forged, inputResponses }),
      await ask({ requestState: "", inputResponses }),
      await ask({ requestState, inputResponses }, "bob"),
    ])
      expect(answer.json.error).toMatchObject({ code: -32602, data: { reason: "invalid_request_state" } });
    const aging = await startMcp();
    const old = (await aging.send(modern("tools/call", { name: TOOL, arguments: args, _meta: able }))).json.result;
    aging.runtime.advance(3_600_000);
    const late = await aging.send(
      modern("tools/call", {
        name: TOOL,
        arguments: args,
        _meta: able,
        requestState: old.requestState,
        inputResponses,
      }),
    );
    expect(late.json.error.code).toBe(-32602);
  });

  it("a client that did not declare it gets the plain answer", async () => {
    for (const elicitation of [undefined, {}, { form: {} }])
      expect(
        contentOf(await ask({ _meta: { [CAPABILITIES]: { ...(elicitation && { elicitation }) } } })).widget_url,
      ).toContain("/connect/");
  });

  it("a refused call asks nothing", async () => {
    expect((await ask({ arguments: {} })).json.result).toMatchObject({ isError: true, resultType: "complete" });
  });

  it("never appears in the log", async () => {
    const watched = await startMcp();
    await watched.send(modern("tools/call", { name: TOOL, arguments: args, _meta: able }));
    expect(JSON.stringify(watched.logs)).not.toContain("/connect/");
  });

  it("the official v2 client shows it and gets the answer", async () => {
    const client = new ModernClient(
      { name: "test", version: "1" },
      { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: "auto" } },
    );
    const shown: unknown[] = [];
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      shown.push("url" in params && params.url);
      return { action: "accept" };
    });
    await client.connect(
      new ModernTransport(new URL(mcp.url), { requestInit: { headers: { Authorization: "Bearer alice" } } }),
    );
    const { structuredContent } = await client.callTool({ name: TOOL, arguments: args });
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect(shown).toEqual([(structuredContent as { widget_url: string }).widget_url]);
    expect(structuredContent).toMatchObject({ user_action: "accept" });
    await client.close();
  });
});
