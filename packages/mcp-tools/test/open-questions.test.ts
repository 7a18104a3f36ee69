import { describe, expect, it } from "vitest";
import type { OfferedTool } from "../src/index.js";
import { messagesOf, rpc, startMcp } from "./mcp-server.js";

const form = { message: "Which one?", requestedSchema: { type: "object", properties: { one: { type: "string" } } } };

/** An extension's tool that reports progress and waits for the client's answer. */
const asking: OfferedTool = {
  listed: { name: "asking", inputSchema: { type: "object" } },
  async call(_, { sdk }) {
    const progressToken = sdk.mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      await sdk.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    const { action, content } = await sdk.mcpReq.send({ method: "elicitation/create", params: form });
    return { content: [{ type: "text", text: `${action} ${JSON.stringify(content)}` }] };
  },
};
const mcp = await startMcp({ extensions: [{ tools: [asking] }] });
const accepted = (id: unknown, one: string) => ({ jsonrpc: "2.0", id, result: { action: "accept", content: { one } } });

describe("a tool of an extension that asks a client before 2026-07-28", () => {
  it("gets the answer of its own client, whoever else sends one, and each call its own", async () => {
    const calls = await Promise.all(["first", "second"].map((id) => openCall(id)));
    for (const { question, id } of calls) {
      expect((await mcp.send({ token: "bob", body: accepted(question.id, "of bob") })).status).toBe(202);
      expect((await mcp.send({ token: "alice2", body: accepted(question.id, id) })).status).toBe(202);
    }
    for (const { id, next } of calls)
      expect(await next()).toMatchObject({ id, result: { content: [{ text: `accept {"one":"${id}"}` }] } });
  });

  it("reports progress on the stream", async () => {
    const { before, question } = await openCall("third", { progressToken: "p" });
    expect(before).toMatchObject([{ method: "notifications/progress", params: { progressToken: "p", progress: 1 } }]);
    await mcp.send({ body: accepted(question.id, "done") });
  });

  it("is ended when its client leaves", async () => {
    const ended: string[] = [];
    const waiting: OfferedTool = {
      listed: { name: "waiting", inputSchema: { type: "object" } },
      call: (_, { sdk }) =>
        sdk.mcpReq.send({ method: "elicitation/create", params: form }).then(
          () => ({ content: [] }),
          (error: Error) => {
            ended.push(error.message);
            throw error;
          },
        ),
    };
    const own = await startMcp({ extensions: [{ tools: [waiting] }] });
    const leaving = new AbortController();
    const response = await fetch(own.url, {
      method: "POST",
      signal: leaving.signal,
      headers: {
        authorization: "Bearer alice",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(rpc("tools/call", { name: "waiting", arguments: {} })),
    });
    expect((await messagesOf(response).next()).value.method).toBe("elicitation/create");
    leaving.abort();
    await expect.poll(() => ended).toHaveLength(1);
  });

  it("an answer to a question that nobody asks any more is accepted and forgotten", async () => {
    for (const id of ["no-such.0", "0", 0]) expect((await mcp.send({ body: accepted(id, "late") })).status).toBe(202);
  });
});

/** Calls the tool, and reads its stream up to the question. */
async function openCall(id: string, meta?: object) {
  const response = await fetch(mcp.url, {
    method: "POST",
    headers: {
      authorization: "Bearer alice",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(rpc("tools/call", { name: "asking", arguments: {}, ...(meta && { _meta: meta }) }, id)),
  });
  const messages = messagesOf(response);
  const next = async () => (await messages.next()).value;
  const before: unknown[] = [];
  for (let message = await next(); ; message = await next()) {
    if (message.method === "elicitation/create") return { id, before, question: message, next };
    before.push(message);
  }
}
